// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Generator.hpp"

#include "../Dice.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace property::bytes {
namespace {

constexpr std::uint32_t most_items = 24000;
constexpr std::int64_t most_touches = 400000;

class Maker {
 public:
  Maker(std::uint64_t seed, Choice const& choice) : m_dice(seed * 2 + (choice.sort == Sort::team)), m_choice(choice) {}

  Case make() {
    m_team = m_choice.sort == Sort::team;
    m_element = m_dice.one_of({1, 2, 3, 4, 4, 5, 8, 8, 8, 12, 16, 24, 24});
    m_wild = m_dice.one_of({0, 0, 0, 4, 10, 25});
    int const kernels = m_dice.chance(25) ? 2 : 1;
    Kernel first = kernel();
    m_items = items(first);
    arrays(first);
    for (int n = 0; n < kernels; ++n) {
      Kernel k = n == 0 ? first : m_dice.chance(50) ? first : kernel();
      if (n > 0 && m_team && (k.team != first.team || k.league != first.league)) k = first;
      m_items = items(k);
      operations(k);
      if (m_choice.flow) flow(k);
      if (m_choice.portable) k.final_only = true;
      m_case.kernels.push_back(k);
    }
    return std::move(m_case);
  }

 private:
  // ---- shapes ----

  Kernel kernel() { return m_team ? team() : flat(); }

  Kernel flat() {
    Kernel k;
    k.policy = m_dice.one_of({Policy::range_for, Policy::range_for, Policy::range_for, Policy::range_reduce, Policy::range_scan,
                              Policy::md_for, Policy::md_for, Policy::md_reduce});
    if (is_md(k.policy)) {
      md(k);
    } else {
      // Launches of fewer than 8 blocks are judged by teams, others by words.
      k.count = m_dice.chance(35)   ? m_dice.between(1, 300)
                : m_dice.chance(50) ? m_dice.between(301, 4000)
                                    : m_dice.between(4001, static_cast<int>(most_items));
      k.final_only = m_dice.chance(70);
    }
    return k;
  }

  void md(Kernel& k) {
    k.rank = m_dice.between(2, 6);
    k.left = m_dice.chance(50);
    int const longest = k.rank == 2 ? 120 : k.rank == 3 ? 26 : k.rank == 4 ? 11 : k.rank == 5 ? 7 : 5;
    int tile = 1;
    k.count = 1;
    std::int64_t tiles = 1;
    for (int d = 0; d < k.rank; ++d) {
      auto const i = static_cast<std::size_t>(d);
      k.extents[i] = m_dice.between(1, longest);
      k.tile[i] = std::min(m_dice.one_of({1, 2, 2, 3, 4, 8, 16}), std::max(1, 256 / tile));
      if (tile * k.tile[i] > 256) k.tile[i] = 1;
      tile *= k.tile[i];
      k.count *= k.extents[i];
      tiles *= (k.extents[i] + k.tile[i] - 1) / k.tile[i];
    }
    // A reduction has so many blocks at most, each of which takes several tiles beyond.
    constexpr int most_tiles = 250;
    if (k.policy == Policy::md_reduce && tiles > most_tiles) k.policy = Policy::md_for;
  }

  Kernel team() {
    Kernel k;
    k.policy = m_dice.chance(80) ? Policy::team_for : Policy::team_reduce;
    k.vector = m_dice.one_of({1, 1, 2, 4, 8, 16, 32});
    k.vector = std::min(k.vector, m_choice.longest_vector);
    int const most = std::min(m_dice.chance(90) ? 96 : 512, 1024) / k.vector;
    k.team = m_dice.between(1, std::max(1, most));
    k.league = m_dice.chance(30) ? 1 : m_dice.chance(70) ? m_dice.between(2, 5) : m_dice.between(6, 14);
    return k;
  }

  std::uint32_t items(Kernel const& k) const { return static_cast<std::uint32_t>(m_team ? k.team * k.vector : k.count); }

  void arrays(Kernel const& k) {
    int const count = m_dice.between(1, most_arrays);
    for (int a = 0; a < count; ++a) {
      Array array;
      auto const whole = static_cast<std::int32_t>(m_items) * m_element;
      if (m_team && m_dice.chance(65)) {
        array.place = m_dice.one_of(
            {Place::team0, Place::team0, Place::team0, Place::team1, Place::team1, Place::thread0, Place::thread1});
        array.bytes = is_per_thread(array.place) ? m_dice.between(1, 96) : std::min(whole, 6000) + m_dice.between(0, 24);
        if (a > 0 && array.bytes > 3000) array.bytes = 3000;
        array.bytes = (array.bytes + 7) / 8 * 8;
        m_case.arrays.push_back(array);
        continue;
      }
      array.bytes = whole * (m_team ? k.league : 1) + m_dice.one_of({0, 0, 1, 2, 3, 5, 8, 31});
      if (a > 0 && m_dice.chance(25)) {
        int const of = m_dice.below(a);
        Array const& owner = m_case.arrays[static_cast<std::size_t>(of)];
        if (owner.alias_of < 0 && !is_scratch(owner.place)) {
          array.alias_of = of;
          array.alias_at = m_dice.one_of({0, 0, m_element, 8, 4, 1}) * m_dice.between(0, 3);
          array.alias_at = std::min(array.alias_at, owner.bytes - 1);
          array.bytes = owner.bytes - array.alias_at;
          m_case.arrays.push_back(array);
          continue;
        }
      }
      if (m_dice.chance(6)) array.bytes = std::max(1, array.bytes - m_dice.between(1, 30));
      array.filling = m_dice.chance(60) ? Filling::host : m_dice.chance(50) ? Filling::none : Filling::part;
      if (array.filling == Filling::part) {
        array.from = m_dice.below(array.bytes);
        array.to = m_dice.between(array.from, array.bytes);
        if (m_dice.chance(50)) array.from = 0;
        if (m_dice.chance(50)) array.to = array.bytes;
      }
      m_case.arrays.push_back(array);
    }
  }

  // ---- operations ----

  void operations(Kernel& k) {
    int const filled = m_team ? fill_scratch(k) : 0;
    k.used = std::min(filled + m_dice.between(1, m_dice.chance(60) ? 4 : slots), slots);
    for (int s = filled; s < k.used; ++s) {
      if (m_team) step(k, s);
      std::uint32_t const items = m_team ? items_of(k, k.steps[static_cast<std::size_t>(s)]) : m_items;
      k.operations[static_cast<std::size_t>(s)] = operation(k, items, s);
    }
    thin(k);
  }

  /// Most scratch is written before it is used.
  int fill_scratch(Kernel& k) {
    std::size_t s = 0;
    for (std::size_t a = 0; a != m_case.arrays.size() && s != 3; ++a) {
      Array const& array = m_case.arrays[a];
      if (!is_scratch(array.place) || m_dice.chance(15)) continue;
      Operation& o = k.operations[s];
      o = {};
      o.deed = m_dice.one_of({Deed::write, Deed::any_set, Deed::view_write});
      o.bytes = 8;
      o.array = static_cast<std::int8_t>(a);
      o.map.stride = 8;
      o.map.modulus = static_cast<std::uint32_t>(array.bytes / 8);
      Step& step = k.steps[s];
      step = {};
      step.construct = is_per_thread(array.place) ? Construct::vector_range : Construct::team_vector_range;
      step.count = array.bytes / 8;
      step.after = m_dice.chance(95) ? After::barrier : After::nothing;
      ++s;
    }
    return static_cast<int>(s);
  }

  void step(Kernel& k, int s) {
    Step& step = k.steps[static_cast<std::size_t>(s)];
    step = {};
    step.construct = static_cast<Construct>(m_dice.below(constructs));
    step.count = m_dice.between(1, std::max(1, std::min(k.team * 2, 70)));
    step.inner = m_dice.between(1, std::max(1, std::min(k.vector * 2, 20)));
    switch (step.construct) {
      case Construct::vector_range:
      case Construct::vector_reduce:
      case Construct::vector_scan:
        step.count = m_dice.between(1, k.vector * 2);
        break;
      case Construct::team_vector_range:
      case Construct::team_vector_reduce:
        step.count = m_dice.between(1, k.team * k.vector * 2);
        break;
      case Construct::vector_md:
        step.count = m_dice.between(1, 3);
        break;
      default:
        break;
    }
    step.final_only = m_dice.chance(60);
    step.after = m_dice.chance(50)   ? After::barrier
                 : m_dice.chance(60) ? After::nothing
                                     : m_dice.one_of({After::reduce, After::scan, After::broadcast});
  }

  static std::uint32_t items_of(Kernel const& k, Step const& s) {
    int n = 1;
    switch (s.construct) {
      case Construct::every_lane:
        n = k.team * k.vector;
        break;
      case Construct::every_thread:
      case Construct::single_thread:
      case Construct::single_thread_value:
        n = k.team;
        break;
      case Construct::single_team:
      case Construct::single_team_value:
        n = 1;
        break;
      case Construct::vector_range:
      case Construct::vector_reduce:
      case Construct::vector_scan:
        n = k.team * s.count;
        break;
      case Construct::vector_md:
        n = k.team * s.count * s.inner;
        break;
      case Construct::thread_vector:
      case Construct::thread_md:
      case Construct::team_vector_md:
        n = s.count * s.inner;
        break;
      case Construct::thread_range:
      case Construct::thread_single:
      case Construct::team_vector_range:
      case Construct::thread_reduce:
      case Construct::team_vector_reduce:
      case Construct::thread_scan:
        n = s.count;
        break;
    }
    return static_cast<std::uint32_t>(n);
  }

  void form(Operation& o) {
    using D = Deed;
    switch (m_dice.below(m_team ? 17 : 19)) {
      case 0:
      case 1:
      case 2:
        o.deed = D::read;
        break;
      case 3:
      case 4:
      case 5:
        o.deed = D::write;
        break;
      case 6:
        o.deed = D::modify;
        break;
      case 7:
        o.deed = m_dice.one_of({D::view_read, D::view_write});
        break;
      case 8:
        o.deed = m_dice.one_of({D::struct_read, D::struct_write});
        break;
      case 9:
        o.deed = m_dice.one_of({D::copy_read, D::copy_write});
        break;
      case 10:
        o.deed = m_dice.one_of({D::any_read, D::any_write, D::any_set});
        break;
      case 11:
        o.deed = m_dice.one_of({D::volatile_read, D::volatile_write, D::volatile_modify});
        break;
      case 12:
        o.deed = m_dice.one_of({D::atomic_load, D::atomic_store, D::atomic_exchange, D::atomic_compare});
        break;
      case 13:
      case 14:
        o.deed = D::atomic_add;
        break;
      case 15:
        o.deed = m_dice.one_of({D::atomic_max, D::atomic_add_real, D::atomic_add});
        break;
      case 16:
        o.deed = m_dice.one_of({D::builtin_load, D::builtin_store, D::builtin_add});
        break;
      default:
        o.deed = m_dice.chance(30) ? D::leave : D::read;
        break;
    }
    o.alignment = 1;
    switch (o.deed) {
      case D::view_read:
      case D::view_write:
        o.bytes = m_dice.one_of<std::uint8_t>({4, 8});
        break;
      case D::struct_read:
      case D::struct_write: {
        struct Form {
          std::uint8_t bytes, alignment;
        };
        Form const f = m_dice.one_of<Form>(
            {{3, 1}, {5, 1}, {6, 1}, {7, 1}, {9, 1}, {12, 1}, {17, 1}, {24, 1}, {12, 4}, {16, 4}, {16, 8}, {24, 8}});
        o.bytes = f.bytes;
        o.alignment = f.alignment;
        if (m_choice.sees_struct != nullptr && !m_choice.sees_struct(o.bytes, o.alignment)) o.bytes = 24, o.alignment = 1;
        break;
      }
      case D::copy_read:
      case D::copy_write:
        o.bytes = m_dice.one_of<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 20, 24});
        break;
      case D::any_read:
      case D::any_write:
      case D::any_set:
        o.bytes = static_cast<std::uint8_t>(m_dice.between(1, 24));
        break;
      case D::atomic_add_real:
        o.bytes = 8;
        break;
      default:
        o.bytes = m_dice.one_of<std::uint8_t>({1, 2, 4, 4, 4, 8, 8});
        break;
    }
  }

  static std::int32_t alignment_of(Operation const& o) {
    switch (o.deed) {
      case Deed::struct_read:
      case Deed::struct_write:
        return o.alignment;
      case Deed::copy_read:
      case Deed::copy_write:
      case Deed::any_read:
      case Deed::any_write:
      case Deed::any_set:
      case Deed::leave:
        return 1;
      default:
        return o.bytes;
    }
  }

  Operation operation(Kernel const& k, std::uint32_t items, int slot) {
    Operation o;
    for (int tries = 0; tries < 6; ++tries) {
      form(o);
      if (o.bytes <= m_element && m_element % alignment_of(o) == 0) break;  // mostly one that fits
    }
    if (o.deed == Deed::leave) {
      o.mask.from = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items)));
      o.mask.modulus = static_cast<std::uint32_t>(m_dice.between(1, 4));
      o.mask.remainder = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(o.mask.modulus)));
      o.array = 0;
      return o;
    }
    o.array = static_cast<std::int8_t>(m_dice.below(static_cast<int>(m_case.arrays.size())));
    Array const& array = m_case.arrays[static_cast<std::size_t>(o.array)];
    o.own_values = m_dice.chance(75);
    o.map.modulus = items;
    o.map.stride = m_element;
    // A field of the element, most often one that is this slot's.
    if (m_element > o.bytes)
      o.map.start = m_dice.chance(70) ? (slot * o.bytes) % (m_element - o.bytes + 1) : m_dice.below(m_element - o.bytes + 1);
    if (m_team && !is_scratch(array.place))
      o.map.league_step = m_dice.chance(85) ? array.bytes / std::max(k.league, 1) / 8 * 8 : 0;
    if (m_dice.chance(m_wild)) spoil(o, items);
    if (m_dice.chance(20)) {
      o.mask.modulus = static_cast<std::uint32_t>(m_dice.between(2, 9));
      o.mask.remainder = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(o.mask.modulus)));
    }
    if (m_dice.chance(10)) o.mask.from = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items)));
    if (m_dice.chance(10)) o.mask.until = static_cast<std::uint32_t>(m_dice.between(1, static_cast<int>(items)));
    if (m_dice.chance(6))
      o.mask = {items, static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items))), 0, ~0u};  // one alone
    if (m_dice.chance(10)) {
      o.repeats = static_cast<std::uint8_t>(m_dice.between(2, 3));
      o.repeat_step = m_dice.chance(30) ? 0 : m_dice.chance(50) ? o.bytes : m_element;
    }
    align(o, array);
    keep_inside(o, array, k);
    align(o, array);
    return o;
  }

  /// Items meet, or what they touch overlaps.
  void spoil(Operation& o, std::uint32_t items) {
    constexpr std::uint32_t late = 4096;
    switch (m_dice.below(9)) {
      case 0:
        o.map.b = static_cast<std::uint32_t>(m_dice.between(1, 3));
        break;  // the neighbour's
      case 1:
        o.map.modulus = std::max(1u, items / static_cast<std::uint32_t>(m_dice.between(2, 5)));
        break;
      case 2:
        o.map.modulus = 1;
        break;
      case 3:
        o.map.stride = m_dice.between(1, m_element);
        break;
      case 4:  // 32 bits wrap
        o.map.a = m_dice.one_of({0x40000001u, 0x80000001u, 0xffffffffu, 0x10000003u});
        o.map.b = static_cast<std::uint32_t>(m_dice.next());
        break;
      case 5:
        o.map.a = static_cast<std::uint32_t>(m_dice.between(2, 7));
        break;
      case 6:
        o.map.modulus = static_cast<std::uint32_t>(m_dice.between(1, 7));
        if (items > late) o.mask.from = late + static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items - late)));
        break;
      case 7:
        o.map.start += m_dice.between(-3, 3);
        break;
      case 8:
        o.map.b = items - 1 - static_cast<std::uint32_t>(m_dice.below(2));
        break;
    }
    if (items > late && m_dice.chance(30))
      o.mask.from = late + static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items - late)));
  }

  static void align(Operation& o, Array const& array) {
    std::int32_t const a = alignment_of(o);
    auto const down = [a](std::int32_t& n) { n = n / a * a; };
    down(o.map.stride);
    down(o.map.league_step);
    down(o.repeat_step);
    std::int32_t start = o.map.start + std::max(array.alias_at, 0);
    down(start);
    o.map.start = start - std::max(array.alias_at, 0);
    while (o.map.start < 0) o.map.start += a;
  }

  /// What is touched lies in the array, but for some cases where it ends a little behind.
  void keep_inside(Operation& o, Array const& array, Kernel const& k) {
    bool const may_pass = m_dice.chance(4);
    constexpr std::int32_t behind = 24;
    for (int tries = 0; tries < 64; ++tries) {
      std::int64_t const end = std::int64_t{o.map.start} + std::int64_t{o.map.league_step} * (k.league - 1) +
                               std::int64_t{o.map.stride} * (o.map.modulus - 1) +
                               std::int64_t{o.repeat_step} * (o.repeats - 1) + o.bytes;
      if (end <= array.bytes + (may_pass ? behind : 0)) return;
      if (may_pass && end <= array.bytes + behind) return;
      if (o.map.modulus > 1) {
        std::int64_t const room = array.bytes - (end - std::int64_t{o.map.stride} * (o.map.modulus - 1));
        o.map.modulus = room <= 0 || o.map.stride == 0
                            ? 1
                            : static_cast<std::uint32_t>(std::min<std::int64_t>(room / o.map.stride + 1, o.map.modulus));
        if (room > 0) continue;
        o.map.modulus = 1;
      }
      o.repeats = 1;
      if (o.map.league_step > 0 && tries > 2) o.map.league_step = 0;
      if (tries > 3) o.map.start = 0;
      if (tries > 4) {
        o.deed = nature(o.deed).writes ? Deed::any_write : Deed::any_read;
        o.bytes = static_cast<std::uint8_t>(std::min<std::int32_t>(array.bytes, o.bytes));
        o.alignment = 1;
      }
    }
  }

  /// Fences and exceptions of few lanes, between the others' operations.
  void flow(Kernel& k) {
    bool const may_throw = k.policy == Policy::range_for;  // of others a lane may have several items, or meet
    for (int more = m_dice.between(1, 4); more != 0 && k.used < slots; --more) {
      int const at = m_dice.between(0, k.used);
      for (int s = k.used; s != at; --s) {
        k.operations[static_cast<std::size_t>(s)] = k.operations[static_cast<std::size_t>(s) - 1];
        k.steps[static_cast<std::size_t>(s)] = k.steps[static_cast<std::size_t>(s) - 1];
      }
      ++k.used;
      k.steps[static_cast<std::size_t>(at)] = {};
      Operation& o = k.operations[static_cast<std::size_t>(at)] = {};
      o.deed = may_throw && m_dice.chance(30) ? Deed::raise : Deed::fence;
      o.mask.modulus = std::max(m_items / static_cast<std::uint32_t>(m_dice.between(1, 8)), 1u);
      o.mask.remainder = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(o.mask.modulus)));
      if (o.deed == Deed::fence && m_dice.chance(15)) o.mask = {};
    }
  }

  /// Not more than the oracle can take.
  void thin(Kernel& k) {
    std::int64_t touches = 0;
    for (int s = 0; s < k.used; ++s) {
      Operation const& o = k.operations[static_cast<std::size_t>(s)];
      std::int64_t const items =
          m_team
              ? std::int64_t{k.league} * std::max<std::int64_t>(items_of(k, k.steps[static_cast<std::size_t>(s)]), 1) * k.vector
              : std::int64_t{m_items};
      std::int64_t const more = items * o.bytes * o.repeats;
      if (touches + more > most_touches && s > 0) {
        k.used = s;
        return;
      }
      touches += more;
    }
  }

  Dice m_dice;
  Choice m_choice;
  Case m_case;
  bool m_team = false;
  int m_element = 4;  ///< bytes of what an item has for itself
  int m_wild = 0;     ///< how many operations in a hundred are spoilt
  std::uint32_t m_items = 1;
};

}  // namespace

Case generate(std::uint64_t seed, Choice const& choice) { return Maker(seed, choice).make(); }

}  // namespace property::bytes
