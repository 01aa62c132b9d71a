#include <teamsan/sim/machine/Launch.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/MissingFence.hpp>
#include <teamsan/sim/machine/Commit.hpp>
#include <teamsan/sim/machine/Interrupt.hpp>
#include <teamsan/sim/machine/LaneOrder.hpp>
#include <teamsan/sim/base/LaneTable.hpp>
#include <teamsan/sim/machine/Selection.hpp>
#include <teamsan/sim/machine/TeamScheduler.hpp>
#include <teamsan/sim/machine/Worker.hpp>
#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/MemoryLimit.hpp>
#include <teamsan/sim/host/Outputs.hpp>
#include <teamsan/sim/memory/Shape.hpp>
#include <teamsan/sim/host/Usm.hpp>
#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/base/Start.hpp>
#include <teamsan/sim/trace/Fields.hpp>
#include <teamsan/sim/trace/Recorder.hpp>
#include <teamsan/sim/replay/Replay.hpp>

#include <teamsan/model/device/Device.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
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

/// The teams of one launch on the workers.
class League {
 public:
  explicit League(LaunchState& launch) : m_launch(launch), m_commit(launch), m_scheduler(rules_for(launch.facts)) {
    launch.commit = &m_commit;
    launch.workers = worker_threads();
  }

  void run() {
    RunningLaunch const running(m_launch, m_commit);
    std::uint64_t const size = m_launch.facts.config.league_size;
    unsigned const workers = static_cast<unsigned>(std::min<std::uint64_t>(worker_threads(), size));
    if (workers <= 1) {
      work();
    } else {
#ifdef __SANITIZE_THREAD__  // it does not see how TBB hands tasks on
      std::vector<std::jthread> others;
      for (unsigned i = 1; i != workers; ++i) others.emplace_back([&] { work(); });
      work();
#else
      arena().execute([&] {
        tbb::task_group group;
        for (unsigned i = 1; i != workers; ++i) group.run([&] { work(); });
        work();
        group.wait();
      });
#endif
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

  static TeamScheduler::Rules rules_for(detect::LaunchFacts const& facts) {
    LaunchConfig const& c = facts.config;
    // A multiprocessor holds 2,048 threads.
    std::uint64_t const units = options().model().compute_units;
    TeamScheduler::Rules rules;
    rules.league_size = c.league_size;
    rules.resident = (units != 0 ? units : 128) * 2048 / (c.team_size * c.vector_length);
    rules.spin_limit = options().spin_limit;
    rules.workers = worker_threads();
    if (!trace::replaying()) rules.order = team_order(arena::scratch_slots, facts.number);  // a trace has league order
    return rules;
  }

  void work() {
    if (thread_hooks.begin) thread_hooks.begin();
    Worker& worker = Worker::of_this_thread();
    unsigned const number = m_workers.fetch_add(1);
    TeamScheduler::Watch watch;
    std::vector<Team*> spinning;
    std::size_t turn = 0;
    for (;;) {
      if (trace::replaying()) pass_over_absent();
      TeamScheduler::Place place;
      TeamScheduler::Claim const claim = m_scheduler.claim(place, patience_of(spinning));
      if (claim == TeamScheduler::Claim::team) {
        Team& team = worker.take_team();
        team.begin(m_launch, place.rank, place.slot);
        if (team.resume())
          done(worker, team, spinning.empty());
        else
          spinning.push_back(&team);
      } else if (spinning.empty()) {
        if (claim == TeamScheduler::Claim::none) break;
        std::this_thread::yield();
      }
      // Teams that spin get their turns between new ones.
      if (spinning.empty()) continue;
      turn = (turn + 1) % spinning.size();
      Team& team = *spinning[turn];
      bool finished = team.resume();
      if (m_scheduler.hopeless(number, finished, patience_of(spinning), watch)) {
        team.give_up();
        finished = true;
      }
      if (finished) {
        m_scheduler.got_on(number);
        spinning.erase(spinning.begin() + static_cast<std::ptrdiff_t>(turn));
        done(worker, team, spinning.empty());
      }
    }
    if (thread_hooks.end) thread_hooks.end();
  }

  static TeamScheduler::Spinning patience_of(std::vector<Team*> const& spinning) {
    std::uint64_t least = spinning.empty() ? 0 : ~std::uint64_t{0};
    for (Team const* const team : spinning) least = std::min(least, team->spun());
    return {spinning.size(), least};
  }

  /// Teams that the trace does not have are not begun: a league may have very many. There is one worker then.
  void pass_over_absent() {
    std::uint64_t const next = m_scheduler.next();
    std::uint64_t const there = trace::next_team(m_launch.facts.number, next, m_launch.facts.config.league_size);
    if (there <= next) return;
    m_commit.pass_over(next, there);
    m_scheduler.pass_over(there);
  }

  void done(Worker& worker, Team& team, bool may_wait) {
    m_scheduler.free_slot(team.scratch().slot());
    m_commit.add(team, may_wait && !m_scheduler.reorders());  // a team before it may not have begun
    m_scheduler.done();
    worker.give_back(team);
  }

  LaunchState const& m_launch;
  CommitQueue m_commit;
  TeamScheduler m_scheduler;
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

/// What the launch would make of the device's compute units. Kokkos' CUDA backend chooses the blocks of a range by itself,
/// for the most lanes; a team policy's are the user's.
Residency residency_of(LaunchConfig const& config, std::uint64_t number) {
  if (config.policy != Policy::team) return {};
  model::Device const& device = options().model();
  std::size_t const asked = config.team_scratch[0] + config.thread_scratch[0] * config.team_size;
  Residency r;
  r.launch = number;
  r.team = {config.team_size * config.vector_length, asked + model::kokkos_scratch(device, config.team_size),
            options().registers};
  r.resident = model::occupancy(device, r.team);
  r.waves = model::waves(device, r.resident, config.league_size);
  return r;
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
  memory_limit::watch();
  static std::uint64_t number = 0;
  LaunchState state;
  state.facts.config = config;
  state.facts.number = ++number;
  state.facts.warp_width = options().model().warp_width;
  state.checked = is_selected(config.label);
  count_launch(config.label, number, state.checked);
  note_output_launch(config.label, number);
  auto const note = [&] {
    trace::record(traces::LaunchRecord{number, trace::fields_of(config), kernel_bytes, state.checked});
  };
  if (config.league_size == 0 || config.team_size == 0) return note();
  detect::begin_launch(state.facts, note);
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
  {
    AllocationsHeld const held(number);
    League(state).run();
  }
  __teamsan_lane_table.launch = nullptr;
  hot.in_runtime = runtime_depth;
  if (state.traffic == nullptr) return;
  KernelTraffic counted = traffic.take();
  counted.kernel = config.label;
  counted.policy = detect::policy_text(config);
  counted.launches = 1;
  counted.teams_of_all = config.league_size;
  counted.residency = residency_of(config, number);
  Collector::instance().add_traffic(std::move(counted));
}

void fence(std::uint32_t instance) {
  RuntimeScope const scope;
  forget_next_shape();
  detect::end_pending(instance, [&] { trace::record(traces::FenceRecord{instance}); });
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
