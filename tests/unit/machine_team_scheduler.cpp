// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which teams begin when, in which slots, and when it is said that none gets on: TeamScheduler alone, with teams that do
/// nothing but wait for one another.
#include "../../sim/base/ScratchSlots.hpp"
#include "../../sim/machine/TeamScheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <utility>

using teamsan::TeamScheduler;
namespace arena = teamsan::arena;
namespace scratch_slots = teamsan::scratch_slots;

namespace {

constexpr std::uint64_t one_turn = 200'000, patience = 2'000'000;

TeamScheduler::Rules rules_of(std::uint64_t league, std::uint64_t resident, unsigned workers) {
  TeamScheduler::Rules rules;
  rules.league_size = league;
  rules.resident = resident;
  rules.workers = workers;
  rules.spin_limit = patience;
  return rules;
}

/// Workers take turns as the random numbers have it. A team is done in the turn in which `awaited(rank)`'s teams have
/// begun, or are done.
class Simulation {
 public:
  struct Team {
    TeamScheduler::Place place;
    std::uint64_t spun;
  };
  struct Awaited {
    std::vector<std::uint64_t> ranks;
    bool done;  ///< they must be done; otherwise it is enough that they have begun
  };

  Simulation(TeamScheduler::Rules const& rules, std::function<Awaited(std::uint64_t)> awaited, unsigned seed)
      : m_rules(rules), m_scheduler(rules), m_workers(rules.workers), m_awaited(std::move(awaited)), m_random(seed) {}

  /// The first team has ended; workers take the others in runs.
  void hand_out_runs() {
    Team first{{}, 0};
    BOOST_TEST((m_scheduler.claim(first.place, {}, 0) == TeamScheduler::Claim::team));
    begin(first);
    end(first, 0, {});
    m_scheduler.hand_out_runs();
    m_in_runs = m_scheduler.reorders();
  }

  void run() {
    std::uint64_t const most_steps = 10'000 + 2'000 * m_rules.league_size * m_rules.workers;
    for (std::uint64_t step = 0; step != most_steps; ++step) {
      std::vector<unsigned> running;
      for (unsigned w = 0; w != m_workers.size(); ++w)
        if (!m_workers[w].gone) running.push_back(w);
      if (running.empty()) return;
      turn_of(running[m_random() % running.size()]);
    }
    BOOST_FAIL("the workers do not come to an end");
  }

  std::set<std::uint64_t> const& begun() const { return m_begun; }
  std::vector<std::uint64_t> const& in_order() const { return m_in_order; }
  std::uint64_t given_up() const { return m_given_up; }
  std::size_t most_in_flight() const { return m_most_in_flight; }
  bool went_on_alone() const { return m_scheduler.goes_on_alone(); }

 private:
  struct Worker {
    std::uint64_t latest = 0;
    std::vector<Team> spinning;
    TeamScheduler::Watch watch;
    std::size_t turn = 0;
    bool gone = false;
  };

  bool gets_on(std::uint64_t rank) const {
    Awaited const awaited = m_awaited(rank);
    return std::all_of(awaited.ranks.begin(), awaited.ranks.end(), [&](std::uint64_t other) {
      return awaited.done ? m_done.contains(other) : m_begun.contains(other);
    });
  }
  std::size_t in_flight() const { return m_begun.size() - m_done.size(); }
  static TeamScheduler::Spinning patience_of(Worker const& w) {
    TeamScheduler::Spinning s{w.spinning.size(), 0};
    for (Team const& t : w.spinning) s.least_spun = s.least_spun == 0 ? t.spun : std::min(s.least_spun, t.spun);
    return s;
  }
  void end(Team const& team, unsigned number, std::vector<Team> const& others) {
    m_scheduler.free_slot(team.place.slot);
    std::uint64_t first = TeamScheduler::no_team;
    for (Team const& t : others)
      if (t.place.rank != team.place.rank) first = std::min(first, t.place.rank);
    m_scheduler.note_first(number, first);
    m_scheduler.done(number);
    m_slots.erase(team.place.slot);
    m_done.insert(team.place.rank);
  }

  void begin(Team const& team) {
    BOOST_TEST(m_begun.insert(team.place.rank).second);
    BOOST_TEST(m_slots.insert(team.place.slot).second);
    // In runs teams far behind may be under way while those before them begin.
    std::uint64_t const more = m_in_runs || m_scheduler.goes_on_alone() ? TeamScheduler::group : 0;
    if (!scratch_slots::is_in_turn(team.place.slot)) BOOST_TEST(in_flight() <= m_rules.resident + more);
    m_in_order.push_back(team.place.rank);
    m_most_in_flight = std::max(m_most_in_flight, in_flight());
  }

  void turn_of(unsigned number) {
    Worker& w = m_workers[number];
    Team fresh{{}, one_turn};
    switch (m_scheduler.claim(fresh.place, patience_of(w), number)) {
      case TeamScheduler::Claim::team:
        begin(fresh);
        if (m_in_runs && !m_scheduler.goes_on_alone())
          BOOST_TEST(fresh.place.rank > std::exchange(w.latest, fresh.place.rank));
        if (gets_on(fresh.place.rank)) {
          end(fresh, number, w.spinning);
        } else {
          w.spinning.push_back(fresh);
          m_scheduler.waits_for_others(number);
        }
        break;
      case TeamScheduler::Claim::busy: break;
      case TeamScheduler::Claim::none:
        BOOST_TEST((m_in_runs || m_scheduler.goes_on_alone() || m_begun.size() == m_rules.league_size));
        w.gone = w.spinning.empty();
        break;
    }
    if (w.spinning.empty()) return;
    w.turn = (w.turn + 1) % w.spinning.size();
    Team& team = w.spinning[w.turn];
    bool finished = gets_on(team.place.rank);
    team.spun = finished ? 0 : team.spun + one_turn;
    if (m_scheduler.hopeless(number, finished, patience_of(w), w.watch)) {
      check_that_nobody_gets_on();
      ++m_given_up;
      finished = true;
    }
    if (!finished) return;
    m_scheduler.got_on(number);
    end(team, number, w.spinning);
    w.spinning.erase(w.spinning.begin() + static_cast<std::ptrdiff_t>(w.turn));
    // Each of the others may have been waited for.
    for (Worker& other : m_workers)
      for (Team& t : other.spinning)
        if (gets_on(t.place.rank)) t.spun = 0;
  }

  void check_that_nobody_gets_on() const {
    for (Worker const& w : m_workers)
      for (Team const& team : w.spinning) BOOST_TEST(!gets_on(team.place.rank));
    bool const full = in_flight() >= std::max<std::uint64_t>(m_rules.resident, TeamScheduler::group);
    BOOST_TEST((full || m_begun.size() == m_rules.league_size));
  }

  TeamScheduler::Rules m_rules;
  TeamScheduler m_scheduler;
  std::vector<Worker> m_workers;
  std::function<Awaited(std::uint64_t)> m_awaited;
  std::mt19937 m_random;
  std::set<std::uint64_t> m_begun, m_done;
  std::set<std::uint32_t> m_slots;
  std::vector<std::uint64_t> m_in_order;
  std::uint64_t m_given_up = 0;
  std::size_t m_most_in_flight = 0;
  bool m_in_runs = false;
};

Simulation::Awaited nobody(std::uint64_t) { return {{}, true}; }

}  // namespace

BOOST_AUTO_TEST_CASE(teams_begin_once_each_in_league_order) {
  for (std::uint64_t const league : {1u, 5u, 32u, 33u, 200u})
    for (unsigned const workers : {1u, 2u, 7u}) {
      Simulation s(rules_of(league, 2048, workers), nobody, workers);
      s.run();
      BOOST_TEST(s.begun().size() == league);
      BOOST_TEST(std::is_sorted(s.in_order().begin(), s.in_order().end()));
      BOOST_TEST(s.given_up() == 0u);
    }
}

BOOST_AUTO_TEST_CASE(so_many_run_at_a_time_as_have_slots_and_room_whoever_asks) {
  for (std::uint64_t const resident : {1u, 32u, 40u, 128u, 2048u}) {
    TeamScheduler scheduler(rules_of(1000, resident, 2));
    std::uint64_t const most = std::clamp<std::uint64_t>(resident, TeamScheduler::group, scratch_slots::in_turn());
    TeamScheduler::Place first{}, place{};
    for (std::uint64_t rank = 0; rank != most; ++rank) {
      BOOST_REQUIRE((scheduler.claim(rank == 0 ? first : place, {}, rank % 2) == TeamScheduler::Claim::team));
      BOOST_TEST((rank == 0 ? first : place).rank == rank);
    }
    BOOST_TEST((scheduler.claim(place, {}, 0) == TeamScheduler::Claim::busy));
    scheduler.free_slot(first.slot);
    scheduler.done(0);
    BOOST_REQUIRE((scheduler.claim(place, {}, 1) == TeamScheduler::Claim::team));
    BOOST_TEST(place.rank == most);
  }
}

BOOST_AUTO_TEST_CASE(another_order_changes_each_group_within_itself) {
  std::mt19937 random(3);
  for (std::uint64_t const league : {1u, 31u, 32u, 40u, 100u}) {
    TeamScheduler::Rules rules = rules_of(league, 2048, 1);
    rules.order.resize(TeamScheduler::group);
    std::iota(rules.order.begin(), rules.order.end(), 0u);
    std::shuffle(rules.order.begin(), rules.order.end(), random);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t group = 0; group < league; group += TeamScheduler::group)
      for (std::uint32_t const r : rules.order)
        if (group + r < league) expected.push_back(group + r);
    Simulation s(rules, nobody, 1);
    s.run();
    BOOST_TEST(s.in_order() == expected, boost::test_tools::per_element());
    BOOST_TEST(TeamScheduler(rules).reorders());
  }
}

BOOST_AUTO_TEST_CASE(a_barrier_of_all_teams_passes_if_a_gpu_has_room_for_them) {
  for (std::uint64_t const league : {20u, 64u, 64u + 86u / FEWER_STEPS})
    for (unsigned const workers : {1u, 3u}) {
      auto const all = [&](std::uint64_t) {
        std::vector<std::uint64_t> ranks(league);
        std::iota(ranks.begin(), ranks.end(), std::uint64_t{0});
        return Simulation::Awaited{ranks, false};
      };
      Simulation fits(rules_of(league, 150, workers), all, workers);
      fits.run();
      BOOST_TEST(fits.given_up() == 0u);
      BOOST_TEST(fits.most_in_flight() == league);
      if (league < 64) continue;
      Simulation does_not(rules_of(league, league - 1, workers), all, workers);
      does_not.run();
      BOOST_TEST(does_not.given_up() != 0u);
      BOOST_TEST(does_not.begun().size() == league);  // those given up make room
    }
}

/// Whatever waits for whatever: who is given up could not have got on, and who could is not given up.
void check_who_is_given_up(bool runs, bool alone = false) {
  std::uint64_t given_up = 0;
  for (unsigned seed = 1; seed != 60; ++seed) {
    std::mt19937 random(seed);
    std::uint64_t const league = 1 + random() % 120;
    bool const forward_only = seed % 3 == 0;
    std::vector<Simulation::Awaited> awaited(league);
    for (std::uint64_t rank = 0; rank != league; ++rank) {
      awaited[rank].done = random() % 2;
      for (unsigned n = random() % 3; n != 0; --n) {
        std::uint64_t const other = random() % (forward_only ? rank + 1 : league);
        if (other != rank) awaited[rank].ranks.push_back(other);
      }
    }
    TeamScheduler::Rules rules = rules_of(league, 32 + random() % 100, 1 + seed % 4);
    rules.may_go_on_alone = alone;
    Simulation s(rules, [&](std::uint64_t r) { return awaited[r]; }, seed);
    if (runs) s.hand_out_runs();
    s.run();
    BOOST_TEST(s.begun().size() == league);
    if (forward_only) BOOST_TEST(s.given_up() == 0u);
    given_up += s.given_up();
  }
  BOOST_TEST(given_up != 0u);
}

BOOST_AUTO_TEST_CASE(only_teams_that_nobody_helps_are_given_up) { check_who_is_given_up(false); }
BOOST_AUTO_TEST_CASE(in_runs_only_teams_that_nobody_helps_are_given_up) { check_who_is_given_up(true); }
BOOST_AUTO_TEST_CASE(nor_are_others_where_one_worker_may_go_on_alone) {
  check_who_is_given_up(false, true);
  check_who_is_given_up(true, true);
}

BOOST_AUTO_TEST_CASE(workers_that_wait_for_each_other_again_and_again_leave_the_rest_to_one) {
  constexpr std::uint64_t league = 400;
  auto const chain = [](std::uint64_t rank) {
    return rank == 0 ? nobody(rank) : Simulation::Awaited{{rank - 1}, true};
  };
  auto const first = [](std::uint64_t rank) { return rank == 0 ? nobody(rank) : Simulation::Awaited{{0}, true}; };
  for (unsigned const workers : {2u, 7u, 16u})
    for (bool const runs : {false, true}) {
      TeamScheduler::Rules rules = rules_of(league, 2048, workers);
      rules.may_go_on_alone = true;
      Simulation waits(rules, chain, workers);
      if (runs) waits.hand_out_runs();
      waits.run();
      BOOST_TEST(waits.begun().size() == league);
      BOOST_TEST(waits.given_up() == 0u);
      BOOST_TEST(waits.went_on_alone() == runs);  // one by one, and in turns, each finds the one before it done
      // All wait for what one team does for them: once.
      Simulation once(rules, first, workers);
      if (runs) once.hand_out_runs();
      once.run();
      BOOST_TEST(once.begun().size() == league);
      BOOST_TEST(!once.went_on_alone());
      rules.may_go_on_alone = false;
      Simulation may_not(rules, chain, workers);
      if (runs) may_not.hand_out_runs();
      may_not.run();
      BOOST_TEST(!may_not.went_on_alone());
    }
}

BOOST_AUTO_TEST_CASE(groups_of_teams_that_wait_for_each_other_pass_in_runs) {
  for (unsigned seed = 1; seed <= 1 + 6 / FEWER_STEPS; ++seed) {
    auto const group = [&](std::uint64_t rank) {
      std::vector<std::uint64_t> ranks(64);
      std::iota(ranks.begin(), ranks.end(), rank / 64 * 64);
      return Simulation::Awaited{ranks, false};
    };
    Simulation s(rules_of(64 * 20, 256, 2), [&](std::uint64_t r) { return r == 0 ? nobody(r) : group(r); }, seed);
    s.hand_out_runs();
    s.run();
    BOOST_TEST(s.given_up() == 0u);
    BOOST_TEST(s.begun().size() == 64u * 20);
  }
}

BOOST_AUTO_TEST_CASE(a_worker_begins_teams_side_by_side_in_runs) {
  for (unsigned const workers : {2u, 3u, 16u}) {
    constexpr std::uint64_t league = 3000;
    Simulation s(rules_of(league, 2048, workers), nobody, workers);
    s.hand_out_runs();
    s.run();
    BOOST_TEST(s.begun().size() == league);
  }
  // One worker asks: its runs are whole, and each is at most its share of what is left.
  TeamScheduler scheduler(rules_of(1000, 2048, 2));
  TeamScheduler::Place place;
  BOOST_TEST((scheduler.claim(place, {}, 0) == TeamScheduler::Claim::team));
  scheduler.hand_out_runs();
  BOOST_TEST((scheduler.claim(place, {}, 0) == TeamScheduler::Claim::team));
  BOOST_TEST(place.rank == 1u);
  BOOST_TEST((scheduler.claim(place, {}, 1) == TeamScheduler::Claim::team));
  std::uint64_t const behind = place.rank;
  BOOST_TEST(behind > 2u);
  BOOST_TEST(behind <= 1 + 999u / 4);
  for (std::uint64_t rank = 2; rank != behind; ++rank) {
    BOOST_TEST((scheduler.claim(place, {}, 0) == TeamScheduler::Claim::team));
    BOOST_TEST(place.rank == rank);
  }
  BOOST_TEST((scheduler.claim(place, {}, 0) == TeamScheduler::Claim::team));
  BOOST_TEST(place.rank > behind + 1);
  TeamScheduler alone(rules_of(100, 2048, 1));
  alone.hand_out_runs();
  BOOST_TEST(!alone.reorders());
}

void check_slots(bool runs) {
  constexpr unsigned workers = 3;
  constexpr std::uint64_t league = 20'000;
  TeamScheduler scheduler(rules_of(league, 2048, workers));
  if (runs) scheduler.hand_out_runs();
  std::vector<std::atomic<unsigned>> begun(league), in_slot(arena::all_scratch_slots);
  std::atomic<unsigned> shared_slots{0};
  auto const work = [&](unsigned number) {
    TeamScheduler::Place place;
    for (;;) {
      switch (scheduler.claim(place, {}, number)) {
        case TeamScheduler::Claim::none: return;
        case TeamScheduler::Claim::busy: std::this_thread::yield(); continue;
        case TeamScheduler::Claim::team: break;
      }
      ++begun[place.rank];
      if (in_slot[place.slot]++ != 0) ++shared_slots;
      --in_slot[place.slot];
      scheduler.free_slot(place.slot);
      scheduler.done(number);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != workers; ++i) threads.emplace_back(work, i);
  for (std::thread& t : threads) t.join();
  BOOST_TEST(shared_slots == 0u);
  BOOST_TEST(std::all_of(begun.begin(), begun.end(), [](auto const& n) { return n == 1; }));
}

BOOST_AUTO_TEST_CASE(a_slot_is_one_teams_at_a_time_whatever_threads_do) {
  check_slots(false);
  check_slots(true);
}
