#include <teamsan/sim/machine/Launch.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/MissingFence.hpp>
#include <teamsan/sim/machine/Commit.hpp>
#include <teamsan/sim/machine/LaneOrder.hpp>
#include <teamsan/sim/machine/LaneTable.hpp>
#include <teamsan/sim/machine/Selection.hpp>
#include <teamsan/sim/machine/Worker.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/Outputs.hpp>
#include <teamsan/sim/memory/Shape.hpp>
#include <teamsan/sim/memory/Usm.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/report/ExitStatus.hpp>
#include <teamsan/sim/runtime/Start.hpp>
#include <teamsan/sim/trace/Fields.hpp>
#include <teamsan/sim/trace/Recorder.hpp>
#include <teamsan/sim/trace/Replay.hpp>

#include <teamsan/model/device/Device.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace teamsan {

namespace {

ThreadHooks thread_hooks;

/// Repeats (see Repetition) after which a team waits for one that has not begun, more likely than for one that runs.
constexpr std::uint64_t long_wait = 400'000;

/// The teams of one launch on the workers.
class League {
 public:
  explicit League(LaunchState& launch)
      : m_launch(launch), m_commit(launch), m_order(order_of_teams(launch.facts.number)), m_waiting(worker_threads()) {
    launch.commit = &m_commit;
  }

  void run() {
    std::uint64_t const size = m_launch.facts.config.league_size;
    unsigned const workers = static_cast<unsigned>(std::min<std::uint64_t>(worker_threads(), size));
    if (workers <= 1) {
      work();
    } else {
      arena().execute([&] {
        tbb::task_group group;
        for (unsigned i = 1; i != workers; ++i) group.run([&] { work(); });
        work();
        group.wait();
      });
    }
    m_commit.finish();
  }

 private:
  static unsigned worker_threads() {
    static unsigned const n = options().deterministic ? 1
                              : options().num_threads ? options().num_threads
                                                      : static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
    return n;
  }
  static tbb::task_arena& arena() {
    static tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, worker_threads());
    static tbb::task_arena a(static_cast<int>(worker_threads()));
    return a;
  }

  void work() {
    if (thread_hooks.begin) thread_hooks.begin();
    Worker& worker = Worker::of_this_thread();
    Waiting& waiting = m_waiting[m_workers.fetch_add(1)];
    std::vector<Team*> spinning;
    std::vector<std::uint64_t> seen;
    std::size_t turn = 0;
    for (;;) {
      std::uint64_t rank;
      std::uint32_t slot;
      if (claim(rank, slot, spinning)) {
        Team& team = worker.take_team();
        team.begin(m_launch, rank, slot);
        if (team.resume())
          done(worker, team, spinning.empty());
        else
          spinning.push_back(&team);
      } else if (spinning.empty()) {
        break;
      }
      // Teams that spin get their turns between new ones.
      if (spinning.empty()) continue;
      turn = (turn + 1) % spinning.size();
      Team& team = *spinning[turn];
      bool finished = team.resume();
      waiting.teams = !finished && have_spun(spinning, spin_limit()) ? spinning.size() : 0;
      waiting.rounds.fetch_add(1);
      if (!finished && hopeless(seen)) {
        team.give_up();
        finished = true;
      }
      if (finished) {
        waiting.teams = 0;
        spinning.erase(spinning.begin() + static_cast<std::ptrdiff_t>(turn));
        done(worker, team, spinning.empty());
      }
    }
    if (thread_hooks.end) thread_hooks.end();
  }

  /// What a worker has that waits.
  struct Waiting {
    std::atomic<std::uint64_t> teams{0};   ///< if all of them have spun for long
    std::atomic<std::uint64_t> rounds{0};  ///< turns that it gave them
  };

  /// The next team to run, and a scratch slot that is free for it: the one whose turn it is, or, if the worker's teams all
  /// wait and that one is taken, another, as long as a GPU would have room for so many at a time.
  bool claim(std::uint64_t& rank, std::uint32_t& slot, std::vector<Team*> const& spinning) {
    std::uint64_t const size = m_launch.facts.config.league_size;
    if (trace::replaying()) pass_over_absent();
    for (;;) {
      std::uint64_t turn = m_next.load();
      if (turn >= size) return false;
      rank = rank_of(turn);
      slot = static_cast<std::uint32_t>(rank % arena::scratch_slots);
      if (!take(slot)) {
        if (spinning.empty()) {
          std::this_thread::yield();
          continue;
        }
        slot = static_cast<std::uint32_t>(arena::scratch_slots + rank % arena::more_scratch_slots);
        if (!has_room() || !have_spun(spinning, long_wait) || !take(slot)) return false;
      }
      if (m_next.compare_exchange_strong(turn, turn + 1)) return true;
      m_taken[slot] = false;
    }
  }
  /// Teams that the trace does not have are not begun: a league may have very many. There is one worker then.
  void pass_over_absent() {
    std::uint64_t const next = m_next.load();
    std::uint64_t const there = trace::next_team(m_launch.facts.number, next, m_launch.facts.config.league_size);
    if (there <= next) return;
    m_commit.pass_over(next, there);
    m_next = there;
    m_done.fetch_add(there - next);
  }

  bool take(std::uint32_t slot) { return !m_taken[slot].exchange(true); }

  static bool have_spun(std::vector<Team*> const& spinning, std::uint64_t repeats) {
    return std::all_of(spinning.begin(), spinning.end(), [&](Team const* t) { return t->spun() > repeats; });
  }

  /// Could another team run beside those that have begun? A multiprocessor holds 2,048 threads.
  bool has_room() const {
    LaunchConfig const& c = m_launch.facts.config;
    std::uint64_t const units = options().model().compute_units;
    std::uint64_t const fit = (units != 0 ? units : 128) * 2048 / (c.team_size * c.vector_length);
    std::uint64_t const most = std::clamp<std::uint64_t>(fit, arena::scratch_slots, arena::all_scratch_slots);
    return m_next.load() - m_done.load() < most;
  }

  /// The team whose turn it is: in league order, or changed within each group of as many as there are scratch slots.
  std::uint64_t rank_of(std::uint64_t turn) const {
    std::uint64_t const group = turn - turn % arena::scratch_slots;
    if (m_order.empty()) return turn;
    std::uint64_t const here = std::min<std::uint64_t>(m_launch.facts.config.league_size - group, m_order.size());
    std::uint64_t place = turn - group;
    for (std::uint32_t const rank : m_order)
      if (rank < here && place-- == 0) return group + rank;
    return turn;
  }

  void done(Worker& worker, Team& team, bool may_wait) {
    m_taken[team.scratch().slot()] = false;
    m_commit.add(team, may_wait && m_order.empty());  // a team before it may not have begun
    m_done.fetch_add(1);
    worker.give_back(team);
  }

  /// Many teams share the patience that there is for four.
  std::uint64_t spin_limit() const {
    constexpr std::uint64_t shared_by = 4;
    return options().spin_limit / std::max(m_next.load() - m_done.load(), shared_by) * shared_by;
  }

  /// Every team that is not done has spun for long, no other may begin, and since that was first seen by the caller (`seen`:
  /// the workers' rounds then) each of them had another turn in which nothing changed.
  bool hopeless(std::vector<std::uint64_t>& seen) const {
    std::uint64_t teams = 0;
    for (Waiting const& w : m_waiting) teams += w.teams;
    bool const may_begin = m_next.load() < m_launch.facts.config.league_size && has_room();
    if (may_begin || teams != m_next.load() - m_done.load()) {
      seen.clear();
      return false;
    }
    if (seen.empty())
      for (Waiting const& w : m_waiting) seen.push_back(w.rounds + w.teams + 1);
    for (std::size_t i = 0; i != seen.size(); ++i)
      if (m_waiting[i].teams != 0 && m_waiting[i].rounds < seen[i]) return false;
    seen.clear();
    return true;
  }

  /// A trace has its teams in league order.
  static std::vector<std::uint32_t> order_of_teams(std::uint64_t launch) {
    return trace::replaying() ? std::vector<std::uint32_t>() : team_order(arena::scratch_slots, launch);
  }

  LaunchState const& m_launch;
  CommitQueue m_commit;
  std::vector<std::uint32_t> const m_order;  ///< of teams within a group; empty: ascending
  std::atomic<std::uint64_t> m_next{0};
  std::atomic<std::uint64_t> m_done{0};
  std::array<std::atomic<bool>, arena::all_scratch_slots> m_taken{};  ///< scratch slots
  std::vector<Waiting> m_waiting;  ///< by worker
  std::atomic<unsigned> m_workers{0};
};

/// The kernel object's copy in constant memory: a ring, so that a stale pointer into it is one for a while.
void* copy_to_constant_memory(void const* kernel, std::size_t bytes) {
  static std::uintptr_t next = arena::constant, last = arena::constant;
  std::size_t const room = (bytes + 4095) / 4096 * 4096;
  if (next + room > arena::constant + arena::constant_bytes) next = arena::constant;
  if (room > arena::constant_bytes) throw std::runtime_error("teamsan: the kernel object is larger than 8 GiB");
  void* const copy = reinterpret_cast<void*>(next);
  if (last != next) arena::discard(last, next - last);
  last = next;
  static std::uintptr_t kept = 0, kept_end = 0;  // a window of the ring is in core files
  if (next < kept || next + room > kept_end) {
    if (kept_end != 0) arena::leave_out_of_core_files(kept, kept_end - kept);
    kept = next;
    kept_end = std::min(next + room + arena::MiB, arena::constant + arena::constant_bytes);
    arena::keep_in_core_files(kept, kept_end - kept);
  }
  std::memcpy(copy, kernel, bytes);
  next += room;
  return copy;
}

/// A program whose accesses nobody reports would always look clean.
void require_instrumentation() {
  if (is_instrumented() || options().m_rules == 0 || trace::replaying()) return;
  std::fputs("teamsan: this program was compiled without instrumentation, so nothing it does could be checked; build it "
             "with teamsan_add_checked(target) or teamsan_instrument(target), or set check=none to run it unchecked\n",
             stderr);
  std::fflush(nullptr);
  std::_Exit(exit_user_mistake);  // no report: it would look clean
}

std::mutex launch_mutex;  // launches from several host threads take turns

}  // namespace

void set_thread_hooks(ThreadHooks hooks) { thread_hooks = hooks; }

void launch(LaunchConfig const& config, void const* kernel, std::size_t kernel_bytes, LaneFunction lane_function) {
  RuntimeScope const scope;
  std::lock_guard const lock(launch_mutex);
  start();
  forget_next_shape();
  require_instrumentation();
  static std::uint64_t number = 0;
  LaunchState state;
  state.facts.config = config;
  state.facts.number = ++number;
  state.facts.warp_width = options().model().warp_width;
  state.checked = is_selected(config.label);
  count_launch(config.label, number, state.checked);
  note_output_launch(config.label, number);
  trace::record(traces::LaunchRecord{number, trace::fields_of(config), kernel_bytes, state.checked});
  if (config.league_size == 0 || config.team_size == 0) return;
  state.function = lane_function;
  state.kernel = copy_to_constant_memory(kernel, kernel_bytes);
  state.kernel_bytes = kernel_bytes;
  std::vector<std::uint32_t> const order = lane_order(config.team_size * config.vector_length, number);
  state.order = order.empty() ? nullptr : &order;
  detect::AtomicOrder atomic_order;
  state.atomic_order = &atomic_order;
  state.epoch = global_shadow::next_epoch();
  state.context = usm_context_of(config.instance);
  detect::LaunchTraffic traffic(options().model());
  if (state.checked && (options().enabled(Rule::bank_conflict) || options().enabled(Rule::uncoalesced)))
    state.traffic = &traffic;
  std::uint32_t const runtime_depth = std::exchange(hot.in_runtime, 0u);
  __teamsan_lane_table.launches = number;
  __teamsan_lane_table.launch = &state;
  League(state).run();
  __teamsan_lane_table.launch = nullptr;
  hot.in_runtime = runtime_depth;
  if (state.traffic == nullptr) return;
  KernelTraffic counted = traffic.take();
  counted.kernel = config.label;
  counted.policy = detect::policy_text(config);
  counted.launches = 1;
  counted.teams_of_all = config.league_size;
  Collector::instance().add_traffic(std::move(counted));
}

void fence(std::uint32_t instance) {
  RuntimeScope const scope;
  forget_next_shape();
  trace::record(traces::FenceRecord{instance});
  detect::end_pending(instance);
}

void note_instances() {
  trace::record(traces::InstancesRecord{});
  detect::note_instances();
}

void pend_write(std::uint32_t instance, void const* begin, std::size_t bytes, AsyncWork work) {
  RuntimeScope const scope;
  bool const result = work == AsyncWork::result;
  trace::record(traces::PendingRecord{true, result, instance, reinterpret_cast<std::uintptr_t>(begin), bytes});
  detect::pend_access(instance, begin, bytes, true, result ? "the kernel's result" : "an asynchronous copy", result);
}

void pend_read(std::uint32_t instance, void const* begin, std::size_t bytes) {
  RuntimeScope const scope;
  trace::record(traces::PendingRecord{false, false, instance, reinterpret_cast<std::uintptr_t>(begin), bytes});
  detect::pend_access(instance, begin, bytes, false, "an asynchronous copy", false);
}

}  // namespace teamsan
