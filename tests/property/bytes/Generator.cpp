// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Generator.hpp"

#include "../Dice.hpp"
#include "Operations.hpp"
#include "Ranges.hpp"
#include "Teams.hpp"

#include <algorithm>
#include <utility>

namespace property::bytes {
namespace {

constexpr std::int64_t most_touches = 400000;

class Maker {
 public:
  Maker(std::uint64_t seed, Choice const& choice) : m_dice(seed * 2 + (choice.sort == Sort::team)), m_choice(choice) {}

  Case make() {
    m_team = m_choice.sort == Sort::team;
    m_element = m_dice.one_of({1, 2, 3, 4, 4, 5, 8, 8, 8, 12, 16, 24, 24});
    if (m_choice.locks) m_element = wide_atomic;
    m_wild = m_dice.one_of({0, 0, 0, 4, 10, 25});
    int const kernels = m_dice.chance(25) ? 2 : 1;
    Kernel first = kernel();
    m_items = items(first);
    arrays(first);
    for (int n = 0; n < kernels; ++n) {
      Kernel k = n == 0 ? first : m_dice.chance(50) ? first : kernel();
      if (n > 0 && m_team && (k.team != first.team || k.league != first.league)) k = first;
      m_items = items(k);
      fill(k);
      if (m_choice.flow) flow(k);
      if (m_choice.portable) k.final_only = true;
      m_case.kernels.push_back(k);
    }
    return std::move(m_case);
  }

 private:
  Kernel kernel() { return m_team ? make_team(m_dice, m_choice.longest_vector) : make_range(m_dice); }

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

  void fill(Kernel& k) {
    Operations operations(m_dice, m_choice, m_element, m_wild);
    int const filled = m_team ? fill_scratch(m_case.arrays, k, m_dice) : 0;
    k.used = std::min(filled + m_dice.between(1, m_dice.chance(60) ? 4 : slots), slots);
    for (int s = filled; s < k.used; ++s) {
      if (m_team) k.steps[static_cast<std::size_t>(s)] = make_step(k, m_dice);
      std::uint32_t const items = m_team ? items_of(k, k.steps[static_cast<std::size_t>(s)]) : m_items;
      k.operations[static_cast<std::size_t>(s)] = operations.make(m_case.arrays, k, items, s);
    }
    thin(k);
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

Case generate(std::uint64_t seed, Choice const& choice) {
  Case c = Maker(seed, choice).make();
  if (choice.sort == Sort::flat) {
    constexpr std::int32_t before[] = {0, 1, 2, 0}, after[] = {0, 0, 0, 1};
    std::uint64_t const way = seed * 0x9e3779b97f4a7c15u >> 62;  // no dice: the case is the one that it is without
    c.quiet_before = before[way];
    c.quiet_after = after[way];
  }
  return c;
}

}  // namespace property::bytes
