// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamWalk.hpp"

#include "Fold.hpp"
#include "Ledger.hpp"
#include "Semantics.hpp"

#include <algorithm>
#include <array>

namespace property {

using teamsan::Rule;

namespace {

class TeamWalk {
 public:
  TeamWalk(Kernel const& kernel, int league, Sync sync, Ledger& ledger, Verdict& verdict)
      : m_threads(kernel.team_size),
        m_lanes(kernel.vector_length),
        m_league(league),
        m_sync(sync),
        m_ledger(ledger),
        m_verdict(verdict),
        m_r(static_cast<std::size_t>(kernel.team_size * kernel.vector_length)) {
    for (auto& r : m_r) r.fill(static_cast<std::uint64_t>(league));
  }

  void run(std::vector<Statement> const& body) {
    for (Statement const& s : body) statement(s);
  }
  std::uint64_t digest_of(std::size_t lane) const { return digest(m_r[lane].data()); }
  std::size_t lanes() const { return m_r.size(); }

 private:
  using Values = std::vector<std::uint64_t>;

  int lane(int thread, int vector_lane) const { return thread * m_lanes + vector_lane; }
  std::uint64_t& reg(int lane, int k) {
    return m_r[static_cast<std::size_t>(lane)][static_cast<std::size_t>(k)];
  }

  // ---- what orders
  // --------------------------------------------------------------------------------------------------
  void collective() {
    if (m_sync == Sync::cuda) m_ledger.team_meeting();
  }
  void thread_meets(int thread) {
    if (m_sync == Sync::cuda) m_ledger.thread_meeting(thread);
  }
  void all_threads_meet() {
    for (int t = 0; t < m_threads; ++t) thread_meets(t);
  }

  // ---- leaves
  // -------------------------------------------------------------------------------------------------------
  std::uint64_t value(Leaf const& leaf, std::uint64_t x, int l) {
    std::uint64_t v =
        fresh_value(leaf, x, static_cast<std::uint64_t>(m_league), static_cast<std::uint64_t>(l / m_lanes));
    for (Access const& from : leaf.from)
      if (from.array >= 0)
        v = take_in(v, m_ledger.read(from.array, element(from, m_ledger.size(from.array), x), l, m_league));
    if (leaf.from_register >= 0) v = take_in(v, reg(l, leaf.from_register));
    return v;
  }
  void store(Leaf const& leaf, std::uint64_t x, int l, std::uint64_t v) {
    if (leaf.to.array < 0) return;
    int const a = leaf.to.array;
    std::uint64_t const place = element(leaf.to, m_ledger.size(a), x);
    int const league = m_league + static_cast<int>(leaf.next_team);
    if (leaf.atomic == AtomicOperation::none) {
      m_ledger.write(a, place, l, league, v);
    } else if (leaf.torn) {
      std::uint64_t const old = m_ledger.read(a, place, l, league);
      m_ledger.write(a, place, l, league, updated(leaf.atomic, old, m_ledger.narrowed(a, v)));
    } else {
      m_ledger.update(a, place, l, league, leaf.atomic, v);
    }
  }
  void item(Leaf const& leaf, std::uint64_t x, int l) { store(leaf, x, l, value(leaf, x, l)); }

  // ---- ranges
  // -------------------------------------------------------------------------------------------------------
  /// Calls body(x, thread, lane or -1) for a multi-dimensional nest: which dimension goes over threads and
  /// lanes is CUDA's choice. `own`: the thread, where threads are not spread.
  template <class Body>
  void nest(Operation const& o, bool over_threads, bool over_lanes, int own, Body const& body) {
    int const last = o.rank - 1;
    bool const right = o.order == Order::right, left = o.order == Order::left;
    int const lane_dimension = !over_lanes ? -1 : left ? 0 : last;
    int const thread_dimension = !over_threads ? -1
                                 : left        ? (over_lanes ? 1 : 0)
                                 : over_lanes  ? last - 1
                                               : last;
    std::vector<int> loops;  // outermost first
    for (int d = 0; d <= last; ++d) loops.push_back(right ? d : last - d);
    int const begin = over_threads ? 0 : own, end = over_threads ? m_threads : own + 1;
    for (int t = begin; t < end; ++t) {
      int index[4] = {0, 0, 0, 0};
      std::vector<int> inner;  // loops inside the one over lanes
      auto const run_inner = [&](auto const& self, std::size_t depth, int vector_lane) -> void {
        if (depth == loops.size()) {
          std::uint64_t x = 0;
          for (int d = 0; d <= last; ++d)
            x = x * static_cast<std::uint64_t>(o.extents[d]) + static_cast<std::uint64_t>(index[d]);
          body(x, t, vector_lane);
          return;
        }
        int const d = loops[depth];
        if (d == lane_dimension) {
          for (int v = 0; v < m_lanes; ++v)
            for (index[d] = v; index[d] < o.extents[d]; index[d] += m_lanes) self(self, depth + 1, v);
          thread_meets(t);
        } else {
          int const first = d == thread_dimension ? t : 0, step = d == thread_dimension ? m_threads : 1;
          for (int i = first; i < o.extents[d]; i += step) {
            index[d] = i;
            self(self, depth + 1, vector_lane);
          }
        }
      };
      run_inner(run_inner, 0, -1);
    }
  }

  void set_all(int k, std::uint64_t v) {
    for (auto& r : m_r) r[static_cast<std::size_t>(k)] = v;
  }
  void set_thread(int t, int k, std::uint64_t v) {
    for (int x = 0; x < m_lanes; ++x) reg(lane(t, x), k) = v;
  }

  void each_lane_of(int t, auto const& body) {
    for (int v = 0; v < m_lanes; ++v) body(lane(t, v));
  }

  // ---- constructs that the team reaches
  // -----------------------------------------------------------------------------
  void statement(Statement const& s) {
    switch (s.kind) {
      case Kind::barrier:
        if (s.without_thread >= 0 && s.without_thread < m_threads && m_threads > 1)
          diverge(Rule::barrier_divergence);
        m_ledger.team_meeting();
        return;
      case Kind::team_vector_for:
        for (int i = 0; i < s.count; ++i)
          item(s.leaf, static_cast<std::uint64_t>(i), i % (m_threads * m_lanes));
        return;
      case Kind::team_vector_md_for:
        nest(s, true, true, 0, [&](std::uint64_t x, int t, int v) { item(s.leaf, x, lane(t, v)); });
        return;
      case Kind::team_thread_for:
        for (int i = 0; i < s.count; ++i) thread_body(s.body, i % m_threads, i);
        return;
      case Kind::team_thread_md_for:
        nest(s, true, false, 0,
             [&](std::uint64_t x, int t, int) { thread_body(s.body, t, static_cast<int>(x)); });
        return;
      case Kind::each_thread:
        for (int t = 0; t < m_threads; ++t) thread_body(s.body, t, t);
        return;
      case Kind::team_thread_reduce: {
        Fold fold(s.reduction);
        for (int i = 0; i < s.count; ++i) {
          int const t = i % m_threads;
          thread_body(s.body, t, i);
          contribute(s.leaf, fold, i, t);
        }
        collective();
        set_all(s.result, fold.result());
        return;
      }
      case Kind::team_thread_md_reduce: {
        Fold fold(Reduction::sum);
        nest(s, true, false, 0,
             [&](std::uint64_t x, int t, int) { contribute(s.leaf, fold, static_cast<int>(x), t); });
        collective();
        set_all(s.result, fold.result());
        return;
      }
      case Kind::team_vector_reduce: {
        Fold fold(s.reduction);
        for (int i = 0; i < s.count; ++i)
          fold.add(value(s.leaf, static_cast<std::uint64_t>(i), i % (m_threads * m_lanes)), i);
        collective();
        set_all(s.result, fold.result());
        return;
      }
      case Kind::team_vector_md_reduce: {
        Fold fold(Reduction::sum);
        nest(s, true, true, 0, [&](std::uint64_t x, int t, int v) {
          fold.add(value(s.leaf, x, lane(t, v)), static_cast<std::int64_t>(x));
        });
        collective();
        set_all(s.result, fold.result());
        return;
      }
      case Kind::team_thread_scan:
        team_thread_scan(s);
        return;
      case Kind::single_team:
        single_team(s);
        return;
      case Kind::single_team_value: {
        set_team_value(s, value(s.leaf, 0, 0));
        return;
      }
      case Kind::team_broadcast: {
        std::uint64_t const v = reg(lane(s.source % m_threads, 0), s.result);
        collective();
        set_all(s.result, s.exclusive ? mix(v) : v);
        return;
      }
      case Kind::team_reduce: {
        Fold fold(s.reduction);
        for (int t = 0; t < m_threads; ++t) fold.add(reg(lane(t, 0), s.result), t);
        collective();
        set_all(s.result, fold.result());
        return;
      }
      case Kind::team_scan: {
        std::uint64_t sum = 0;
        for (int t = 0; t < m_threads; ++t) {
          std::uint64_t const own = reg(lane(t, 0), s.result);
          set_thread(t, s.result, sum);
          sum += own;
        }
        collective();
        return;
      }
      case Kind::repeat:
        for (int i = 0; i < s.count; ++i) run(s.body);
        return;
      case Kind::thread_vector_for:
      case Kind::thread_vector_md_for:
      case Kind::thread_vector_reduce:
      case Kind::thread_vector_md_reduce:
      case Kind::thread_vector_scan:
      case Kind::single_thread:
      case Kind::single_thread_value:
      case Kind::vector_reduce:
      case Kind::every_lane:
      case Kind::range_for:
      case Kind::range_reduce:
      case Kind::range_scan:
      case Kind::md_range_for:
      case Kind::md_range_reduce:
        return;  // not reached by a team
    }
  }

  void diverge(Rule rule) {
    m_verdict.certain.insert({rule, -1});
    m_verdict.anything = true;
  }

  /// All vector lanes of the thread run the body; lane 0 counts.
  void contribute(Leaf const& leaf, Fold& fold, int i, int t) {
    each_lane_of(t, [&](int l) {
      std::uint64_t const v = value(leaf, static_cast<std::uint64_t>(i), l);
      if (l % m_lanes == 0) fold.add(v, i);
    });
  }

  void team_thread_scan(Statement const& s) {
    std::uint64_t sum = 0;
    for (int chunk = 0; chunk < s.count; chunk += m_threads) {
      int const end = std::min(s.count, chunk + m_threads);
      for (int i = chunk; i < end; ++i)
        each_lane_of(i - chunk, [&](int l) { value(s.leaf, static_cast<std::uint64_t>(i), l); });
      collective();
      for (int i = chunk; i < end; ++i) {
        std::uint64_t own = 0;
        each_lane_of(i - chunk, [&](int l) {
          own = value(s.leaf, static_cast<std::uint64_t>(i), l);
          store(s.leaf, static_cast<std::uint64_t>(i), l, s.exclusive ? sum : sum + own);
        });
        sum += own;
      }
      collective();
    }
    set_all(s.result, sum);
  }

  void single_team(Statement const& s) {
    if (s.barrier_inside) diverge(Rule::nesting);
    for (int l = 0; l < static_cast<int>(m_r.size()); ++l)
      if (s.on_every_lane || (s.on_every_thread ? l % m_lanes == 0 : l == 0)) item(s.leaf, 0, l);
    if (!s.on_every_lane) all_threads_meet();
  }

  void set_team_value(Statement const& s, std::uint64_t v) {
    collective();
    set_all(s.result, v);
  }

  // ---- constructs that a thread reaches
  // -----------------------------------------------------------------------------
  void thread_body(std::vector<Statement> const& body, int t, int i) {
    for (Statement const& s : body) thread_statement(s, t, i);
  }

  void thread_statement(Statement const& s, int t, int i) {
    auto const at = [&](int j) {
      return static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(s.count) +
             static_cast<std::uint64_t>(j);
    };
    auto const x = static_cast<std::uint64_t>(i);
    switch (s.kind) {
      case Kind::thread_vector_for:
        for (int j = 0; j < s.count; ++j) item(s.leaf, at(j), lane(t, j % m_lanes));
        thread_meets(t);
        return;
      case Kind::thread_vector_md_for:
        nest(s, false, true, t,
             [&](std::uint64_t j, int, int v) { item(s.leaf, at(static_cast<int>(j)), lane(t, v)); });
        return;
      case Kind::thread_vector_reduce: {
        Fold fold(s.reduction);
        for (int j = 0; j < s.count; ++j) fold.add(value(s.leaf, at(j), lane(t, j % m_lanes)), j);
        if (m_lanes > 1) thread_meets(t);
        set_thread(t, s.result, fold.result());
        return;
      }
      case Kind::thread_vector_md_reduce: {
        Fold fold(Reduction::sum);
        nest(s, false, true, t, [&](std::uint64_t j, int, int v) {
          fold.add(value(s.leaf, at(static_cast<int>(j)), lane(t, v)), static_cast<std::int64_t>(j));
        });
        thread_meets(t);
        set_thread(t, s.result, fold.result());
        return;
      }
      case Kind::thread_vector_scan:
        thread_vector_scan(s, t, i);
        return;
      case Kind::single_thread:
        each_lane_of(t, [&](int l) {
          if (s.on_every_lane || l % m_lanes == 0) item(s.leaf, x, l);
        });
        if (!s.on_every_lane) thread_meets(t);
        return;
      case Kind::single_thread_value: {
        std::uint64_t const v = value(s.leaf, x, lane(t, 0));
        thread_meets(t);
        set_thread(t, s.result, v);
        return;
      }
      case Kind::vector_reduce: {
        Fold fold(s.reduction);
        for (int v = 0; v < m_lanes; ++v) fold.add(reg(lane(t, v), s.result), v);
        thread_meets(t);
        set_thread(t, s.result, fold.result());
        return;
      }
      case Kind::every_lane:
        each_lane_of(t, [&](int l) { item(s.leaf, x, l); });
        return;
      case Kind::barrier:
      case Kind::team_vector_for:
      case Kind::team_vector_md_for:
      case Kind::team_thread_for:
      case Kind::team_thread_md_for:
      case Kind::each_thread:
      case Kind::team_thread_reduce:
      case Kind::team_thread_md_reduce:
      case Kind::team_vector_reduce:
      case Kind::team_vector_md_reduce:
      case Kind::team_thread_scan:
      case Kind::single_team:
      case Kind::single_team_value:
      case Kind::team_broadcast:
      case Kind::team_reduce:
      case Kind::team_scan:
      case Kind::repeat:
      case Kind::range_for:
      case Kind::range_reduce:
      case Kind::range_scan:
      case Kind::md_range_for:
      case Kind::md_range_reduce:
        return;  // not reached by a thread
    }
  }

  /// In the first pass over a chunk a lane runs the body for the index of the lane before it.
  void thread_vector_scan(Statement const& s, int t, int i) {
    auto const at = [&](int j) {
      return static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(s.count) +
             static_cast<std::uint64_t>(j);
    };
    std::uint64_t sum = 0;
    for (int chunk = 0; chunk < s.count; chunk += m_lanes) {
      for (int v = 1; v < m_lanes; ++v)
        if (chunk + v - 1 < s.count) value(s.leaf, at(chunk + v - 1), lane(t, v));
      thread_meets(t);
      for (int v = 0; v < m_lanes && chunk + v < s.count; ++v) {
        std::uint64_t const own = value(s.leaf, at(chunk + v), lane(t, v));
        store(s.leaf, at(chunk + v), lane(t, v), s.exclusive ? sum : sum + own);
        sum += own;
      }
      thread_meets(t);
    }
    set_thread(t, s.result, sum);
  }

  int const m_threads, m_lanes, m_league;
  Sync const m_sync;
  Ledger& m_ledger;
  Verdict& m_verdict;
  std::vector<std::array<std::uint64_t, registers>> m_r;
};

}  // namespace

std::vector<std::uint64_t> walk_team(Kernel const& kernel, int league, Sync sync, Ledger& ledger, Verdict& verdict) {
  TeamWalk walk(kernel, league, sync, ledger, verdict);
  walk.run(kernel.body);
  std::vector<std::uint64_t> digests;
  for (std::size_t lane = 0; lane < walk.lanes(); ++lane) digests.push_back(walk.digest_of(lane));
  return digests;
}

}  // namespace property
