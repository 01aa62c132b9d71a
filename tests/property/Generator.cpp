// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Generator.hpp"

#include "Dice.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace property {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, Choice const& choice)
      : m_dice(seed), m_chains(seed ^ 0xc4a1), m_choice(choice), m_scratch0(choice.max_scratch0) {
    m_program.seed = seed;
  }

  Program make() {
    int const kernels = m_dice.between(1, 3);
    for (int k = 0; k < kernels; ++k) choose_shape();
    choose_arrays();
    for (Kernel& shape : m_shapes) {
      m_program.kernels.push_back(std::move(shape));
      m_kernel = &m_program.kernels.back();
      if (m_kernel->team)
        fill_team_kernel();
      else
        fill_flat_kernel();
      if (m_kernel->body.empty()) m_program.kernels.pop_back();
    }
    return std::move(m_program);
  }

 private:
  // ---- shapes
  // -------------------------------------------------------------------------------------------------------
  void choose_shape() {
    Kernel kernel;
    kernel.team = m_shapes.empty() || m_dice.chance(65);
    kernel.reduces = kernel.team && m_dice.chance(25);
    kernel.vector_length = m_dice.one_of({1, 1, 2, 4, 8, 16, 32, 64});
    kernel.vector_length = std::min(kernel.vector_length, m_choice.max_vector_length);
    int const team = m_dice.one_of({1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 32, 33, 64, 100, 128, 256, 512, 1024});
    kernel.team_size = std::min(team, m_choice.max_lanes / kernel.vector_length);
    int const lanes = kernel.team_size * kernel.vector_length;
    kernel.league = std::min(m_dice.one_of({1, 2, 3, 5, 8, 17, 40}), std::max(1, 2048 / lanes));
    // All teams of a chain are to be on the GPU at once.
    if (kernel.team && kernel.league > 1 && kernel.league <= 17 && m_chains.chance(m_choice.chains))
      kernel.chain = m_chains.one_of({Chain::up, Chain::down});
    m_program.teams = std::max(m_program.teams, kernel.league);
    m_threads = std::max(m_threads, kernel.team_size);
    m_shapes.push_back(std::move(kernel));
  }

  void choose_arrays() {
    auto const add = [&](Place place, int size, std::uint32_t width, bool filled) {
      if (static_cast<int>(m_program.arrays.size()) == max_arrays) return;
      Array array{place, static_cast<std::uint32_t>(std::max(1, size)), width, filled};
      // A widened index is to leave the allocation, which Kokkos rounds up to 8 bytes.
      while (is_global(place) && array.size * array.width % 8 != 0) ++array.size;
      bool const near = place == Place::team_scratch0 || place == Place::thread_scratch0;
      std::uint32_t const pieces =
          place == Place::thread_scratch0 ? static_cast<std::uint32_t>(m_threads) : 1;
      constexpr std::uint32_t alignment = 16;  // at most, for each piece
      std::uint32_t const room = m_scratch0 / pieces;
      if (near && array.size * width + alignment > room)
        array.size = (std::max(room, alignment) - alignment) / width;
      if (array.size == 0) return;
      if (near) m_scratch0 -= (array.size * width + alignment) * pieces;
      m_program.arrays.push_back(array);
    };
    auto const width = [&] { return m_dice.one_of({1u, 4u, 4u, 8u, 8u}); };
    add(Place::global_slice, array_size(), width(), m_dice.chance(50));
    for (int k = m_dice.between(1, 3); k > 0; --k)
      add(m_dice.chance(75) ? Place::team_scratch0 : Place::team_scratch1, array_size(), width(), false);
    for (int k = m_dice.between(0, 2); k > 0; --k)
      add(m_dice.chance(75) ? Place::thread_scratch0 : Place::thread_scratch1,
          std::min(m_dice.between(1, 70), std::max(1, 2048 / m_threads)), width(), false);
    if (m_dice.chance(50)) add(Place::global_slice, array_size(), width(), m_dice.chance(30));
    if (m_dice.chance(60)) add(Place::global_shared, m_dice.between(1, 200), width(), true);
    if (m_dice.chance(60)) add(Place::global_shared, m_dice.between(1, 40), m_dice.one_of({4u, 8u}), true);
  }

  int array_size() {
    Kernel const& k = m_shapes[static_cast<std::size_t>(m_dice.below(static_cast<int>(m_shapes.size())))];
    int const lanes = k.team_size * k.vector_length;
    int const size =
        m_dice.one_of({k.team_size, k.vector_length, lanes, lanes, m_dice.between(1, 300), lanes + 3});
    return std::clamp(size, m_dice.between(1, 24), 1100);
  }

  // ---- accesses
  // -----------------------------------------------------------------------------------------------------
  Array const& array(int k) const { return m_program.arrays[static_cast<std::size_t>(k)]; }
  bool usable(int k) const { return m_kernel->team || is_global(array(k).place); }
  int size(int k) const {
    bool const whole = !m_kernel->team && array(k).place == Place::global_slice;
    return static_cast<int>(array(k).size) * (whole ? m_program.teams : 1);
  }
  int any_array() {
    // Teams in a chain may all use what they share.
    if (m_kernel->chain != Chain::none && m_chains.chance(35))
      for (std::size_t k = m_program.arrays.size(); k-- > 0;)
        if (m_program.arrays[k].place == Place::global_shared && m_chains.chance(60))
          return static_cast<int>(k);
    for (;;)
      if (int const k = m_dice.below(static_cast<int>(m_program.arrays.size())); usable(k)) return k;
  }

  /// Different items, up to the array's size, go to different elements.
  Access one_to_one(int k) {
    auto const n = static_cast<std::uint32_t>(size(k));
    Access access{k, 1, static_cast<std::uint32_t>(m_dice.chance(50) ? 0 : m_dice.below(static_cast<int>(n))),
                  -1};
    if (m_dice.chance(40))
      if (auto const a = static_cast<std::uint32_t>(m_dice.between(1, 97)); std::gcd(a, n) == 1) access.a = a;
    return access;
  }
  Access anywhere(int k) {
    return {k, m_dice.one_of({0u, 1u, 1u, 1u, 2u, 3u, 7u, 31u}),
            static_cast<std::uint32_t>(m_dice.chance(40) ? 0 : m_dice.below(size(k))), -1};
  }

  Leaf leaf(int to) {
    Leaf leaf;
    if (to >= 0) leaf.to = one_to_one(to);
    if (to >= 0 && array(to).place == Place::global_slice && m_kernel->chain != Chain::none &&
        m_chains.chance(35))
      leaf.next_team = 1;
    for (Access& from : leaf.from)
      if (m_dice.chance(45)) from = m_dice.chance(30) && to >= 0 ? leaf.to : anywhere(any_array());
    if (m_kernel->team && m_dice.chance(30)) leaf.from_register = m_dice.below(registers);
    leaf.uses_thread = m_dice.chance(25);
    leaf.salt = m_dice.next();
    return leaf;
  }
  Leaf atomic_leaf() {
    int to = any_array();
    for (int tries = 0; tries < 20 && array(to).width == 1; ++tries) to = any_array();
    if (array(to).width == 1) return leaf(-1);
    Leaf made = leaf(-1);
    made.to = anywhere(to);
    made.atomic = m_dice.one_of({AtomicOperation::add, AtomicOperation::add, AtomicOperation::max,
                                 AtomicOperation::min, AtomicOperation::exclusive_or});
    return made;
  }

  Reduction any_reduction() { return static_cast<Reduction>(m_dice.below(reductions)); }
  Order any_order() { return m_dice.one_of({Order::standard, Order::left, Order::right}); }

  Statement make(Kind kind, int count, Leaf const& leaf) {
    Statement s;
    s.kind = kind;
    s.count = std::max(1, count);
    s.leaf = leaf;
    s.reduction = any_reduction();
    s.result = m_dice.below(registers);
    s.exclusive = m_dice.chance(50);
    return s;
  }
  /// Gives it extents whose product is at most `count`.
  void spread(Statement& s, int count, int max_rank) {
    s.rank = m_dice.between(2, max_rank);
    s.order = any_order();
    s.count = 1;
    for (int d = 0; d < s.rank; ++d) {
      int const room = std::max(1, count / s.count);
      s.extents[d] = d + 1 == s.rank ? std::min(room, 400) : m_dice.between(1, std::min(room, 9));
      s.count *= s.extents[d];
    }
    if (m_dice.chance(50)) std::swap(s.extents[0], s.extents[s.rank - 1]);
  }

  /// How many items: all elements of the array most often, some of them, or none of its business.
  int count_for(int to) {
    if (to < 0) return m_dice.between(1, 200);
    int const n = size(to);
    return m_dice.chance(70) ? n : m_dice.between(1, n);
  }

  // ---- statements
  // ---------------------------------------------------------------------------------------------------
  Statement thread_statement(int to, int inner) {
    Kind const kind =
        m_dice.one_of({Kind::thread_vector_for, Kind::thread_vector_for, Kind::thread_vector_for,
                       Kind::thread_vector_md_for, Kind::thread_vector_reduce, Kind::thread_vector_reduce,
                       Kind::thread_vector_md_reduce, Kind::thread_vector_scan, Kind::single_thread,
                       Kind::single_thread_value, Kind::vector_reduce, Kind::every_lane});
    bool const stores = kind == Kind::thread_vector_for || kind == Kind::thread_vector_md_for ||
                        kind == Kind::thread_vector_scan || kind == Kind::single_thread ||
                        kind == Kind::every_lane;
    bool const updates = stores && kind != Kind::thread_vector_scan && m_dice.chance(10);
    Statement s = make(kind, inner, updates ? atomic_leaf() : leaf(stores ? to : -1));
    if (kind == Kind::thread_vector_md_for || kind == Kind::thread_vector_md_reduce) spread(s, inner, 3);
    return s;
  }
  /// `outer`: how many items there are outside; together they shall fit into what is written.
  std::vector<Statement> thread_body(int to, int outer) {
    std::vector<Statement> body;
    for (int k = m_dice.between(1, 3); k > 0; --k) {
      if (m_dice.chance(30)) to = any_array();
      int const room = is_per_thread(array(to).place) ? size(to) : std::max(1, size(to) / std::max(1, outer));
      int const inner =
          std::min(room, m_dice.chance(70) ? 2 * m_kernel->vector_length + 3 : m_dice.between(1, 40));
      body.push_back(thread_statement(to, inner));
    }
    return body;
  }

  int outer_count(int to) {
    int const n = is_per_thread(array(to).place) ? m_kernel->team_size : size(to);
    int const wanted = m_dice.one_of(
        {m_kernel->team_size, n, m_dice.between(1, n), std::max(1, n / m_kernel->vector_length)});
    return std::min({std::max(1, wanted), n, 400});
  }

  Statement team_statement(bool may_repeat) {
    int const to = any_array();
    switch (m_dice.below(24)) {
      case 0:
      case 1:
      case 2:
        return make(Kind::team_vector_for, count_for(to), leaf(to));
      case 3:
        return make(Kind::team_vector_for, m_dice.between(1, 300), atomic_leaf());
      case 4:
      case 5:
      case 6:
      case 7: {
        Statement s = make(Kind::team_thread_for, outer_count(to), {});
        s.body = thread_body(to, s.count);
        return s;
      }
      case 8: {
        Statement s = make(Kind::team_thread_md_for, 1, {});
        spread(s, outer_count(to), 3);
        s.body = thread_body(to, s.count);
        return s;
      }
      case 9: {
        Statement s = make(Kind::team_vector_md_for, 1, leaf(to));
        spread(s, count_for(to), 3);
        return s;
      }
      case 10:
      case 11: {
        Statement s = make(Kind::each_thread, m_kernel->team_size, {});
        s.body = thread_body(to, s.count);
        return s;
      }
      case 12:
      case 13: {
        Statement s = make(Kind::team_thread_reduce, outer_count(to), leaf(-1));
        if (m_dice.chance(60)) s.body = thread_body(to, s.count);
        return s;
      }
      case 14:
        return make(Kind::team_vector_reduce, count_for(to), leaf(-1));
      case 15: {
        Statement s =
            make(m_dice.chance(50) ? Kind::team_thread_md_reduce : Kind::team_vector_md_reduce, 1, leaf(-1));
        spread(s, count_for(to), 3);
        return s;
      }
      case 16:
        return make(Kind::team_thread_scan, std::min(count_for(to), 4 * m_kernel->team_size), leaf(to));
      case 17:
      case 18:
        return make(Kind::single_team, 1, m_dice.chance(15) ? atomic_leaf() : leaf(to));
      case 19:
        return make(Kind::single_team_value, 1, leaf(-1));
      case 20: {
        Statement s = make(Kind::team_broadcast, 1, {});
        s.source = m_dice.below(m_kernel->team_size);
        return s;
      }
      case 21:
        return make(Kind::team_reduce, 1, {});
      case 22:
        return make(Kind::team_scan, 1, {});
      default:
        break;
    }
    if (!may_repeat) return make(Kind::team_vector_for, count_for(to), leaf(to));
    Statement s = make(Kind::repeat, m_dice.between(2, 3), {});
    for (int k = m_dice.between(1, 3); k > 0; --k) {
      if (!s.body.empty() && m_dice.chance(60)) s.body.push_back(barrier());
      s.body.push_back(team_statement(false));
    }
    if (m_dice.chance(70)) s.body.push_back(barrier());
    return s;
  }

  static Statement barrier() { return {}; }

  /// Writes all elements.
  Statement initialisation(int to) {
    int const n = size(to);
    if (is_per_thread(array(to).place)) {
      Statement s = make(Kind::each_thread, m_kernel->team_size, {});
      s.body.push_back(make(Kind::thread_vector_for, n, leaf(to)));
      return s;
    }
    Statement s = make(Kind::team_vector_for, n, leaf(to));
    if (m_dice.chance(50)) return s;
    int inner = m_dice.between(1, std::min(n, 2 * m_kernel->vector_length + 1));
    while (n % inner != 0) --inner;
    Statement outer = make(Kind::team_thread_for, n / inner, {});
    s.kind = Kind::thread_vector_for;
    s.count = inner;
    if (inner == 1) s.kind = m_dice.one_of({Kind::thread_vector_for, Kind::single_thread, Kind::every_lane});
    outer.body.push_back(s);
    return outer;
  }

  // ---- kernels
  // ------------------------------------------------------------------------------------------------------
  bool clean() const { return judge(m_program, m_choice.sync, 2).clean(); }

  bool take_in(Statement const& s) {
    auto& body = m_kernel->body;
    body.push_back(s);
    if (clean()) return true;
    body.back() = barrier();
    body.push_back(s);
    if (clean()) return true;
    body.resize(body.size() - 2);
    return false;
  }

  void fill_team_kernel() {
    for (int k = 0; k < static_cast<int>(m_program.arrays.size()); ++k)
      if (!is_global(array(k).place) ? m_dice.chance(85) : !array(k).filled && m_dice.chance(60))
        for (int tries = 0; tries < 4 && !take_in(initialisation(k)); ++tries) {
        }
    for (int k = m_dice.between(3, 8); k > 0; --k) {
      if (m_dice.chance(8)) m_kernel->body.push_back(barrier());
      for (int tries = 0; tries < 6 && !take_in(team_statement(true)); ++tries) {
      }
    }
    for (int k = 0; k < static_cast<int>(m_program.arrays.size()); ++k) look_at(k);
  }

  /// What an array holds reaches the result.
  void look_at(int k) {
    if (is_global(array(k).place) || m_dice.chance(25)) return;
    Leaf all;
    all.from[0] = {k, 1, 0, -1};
    Statement s = make(Kind::team_vector_reduce, size(k), all);
    s.reduction = Reduction::sum;
    if (is_per_thread(array(k).place)) {
      Statement outer = make(Kind::each_thread, m_kernel->team_size, {});
      s.kind = Kind::thread_vector_reduce;
      s.leaf.salt = 0;
      outer.body.push_back(s);
      s = outer;
    }
    take_in(s);
  }

  void fill_flat_kernel() {
    for (int tries = 0; tries < 12 && m_kernel->body.empty(); ++tries) {
      int const to = any_array();
      Statement s;
      switch (m_dice.below(6)) {
        case 0:
          s = make(Kind::range_for, count_for(to), leaf(to));
          break;
        case 1:
          s = make(Kind::range_for, m_dice.between(1, 700), atomic_leaf());
          break;
        case 2:
          s = make(Kind::range_reduce, count_for(to), leaf(-1));
          break;
        case 3:
          s = make(Kind::range_scan, count_for(to), leaf(to));
          break;
        case 4:
          s = make(Kind::md_range_for, 1, m_dice.chance(80) ? leaf(to) : atomic_leaf());
          spread(s, count_for(to), 4);
          break;
        default:
          s = make(Kind::md_range_reduce, 1, leaf(-1));
          spread(s, count_for(to), 4);
          break;
      }
      // The passes of a scan over a range are kernels of their own: it must not read what it writes.
      for (Access& from : s.leaf.from)
        if (s.kind == Kind::range_scan && from.array == s.leaf.to.array) from.array = -1;
      s.leaf.uses_thread = false;
      m_kernel->body.push_back(s);
      if (!clean()) m_kernel->body.clear();
    }
  }

  Dice m_dice, m_chains;
  Choice m_choice;
  Program m_program;
  std::vector<Kernel> m_shapes;
  Kernel* m_kernel = nullptr;
  int m_threads = 1;
  std::uint32_t m_scratch0;  ///< bytes that are left
};

}  // namespace

Program generate(std::uint64_t seed, Choice const& choice) {
  // Two teams are looked at while a program is made; that all are right is seen at the end.
  for (std::uint64_t attempt = 0;; ++attempt) {
    Program program = Generator(seed + (attempt << 48), choice).make();
    program.seed = seed;
    if (!program.kernels.empty() && judge(program, choice.sync).clean()) return program;
  }
}

}  // namespace property
