// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "League.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Commit.hpp"
#include "DecidedLaunch.hpp"
#include "Interrupt.hpp"
#include "LaneOrder.hpp"
#include "LaunchEvents.hpp"
#include "LaunchThreads.hpp"
#include "RememberedLaunches.hpp"
#include "TeamScheduler.hpp"
#include "WaitingWorker.hpp"
#include "Worker.hpp"
#include "../memory/DeviceWrites.hpp"
#include "../memory/FlatTable.hpp"

#include "../../model/device/Device.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

ThreadHooks thread_hooks;

/// The teams of one launch on the workers.
class League {
 public:
  League(LaunchState& launch, Expected expected)
      : m_launch(launch),
        m_commit(launch),
        m_scheduler(rules_for(launch, expected)),
        m_threads(expected == Expected::short_time) {
    launch.commit = &m_commit;
    launch.workers = workers_for(launch, expected);
  }

  void run() {
    RunningLaunch const running(m_launch, m_commit);
    if (run_blocks()) return m_commit.finish();
    // What arithmetic decides is pending by rows whose instructions the first team tells, as a team.
    m_launch.is_flat = m_launch.fits_flat && !(m_launch.has_company && m_launch.may_be_decided);
    if (!m_launch.has_company && run_remembered()) return m_commit.finish();
    bool const may_turn_flat = !m_launch.is_flat;
    bool const asks_first_team = m_launch.flat != nullptr && (may_turn_flat || m_launch.may_be_decided);
    RunningTeam* const scout = asks_first_team ? run_first_team() : nullptr;
    if (run_decided()) return m_commit.finish();
    std::uint64_t const size = m_launch.facts.config.league_size;
    std::uint64_t const at_once = m_launch.is_flat ? size : std::min<std::uint64_t>(size, LaunchThreads::most_for_teams);
    unsigned const workers = static_cast<unsigned>(std::min<std::uint64_t>(m_launch.workers, at_once));
    if (m_launch.is_flat && workers > 1) m_scheduler.hand_out_runs();
    if (m_launch.is_flat && (workers > 1 || m_launch.has_company)) m_holds.emplace(m_launch.facts.number, workers);
    events::teams_begin(m_launch);
    run_on_threads(workers, scout);
    m_launch.waits_in_vain = m_launch.waits_in_vain || m_scheduler.goes_on_alone();
    m_commit.finish();
  }

 private:
  /// `first` stays on this thread.
  void run_on_threads(unsigned workers, RunningTeam* first) {
    if (workers <= 1) return work(first);
    m_threads.run(
        workers, [&] { work(first); }, [&] { work(); });
  }

  /// Nothing is checked, and lanes are the kernel's own loop: teams by the dozen. False: it is no such kernel.
  bool run_blocks() {
    LaunchState const& l = m_launch;
    bool const in_order = l.order == nullptr && options().team_order == "ascending" && l.script == nullptr;
    if (l.is_checked() || !in_order || !l.plain.run_together(l.kernel)) return false;
    std::uint64_t const size = l.facts.config.league_size;
    constexpr std::uint64_t longest_run = 64, runs_each = 4;
    m_run = std::clamp<std::uint64_t>(size / (runs_each * m_launch.workers), 1, longest_run);
    run_on_threads(static_cast<unsigned>(std::min<std::uint64_t>(m_launch.workers, (size + m_run - 1) / m_run)), nullptr);
    return true;
  }
  /// It is like an earlier one, which arithmetic has decided: not even its first team need be checked. Of reductions that one
  /// is looked at in other ways: while others run, if it was clean each time.
  bool run_remembered() {
    LaunchState const& l = m_launch;
    LaunchConfig const& c = l.facts.config;
    bool const reduces = c.pattern == Pattern::parallel_reduce;
    if (l.remembered == nullptr || !l.remembered->any() || (c.pattern != Pattern::parallel_for && !reduces)) return false;
    if (reduces && (!l.remembered->first_teams_were_clean() || c.league_size == 1)) return false;
    LaneRows const* const rows = l.remembered->find(l.kernel, c.indices, l.context);
    if (rows == nullptr || (reduces && rows->hang_on_order())) return false;
    auto const decided = DecidedLaunch::of(*rows, m_launch.why_checked);
    if (!decided) return false;
    m_looks_at_first = reduces;
    run_decided(*rows, *decided, 0);
    return true;
  }
  /// The first team was checked; arithmetic clears all others, flat or not (bytes and other parts of words). False: it does
  /// not.
  bool run_decided() {
    if (!m_decided) return false;
    if (m_launch.remembered != nullptr) m_launch.remembered->note_first_team(m_first_was_clean);
    if (!m_first_was_clean) {
      m_launch.why_checked = {"its first block did what is looked at more closely"};
      return false;
    }
    if (!events::runs_unseen(m_launch, m_decided->rows)) {
      m_launch.why_checked = {"of several instances, it may meet what is pending in another one, or not all of its is known"};
      return false;
    }
    run_decided(m_decided->rows, m_decided->decided, 1);
    return true;
  }
  /// All teams from that one on; those of which accesses are counted are checked, the others are not.
  void run_decided(LaneRows const& rows, DecidedLaunch const& decided, std::uint64_t first) {
    LaunchState& l = m_launch;
    LaunchConfig const& c = l.facts.config;
    l.is_decided = true;
    if (m_looks_at_first) first = 1;
    std::uint64_t indices = 1;
    for (unsigned d = 0; d != c.indices.rank; ++d) indices *= c.indices.count[d];
    std::uint64_t const of_team = std::max<std::uint64_t>(1, indices / c.league_size);  // a sum's has very many
    // What sums come to may hang on the order of what is added, which among several workers is anyone's.
    bool const in_order = rows.hang_on_order() && l.workers == 1;
    std::uint64_t next = first;
    constexpr std::uint64_t few = 4096;  // with more, those that are counted would take longer than all others
    if (l.weight != nullptr && (first == 0 || of_team <= few)) {
      if (thread_hooks.begin) thread_hooks.begin();
      Worker& worker = Worker::of_this_thread();
      std::uint64_t const quarter = c.league_size / 4;
      for (std::uint64_t const rank : {std::uint64_t{0}, quarter, c.league_size / 2, quarter * 3, c.league_size - 1})
        if (rank >= next && LaunchWeight::counts(rank, c.league_size)) {
          if (next != rank) m_commit.pass_over(next, rank);
          if (in_order) run_blocks_from(worker, 0, next, rank);
          run_counted(worker, rank);
          m_apart.push_back(rank);
          next = rank + 1;
        }
      if (thread_hooks.end) thread_hooks.end();
    }
    if (next != c.league_size) m_commit.pass_over(next, c.league_size);
    constexpr std::uint64_t longest_run = 256, shortest_run = 4096, runs_each = 4;  // teams; indices
    std::uint64_t const shortest = std::clamp<std::uint64_t>(shortest_run / of_team, 1, 16);
    m_next_block = in_order ? next : first;
    m_run = std::clamp<std::uint64_t>(c.league_size / (runs_each * l.workers), shortest, longest_run);
    std::uint64_t const runs = (c.league_size + m_run - 1) / m_run;
    run_on_threads(static_cast<unsigned>(std::min<std::uint64_t>(l.workers, runs)), nullptr);
    decided.leave();
    for (LaneRows::Row const& r : rows.rows())
      if (r.stores) device_writes::note(r.begin, r.end);
  }
  /// True: nothing is told of it.
  bool run_counted(Worker& worker, std::uint64_t rank) {
    RunningTeam& team = worker.take_team();
    team.begin(m_launch, rank, 0);
    while (!team.resume()) {}
    bool const clean = team.found_nothing();
    m_commit.add(team, true);
    worker.give_back(team);
    return clean;
  }

  void work_on_blocks() {
    if (thread_hooks.begin) thread_hooks.begin();
    Worker& worker = Worker::of_this_thread();
    unsigned const number = m_workers.fetch_add(1);
    auto const slot = number % arena::all_scratch_slots;
    std::uint64_t const size = m_launch.facts.config.league_size;
    if (number == 0 && m_looks_at_first) m_launch.remembered->note_first_team(run_counted(worker, 0));
    for (std::uint64_t begin = m_next_block.fetch_add(m_run); begin < size; begin = m_next_block.fetch_add(m_run)) {
      if (number == 0 && m_threads.calls_later()) m_threads.call_in_time(m_next_block.load(std::memory_order_relaxed), size);
      std::uint64_t const end = std::min(begin + m_run, size);
      if (!m_launch.is_decided) {
        run_blocks_from(worker, slot, begin, end);
        m_commit.pass_over(begin, end);
        continue;
      }
      std::uint64_t next = begin;
      for (std::uint64_t const rank : m_apart)
        if (rank >= next && rank < end) {
          run_blocks_from(worker, slot, next, rank);
          next = rank + 1;
        }
      run_blocks_from(worker, slot, next, end);
    }
    if (thread_hooks.end) thread_hooks.end();
  }

  void run_blocks_from(Worker& worker, std::uint32_t slot, std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    RunningTeam& team = worker.take_team();
    team.begin(m_launch, begin, slot, end);
    team.resume();
    worker.give_back(team);
  }

  /// It tells what lanes access, and, of a kernel that is not known, whether the launch is flat. The team, if it has come to
  /// wait for others.
  RunningTeam* run_first_team() {
    if (thread_hooks.begin) thread_hooks.begin();
    Worker& worker = Worker::of_this_thread();
    TeamScheduler::Place place;
    RunningTeam* team = nullptr;
    if (m_scheduler.claim(place, {}, 0) == TeamScheduler::Claim::team) {
      team = &worker.take_team();
      team->begin(m_launch, place.rank, place.slot);
      bool const all_of_device = std::exchange(shard.all_of_device, shard.all_of_device || !m_launch.is_flat);
      bool const ended = team->resume();
      shard.all_of_device = all_of_device;
      if (ended) {
        bool const fits = m_launch.is_flat || team->fits_flat(), nothing_told = m_launch.is_flat || team->found_nothing();
        Decision decision = team->take_decision();
        m_decided = std::move(decision.decided);
        m_launch.why_checked = decision.why_checked;
        // What lanes of a scan do is ordered by meetings at most: where no two come to the same memory, these decide nothing.
        m_first_was_clean = nothing_told && (m_launch.steps == nullptr || team->fits_flat_in_steps());
        done(worker, *team, {}, 0);
        m_commit.leave_out_now();  // it may be the only one that is run by itself
        team = nullptr;
        m_launch.fits_flat = fits && (m_launch.is_flat || events::turns_flat(m_launch));
        m_launch.is_flat = m_launch.fits_flat;
      }
    }
    if (thread_hooks.end) thread_hooks.end();
    return team;
  }

  static unsigned workers_for(LaunchState const& launch, Expected expected) {
    return launch.waits_in_vain || expected == Expected::no_time ? 1 : LaunchThreads::most();
  }
  static TeamScheduler::Rules rules_for(LaunchState const& launch, Expected expected) {
    LaunchConfig const& c = launch.facts.config;
    // A multiprocessor holds 2,048 threads.
    std::uint64_t const units = options().model().compute_units;
    TeamScheduler::Rules rules;
    rules.league_size = c.league_size;
    rules.resident = (units != 0 ? units : 128) * 2048 / (c.team_size * c.vector_length);
    rules.spin_limit = options().spin_limit;
    rules.workers = workers_for(launch, expected);
    if (launch.script == nullptr)
      rules.order = team_order(TeamScheduler::group, launch.facts.number);  // a trace has league order
    rules.may_go_on_alone = !c.lanes_meet() && rules.order.empty();
    return rules;
  }

  /// `first`: a team that waits for others.
  void work(RunningTeam* first = nullptr) {
    if (m_run != 0) return work_on_blocks();
    if (thread_hooks.begin) thread_hooks.begin();
    Worker& worker = Worker::of_this_thread();
    unsigned const number = m_workers.fetch_add(1);
    FlatTable& flat = FlatTable::of_this_thread();
    if (m_holds) flat.join_workers(*m_holds, number);
    TeamScheduler::Watch watch;
    std::vector<RunningTeam*> spinning;
    if (first != nullptr) spinning.push_back(first);
    WaitingWorker waiting(m_scheduler, worker, number);
    std::size_t turn = 0, in_vain = 0;
    bool is_first_turn = false;
    for (;;) {
      if (number == 0 && m_threads.calls_later()) m_threads.call_in_time(m_scheduler.next(), m_launch.facts.config.league_size);
      if (m_launch.script != nullptr) pass_over_absent();
      TeamScheduler::Place place;
      TeamScheduler::Claim const claim = m_scheduler.claim(place, patience_of(spinning), number);
      if (claim == TeamScheduler::Claim::team) {
        in_vain = 0;
        waiting.got_on();
        RunningTeam& team = worker.take_team();
        team.begin(m_launch, place.rank, place.slot);
        if (team.resume(m_scheduler.others_get_on(number)))
          done(worker, team, spinning, number);
        else {
          spinning.push_back(&team);
          m_scheduler.waits_for_others(number);
        }
      } else if (spinning.empty()) {
        m_commit.leave_out_now();
        if (claim == TeamScheduler::Claim::none) break;
        flat.rest();
        waiting.for_others(true);
        waiting.idle();
      }
      // Teams that spin get their turns between new ones.
      if (spinning.empty()) continue;
      m_commit.leave_out_now();  // they may wait for others that wait for their turn
      // Teams wait for those before them, mostly: every other turn is the first one's.
      is_first_turn = !is_first_turn;
      if (!is_first_turn) turn = (turn + 1) % spinning.size();
      std::size_t const at = is_first_turn ? 0 : turn;
      RunningTeam& team = *spinning[at];
      auto const begun = std::chrono::steady_clock::now();
      if (in_vain != 0 && team.sees_change()) waiting.got_on();
      bool finished = team.resume(m_scheduler.others_get_on(number));
      in_vain = finished || team.progressed() ? 0 : in_vain + 1;
      if (m_scheduler.hopeless(number, finished, patience_of(spinning), watch)) {
        team.give_up();
        finished = true;
      }
      if (finished) {
        m_scheduler.got_on(number);
        spinning.erase(spinning.begin() + static_cast<std::ptrdiff_t>(at));
        done(worker, team, spinning, number);
      }
      if (m_launch.workers <= 1) continue;
      if (in_vain == 0) waiting.got_on();
      if (in_vain == 0 && !finished) m_scheduler.stay(number);
      if (in_vain > 2 * spinning.size()) waiting.for_others(patience_of(spinning).least_spun > options().spin_limit);
      if (in_vain < 2 || spinning.empty()) continue;
      flat.rest();
      waiting.rest(begun);
    }
    flat.leave_workers();
    if (thread_hooks.end) thread_hooks.end();
  }

  static TeamScheduler::Spinning patience_of(std::vector<RunningTeam*> const& spinning) {
    std::uint64_t least = spinning.empty() ? 0 : ~std::uint64_t{0};
    for (RunningTeam const* const team : spinning) least = std::min(least, team->spun());
    return {spinning.size(), least};
  }

  /// Teams that the trace does not have are not begun: a league may have very many. There is one worker then.
  void pass_over_absent() {
    std::uint64_t const next = m_scheduler.next();
    std::uint64_t const there = m_launch.script->next_team(m_launch.facts.number, next, m_launch.facts.config.league_size);
    if (there <= next) return;
    m_commit.pass_over(next, there);
    m_scheduler.pass_over(there);
  }

  /// `others`: teams of the worker, the `number`th, that wait.
  void done(Worker& worker, RunningTeam& team, std::vector<RunningTeam*> const& others, unsigned number) {
    bool const may_wait = others.empty();
    m_scheduler.free_slot(team.scratch().slot());
    if (team.left_nothing())
      m_commit.leave_out_soon(team.league_rank());
    else
      m_commit.add(team, may_wait && !m_scheduler.reorders());  // a team before it may not have begun
    std::uint64_t first = TeamScheduler::no_team;
    for (RunningTeam const* const other : others) first = std::min(first, other->league_rank());
    m_scheduler.note_first(number, first);
    m_scheduler.done(number);
    worker.give_back(team);
  }

  LaunchState& m_launch;
  CommitQueue m_commit;
  TeamScheduler m_scheduler;
  LaunchThreads m_threads;
  std::optional<FlatHolds> m_holds;  ///< of a flat launch with several workers, or of which it is asked where it has been
  std::atomic<unsigned> m_workers{0};
  std::uint64_t m_run = 0;  ///< teams that a worker takes at a time, of a launch that is run by blocks; 0: it is not
  std::atomic<std::uint64_t> m_next_block{0};
  std::optional<DecidedRows> m_decided;
  bool m_first_was_clean = false;  ///< the first team has ended, and nothing is told of it
  bool m_looks_at_first = false;   ///< it is looked at, while others run, of a launch that is decided
  std::vector<std::uint64_t> m_apart;  ///< teams of a launch that is decided which have run by themselves
};

}  // namespace

void set_thread_hooks(ThreadHooks hooks) { thread_hooks = hooks; }

void run_league(LaunchState& launch, Expected expected) { League(launch, expected).run(); }

}  // namespace teamsan
