// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Launch.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/LaneTable.hpp"
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "../base/Start.hpp"
#include "../detect/LatestLaunch.hpp"
#include "../detect/LaunchChecks.hpp"
#include "../detect/LaunchTraffic.hpp"
#include "../detect/MissingFence.hpp"
#include "../findings/Collector.hpp"
#include "ClearedSums.hpp"
#include "DualViews.hpp"
#include "HandedOn.hpp"
#include "Mirrors.hpp"
#include "NeverSynced.hpp"
#include "NextAllocation.hpp"
#include "NothingSelected.hpp"
#include "Outputs.hpp"
#include "Selection.hpp"
#include "Usm.hpp"
#include "../machine/Lane.hpp"
#include "../machine/LaneOrder.hpp"
#include "../machine/LaunchState.hpp"
#include "../machine/League.hpp"
#include "../machine/RememberedLaunches.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/DeviceWrites.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/HostObjects.hpp"
#include "../memory/MemoryLimit.hpp"
#include "../places/Program.hpp"
#include "../trace/Fields.hpp"
#include "../trace/Recorder.hpp"

#include "../../model/device/Device.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

/// The kernel object's copy in constant memory: a ring, so that a stale pointer into it is one for a while.
void* copy_to_constant_memory(void const* kernel, std::size_t bytes) {
  constexpr std::size_t granule = 256, at_once = 64 * 1024;
  static std::uintptr_t next = arena::constant, last = arena::constant;
  std::size_t const room = (bytes + granule) / granule * granule;
  if (room > arena::constant_bytes) throw std::runtime_error("teamsan: the kernel object is larger than 8 GiB");
  bool const wraps = next + room > arena::constant + arena::constant_bytes;
  // Giving pages back costs as much as a small launch: many at a time.
  if (std::uintptr_t const done = wraps ? next : next / at_once * at_once; done != last) {
    arena::discard(last, done - last);
    last = done;
  }
  if (wraps) next = last = arena::constant;
  void* const copy = reinterpret_cast<void*>(next);
  static std::uintptr_t kept = 0, kept_end = 0;  // a window of the ring is in core files
  if (next < kept || next + room > kept_end) {
    if (kept_end != 0) arena::leave_out_of_core_files(kept, kept_end - kept);
    kept = next;
    kept_end = std::min(next + room + arena::MiB, arena::constant + arena::constant_bytes);
    arena::keep_in_core_files(kept, kept_end - kept);
  }
  if (bytes != 0) std::memcpy(copy, kernel, bytes);  // a replay has no kernel
  next += room;
  return copy;
}

/// What the launch would make of the device's compute units. Kokkos' CUDA backend chooses the blocks of a range by itself,
/// for the most lanes; a team policy's are the user's.
Residency residency_of(LaunchFacts const& facts) {
  LaunchConfig const& config = facts.config;
  if (!config.lanes_meet()) return {};
  model::Device const& device = options().model();
  std::size_t const asked = config.team_scratch[0] + config.thread_scratch[0] * config.team_size;
  Residency r;
  r.launch = facts.number;
  r.league = config.league_size;
  r.calls = facts.calls;
  r.team = {config.team_size * config.vector_length, asked + model::kokkos_scratch(device, config.team_size),
            options().registers};
  r.resident = model::occupancy(device, r.team);
  r.waves = model::waves(device, r.resident, config.league_size);
  return r;
}

/// A program whose accesses nobody reports would always look clean.
void require_instrumentation() {
  if (is_instrumented() || options().m_rules == 0) return;
  std::fputs("teamsan: this program was compiled without instrumentation, so nothing it does could be checked; build it "
             "with teamsan_add_checked(target) or teamsan_instrument(target), or set check=none to run it unchecked\n",
             stderr);
  std::fflush(nullptr);
  std::_Exit(exit_user_mistake);  // no report: it would look clean
}

/// Where each launch's first team is to be looked at, launches of fewer teams gain little.
constexpr std::uint64_t flat_from = 8;

/// What launches of a kernel have shown of it. Launches take turns.
struct KnownKernel {
  bool looked_at = false;   ///< the first team of one was, or it was flat:
  bool fits_flat = false;   ///< its lanes did nothing then that a flat launch cannot have
  bool hands_over = false;  ///< lanes of later teams did: its launches are judged team by team from then on
  std::uint64_t undecided = 0;  ///< so many launches since the latest that arithmetic decided
  /// Is it likely to decide another one? Some of a kernel's launches may be simple, others not.
  bool asks_arithmetic() const { return undecided < 8 || std::has_single_bit(undecided); }
  WhyChecked why_checked;  ///< when arithmetic was last asked
  RememberedLaunches remembered;
  bool waits_in_vain = false;  ///< one worker went on alone, in the latest launch that several ran
  std::uint64_t alone = 2;     ///< so many launches were thought to go so
  bool goes_alone() { return waits_in_vain && !std::has_single_bit(++alone); }
};
std::unordered_map<LaneFunction, KnownKernel>& known_kernels() {
  static auto& kernels = *new std::unordered_map<LaneFunction, KnownKernel>;  // the program's destructors may launch
  return kernels;
}

/// May it be one whose lanes join what they do into the global shadow (memory/FlatWord.hpp)? Not where they may hand something
/// over. Where the compiler does not see that, what is known of the kernel decides, or the first team.
bool may_be_flat(LaunchState const& launch, KnownKernel const& kernel, PlainBodies const& plain) {
  LaunchConfig const& c = launch.facts.config;
  Options const& o = options();
  bool const in_order = launch.order == nullptr && o.team_order == "ascending";
  bool const watched = trace::recording() || launch.script != nullptr || o.gdb || o.halt_on_error;
  return o.flat && launch.checked && c.is_range() && in_order && !watched && c.vector_length == 1 && !kernel.hands_over &&
         (kernel.fits_flat || !kernel.looked_at || c.league_size >= flat_from) &&
         c.league_size <= flat::most_lanes / c.team_size && c.league_size - 1 <= global_shadow::max_team &&
         !plain.may_hand_over(launch.kernel);
}

/// Has the program asked for a signal where a lane divides by 0, say?
bool numbers_may_trap() {
#ifdef __GLIBC__
  return fegetexcept() > 0;
#else
  return false;
#endif
}

/// Do all lanes of a launch that is checked tell what they do? In a shard they do: each needs to know of all.
bool all_tell() { return !options().quick && options().team < 0; }
/// Are all teams of a launch checked that is?
bool all_teams() { return !shard.on() && all_tell(); }

/// May arithmetic decide it (machine/DecidedLaunch.hpp)? Not where somebody asks afterwards which lanes touched a word, nor
/// where a lane may end by what it computes.
bool may_be_decided(LaunchState& launch) {
  Options const& o = options();
  if (!o.decide) return false;
  auto const no = [&](char const* why) {
    launch.why_checked = {why};
    return false;
  };
  if (!all_teams() || launch.traffic != nullptr || o.enabled_by_name(Rule::stale_copy)) return no("options ask for more");
  if (launch.plain.blocks == nullptr) return no("there is no plain body of whole blocks for such a kernel");
  if (!launch.plain.run_together(launch.kernel)) return no("a lane may wait, throw, or call what is not seen");
  if (expects_handing_on() || awaits_use_of_cleared()) return no("it is asked afterwards which lanes touched a word");
  return !numbers_may_trap() || no("the program has asked for signals where numbers are divided by 0");
}

/// Do a thread's vector lanes run as one? Where nothing of a launch is looked at they do what one would: outside of ranges
/// over them they do alike, and a range's iterations may be anyone's. Not where a lane asks which one it is.
bool folds_lanes(LaunchState const& launch) {
  Options const& o = options();
  bool const in_order = o.lane_order == "ascending";  // or whoever asks for another wants to see what it changes
  return o.fold && in_order && !o.gdb && launch.script == nullptr && launch.facts.config.lanes_meet() && !launch.is_checked() &&
         !vector_lanes_are_told_apart();
}

/// One that arithmetic has not decided may have written anywhere, however it ends.
class WritesOf {
 public:
  explicit WritesOf(LaunchState const& launch) : m_launch(launch) {}
  ~WritesOf() {
    if (!m_launch.is_decided) device_writes::note_all();
  }
  WritesOf(WritesOf const&) = delete;
  WritesOf& operator=(WritesOf const&) = delete;

 private:
  LaunchState const& m_launch;
};

std::mutex launch_mutex;  // launches from several host threads take turns

}  // namespace

void launch(LaunchConfig const& config, void const* kernel, std::size_t kernel_bytes, LaneFunction lane_function,
            LaunchScript* script, LaneSteps const* steps, PlainBodies const& plain) {
  RuntimeScope const scope;
  std::lock_guard const lock(launch_mutex);
  start();
  forget_next_shape();
  if (script == nullptr) require_instrumentation();
  memory_limit::watch();
  static std::uint64_t number = 0;
  LaunchState state;
  state.facts.config = config;
  state.facts.number = ++number;
  state.facts.warp_width = options().model().warp_width;
  Selection& selection = Selection::instance();
  state.checked = selection.begin({config, lane_function, kernel, kernel_bytes, script, plain});
  state.script = script;
  if (folds_lanes(state)) state.folded = std::exchange(state.facts.config.vector_length, 1u);
  note_selection(config, state.checked);
  if (state.checked) state.facts.calls = script != nullptr ? script->calls() : calls_to_here();
  count_launch(config.label, number, state.checked);
  note_output_launch(config.label, number);
  auto const note = [&] {
    trace::record_places(state.facts.calls);
    trace::record(traces::LaunchRecord{number, trace::fields_of(config), kernel_bytes, state.checked,
                                       {state.facts.calls.begin(), state.facts.calls.end()}});
  };
  if (config.league_size == 0 || config.team_size == 0) {
    selection.end(config, nullptr);
    return note();
  }
  detect::begin_launch(state.facts, note);
  state.function = lane_function;
  state.steps = steps;
  if (options().plain && !options().gdb) state.plain = plain;
  state.kernel = copy_to_constant_memory(kernel, kernel_bytes);
  state.kernel_bytes = kernel_bytes;
  std::vector<std::uint32_t> const order = lane_order(config.team_size * state.facts.config.vector_length, number);
  state.order = order.empty() ? nullptr : &order;
  AtomicOrder atomic_order;
  state.atomic_order = &atomic_order;
  state.epoch = global_shadow::next_epoch();
  state.context = usm_context_of(config.instance);
  detect::LaunchTraffic traffic(options().model());
  if (state.checked && options().models()) state.traffic = &traffic;
  LaunchWeight weight;
  if (script == nullptr && selection.weighs()) state.weight = &weight;
  static FlatShadow& flat = *new FlatShadow;  // the program's destructors may launch
  KnownKernel& known = known_kernels()[lane_function];
  if (may_be_flat(state, known, plain)) {
    flat.renew(state.epoch, state.context, config.team_size);
    state.flat = &flat;
    state.has_company = detect::has_several_instances() && options().enabled(Rule::missing_fence);
    state.fits_flat = known.fits_flat;
    bool const may = may_be_decided(state);
    state.may_be_decided = may && known.asks_arithmetic();
    if (may && !may_read_never_synced(state)) state.remembered = &known.remembered;
    state.waits_in_vain = known.goes_alone();
  } else if (state.checked) {
    bool const hands_over = known.hands_over || plain.may_hand_over(state.kernel);
    state.why_checked = {!config.is_range() ? "its lanes meet"
                         : hands_over       ? "a lane may hand something over to another one"
                                            : "it is not judged word by word: too few blocks, or options"};
  }
  detect::LaunchChecks checks(state);
  state.checks = &checks;
  std::uint32_t const runtime_depth = std::exchange(hot.in_runtime, 0u);
  __teamsan_lane_table.launches = number;
  __teamsan_lane_table.launch = &state;
  {
    AllocationsHeld const held(number);
    WritesOf const writes(state);
    shard.all_of_device = shard.on() && awaits_use_of_cleared_sums();
    run_league(state, selection.expected());
    shard.all_of_device = false;
  }
  __teamsan_lane_table.launch = nullptr;
  hot.in_runtime = runtime_depth;
  if (!state.may_be_decided && state.remembered != nullptr) state.why_checked = known.why_checked;
  if (state.is_decided)
    Collector::instance().count_decided();
  else if (state.checked && options().undecided)
    Collector::instance().count_undecided(config.label, state.why_checked);
  if (!state.checked || !all_tell()) host_objects().clear();  // a lane may have made an object there
  if (!detect::has_several_instances()) detect::keep_latest(state);
  if (script == nullptr) {
    note_latest_launch(state);
    if (options().enabled_by_name(Rule::stale_copy)) {
      check_dual_views(state);
      check_mirrors(state);
    }
    look_for_never_synced(state);
    check_handed_on(state);
  }
  selection.end(config, state.weight);
  if (state.flat != nullptr) {
    known.looked_at = true;
    known.fits_flat = state.fits_flat;
    known.hands_over = flat.has_late();
    known.undecided = state.is_decided ? 0 : known.undecided + 1;
    if (state.may_be_decided) known.why_checked = state.why_checked;
    known.waits_in_vain = state.waits_in_vain;
  }
  if (state.traffic == nullptr) return;
  KernelTraffic counted = traffic.take(config);
  counted.kernel = config.label;
  counted.policy = policy_text(config);
  counted.has_iterate = config.is_range() && !config.is_one_dimensional();
  counted.launches = 1;
  counted.teams_of_all = config.league_size;
  counted.residency = counted.largest = residency_of(state.facts);
  Collector::instance().add_traffic(std::move(counted));
}

void forget_kernels() {
  std::lock_guard const lock(launch_mutex);
  known_kernels().clear();
}

void fence(std::uint32_t instance) {
  RuntimeScope const scope;
  forget_next_shape();
  auto const note = [&] { trace::record(traces::FenceRecord{instance}); };
  detect::end_pending(instance, trace::recording() ? detect::Note(note) : detect::Note());
}

void note_instances() {
  trace::record(traces::InstancesRecord{});
  detect::note_instances();
}

void pend_write(std::uint32_t instance, void const* begin, std::size_t bytes, AsyncWork work) {
  RuntimeScope const scope;
  bool const result = work == AsyncWork::result;
  bool const fill = work == AsyncWork::fill;
  trace::record(traces::PendingRecord{true, result, instance, reinterpret_cast<std::uintptr_t>(begin), bytes, fill});
  detect::pend_access(instance, begin, bytes, true,
                      result ? "the kernel's result"
                      : fill ? detect::fill_actor
                             : "an asynchronous copy",
                      result);
}

void pend_read(std::uint32_t instance, void const* begin, std::size_t bytes) {
  RuntimeScope const scope;
  trace::record(traces::PendingRecord{false, false, instance, reinterpret_cast<std::uintptr_t>(begin), bytes, false});
  detect::pend_access(instance, begin, bytes, false, "an asynchronous copy", false);
}

}  // namespace teamsan
