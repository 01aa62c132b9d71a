/// One team in flight: its lanes, in what order they run, where they meet, and what they have done so far. A team lives
/// on one OS thread from its first lane to its last; it may be left while all its lanes spin, and resumed there.
///
/// Lanes run one at a time, each until it meets others, spins, or ends; then the next one in lane order runs. A lane
/// that has never waited needs no fiber of its own: it is called by the fiber whose lane ended before it.
#pragma once

#include <teamsan/sim/machine/AtomicOrder.hpp>
#include <teamsan/sim/detect/Race.hpp>
#include <teamsan/sim/detect/GlobalStores.hpp>
#include <teamsan/sim/findings/RawFinding.hpp>
#include <teamsan/sim/detect/TrafficCounter.hpp>
#include <teamsan/sim/detect/Uninit.hpp>
#include <teamsan/sim/detect/LaneRedundant.hpp>
#include <teamsan/sim/machine/Ordering.hpp>
#include <teamsan/sim/machine/Fiber.hpp>
#include <teamsan/sim/machine/Lane.hpp>
#include <teamsan/sim/machine/LaneSet.hpp>
#include <teamsan/sim/machine/Launch.hpp>
#include <teamsan/sim/base/Synchronisation.hpp>
#include <teamsan/sim/machine/WarpLog.hpp>
#include <teamsan/sim/memory/Scratch.hpp>
#include <teamsan/sim/memory/TeamShadow.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/sim/replay/TeamReplay.hpp>
#include <teamsan/sim/trace/TeamTrace.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace teamsan {

enum class LaneStatus : std::uint8_t { fresh, ready, at_team_meeting, at_thread_meeting, done };

/// Why a lane lets others run, and what each repetition counts towards a deadlock: a repeated atomic access is a sign of
/// waiting, repeated plain reads are mostly a computation's, and of accesses that are not checked nothing is known.
enum class Repetition : std::uint8_t { unseen = 0, plain = 1, atomic = 40 };

struct LaneState {
  Lane lane;
  LaneStatus status;
  Meeting meeting;
  std::uintptr_t throw_site;   ///< call of the latest throw
  std::vector<std::uintptr_t> throw_callers;
  std::uint8_t no_switch;      ///< > 0: inside a lock-based atomic
  bool storing_result;         ///< inside a ResultScope
  std::uint32_t scopes;        ///< bit per Scope the lane is inside of
  std::uintptr_t site;         ///< where it waits
  void* value;                 ///< what it brought to the meeting
  Fiber* fiber;
  std::uintptr_t* call_top;    ///< in fiber->calls
  Who event;                   ///< stamp since its latest release, acquire or fence; older than a meeting's: that counts
  std::uint32_t fence;         ///< tick behind its latest fence; 0: none
  std::uint32_t fences;        ///< since it last met, released or acquired
  std::uint32_t strays;        ///< accesses out of bounds
};

/// A conflicting store whose new value is not known yet: the compiler calls us before it. Looked at when the lane is
/// left: the same value as before is no race but its own rule, or nothing at all within one thread or when a
/// collective's result was stored.
struct PendingStore {
  std::uintptr_t address;
  std::uint32_t bytes;
  unsigned char before[16];
  bool same_thread;        ///< conflicts only with vector lanes of its own thread
  bool result;             ///< a lane's store of a collective's result
  detect::Key key;
  detect::DeferredRace race;
};

/// A meeting that was passed, and where.
struct MeetingPlace {
  Meeting meeting{};
  std::uintptr_t site = 0;
};

/// Stamps of a thread's latest meetings: of one that ordered all accesses, one that ordered reads, one that orders on
/// CUDA. Each is at least the one before; under --sync cuda they are equal.
struct ThreadStamps {
  Who writes, reads, cuda;
  MeetingPlace passed;  ///< the latest that orders on CUDA
};

class CommitQueue;

/// The part of a launch that all its teams share and none changes.
struct LaunchState {
  detect::LaunchFacts facts;
  void const* kernel = nullptr;
  std::size_t kernel_bytes = 0;
  LaneFunction function = nullptr;
  std::uint32_t epoch = 0;
  std::uint32_t context = 0;  ///< that its instance belongs to, see Usm.hpp
  detect::AtomicOrder* atomic_order = nullptr;
  CommitQueue* commit = nullptr;
  unsigned workers = 1;  ///< threads that run its teams, at most
  bool checked = true;                      ///< this launch is selected for checking
  detect::LaunchTraffic* traffic = nullptr;  ///< nullptr: the machine model is not asked
  std::vector<std::uint32_t> const* order = nullptr;  ///< position -> lane index; nullptr: ascending
};

class Team {
 public:
  explicit Team(FiberPool& fibers) : m_fibers(fibers), m_exceptions(ExceptionState::of_this_thread()) {}

  /// Makes ready to run that team of that launch, with its scratch in that slot of the arena.
  void begin(LaunchState const& launch, std::uint64_t league_rank, std::uint32_t scratch_slot);

  /// Runs until all lanes are done (true), or until all that could run are spinning (false).
  bool resume();

  /// All lanes wait for something that will not come: makes the finding and gives the lanes up.
  void give_up();

  std::uint64_t league_rank() const { return m_league_rank; }
  LaunchState const& launch() const { return *m_launch; }
  bool checked() const { return m_checked; }
  /// Nothing of the team counts: what it is to do is not known any more.
  void leave_unchecked() {
    m_checked = false;
    refresh_ranges();
  }
  bool progressed() const { return m_progress; }
  /// What the lanes spun through since one of them last got on, in repeated accesses.
  std::uint64_t spun() const { return m_spun; }

  // What the team leaves behind, for its commit.
  TeamShadow& shadow() { return *m_shadow; }
  std::unique_ptr<TeamShadow>& shadow_owner() { return m_shadow; }
  detect::FindingList& findings() { return m_findings; }
  /// What lane i printed to standard output.
  std::vector<std::string>& output() { return m_output; }
  bool printed() const { return m_printed; }
  trace::TeamRecording& recording() { return m_recording; }

  // For the running lane.
  void meet_team(Meeting meeting, void* value, Combine combine, void const* context, std::uintptr_t site);
  void meet_thread(Meeting meeting, void* value, Combine combine, void const* context, std::uintptr_t site);
  /// The running lane repeats itself: others get their turns.
  void yield(Repetition what);
  /// It has left its bounds once more. One that does so without end is not run on, and its team with it: a GPU would have
  /// stopped it at the first time, and what it touches would take all memory.
  void note_stray();
  /// The running lane's warp has logged enough: lets the other lanes come as far.
  void take_turns();
  /// What the team's lanes do is recorded here; or it comes from there.
  trace::TeamTrace* team_trace() { return m_trace.get(); }
  trace::TeamReplay* replay() { return m_replay.get(); }
  /// Much was recorded: it goes to the file if it may.
  void cut_recording();
  /// The team does no more.
  void finish_recording();
  WarpLog* warp_log() { return m_warp_log.get(); }
  detect::TrafficCounter& traffic() { return m_traffic; }
  Scratch& scratch() { return m_scratch; }
  void refresh_ranges();
  detect::Runner runner() const;
  std::uint64_t interval() const { return m_interval; }
  /// The meeting by which the CUDA backend orders an earlier access with the running lane, or nullptr.
  MeetingPlace const* cuda_orders(Who earlier) const;
  /// Where the current barrier interval began; 0: at the start of the kernel.
  std::uintptr_t last_barrier() const { return m_last_barrier; }
  detect::UninitReads& uninit_reads() { return m_uninit; }
  detect::RacedStores& raced_stores() { return m_raced_stores; }
  detect::GlobalStores& global_stores() { return m_global_stores; }
  detect::UninitReads& uninit_global_reads() { return m_uninit_global; }
  /// For another thread, while the team runs.
  detect::GlobalStores global_stores_so_far();
  detect::LaneRedundant& lane_redundant() { return m_lane_redundant; }
  std::size_t pending_count() const { return m_pending.size(); }
  void add_pending(PendingStore&& store) {
    if (m_pending.size() == most_pending) resolve_pending();  // the lane has made all of these stores
    m_pending.push_back(std::move(store));
  }
  // What the running lane orders by fences and atomics (AtomicOrder.hpp).
  void note_fence();
  /// It changes the atomic at this address next. `ordered`: with a release order; otherwise its latest fence counts.
  void note_release(std::uintptr_t address, bool ordered);
  /// It has read or updated it.
  void note_acquire(std::uintptr_t address, bool replayed = false);
  /// It changes a word by an atomic that another lane has so changed, in no order with it.
  void note_shared_atomic(std::uint32_t pc);
  /// What the team released and acquired; nullptr: nothing.
  detect::AtomicOrder::Log const* order_log() const { return m_order_log; }
  std::string& output_of(LaneState const& lane);
  void note_progress() {
    m_progress = true;
    m_spun = 0;
  }
  LaneState const& lane_state(std::uint32_t index) const { return m_lanes[index]; }
  std::uint32_t lane_count() const { return m_count; }

  /// Entry of every fiber.
  static void fiber_main(boost::context::detail::transfer_t from);

 private:
  friend struct LaneTable;
  static constexpr std::size_t most_pending = 1024;
  void run_lanes();
  void run_lane(LaneState& lane);
  void make_current(LaneState& lane);
  void leave_current();
  [[gnu::noinline]] void enter_logs(std::uint32_t lane);
  [[gnu::noinline]] void leave_logs(std::uint32_t lane);
  void resolve_pending();
  void abandon_lanes();

  LaneState* next_after(LaneState const& lane);
  LaneState* when_stuck();
  void wait(LaneState& lane);
  void switch_to(LaneState& lane);
  void jump(Fiber* to);
  [[gnu::noinline]] void exchange_exceptions(Fiber& from, Fiber& to);
  void complete_team_meeting(LaneState* last);
  void release_team(Order order, Order on_cuda);
  void release_thread(std::uint32_t thread, Order order, Order on_cuda);
  void order_team(Order order, Order on_cuda);
  void order_thread(std::uint32_t thread, Order order, Order on_cuda);
  void forget_reads();
  void advance_tick();
  void refresh_stamps(LaneState const& lane);
  void refresh_index();
  void begin_segment();
  void begin_event(LaneState& lane);
  detect::AtomicOrder::Standing standing(LaneState const& lane) const;
  std::uint32_t latest_fence(LaneState const& lane) const;
  void renumber();
  bool counts_warps() const { return m_counts_warps; }
  void count_warp(std::uint32_t warp);
  void count_all_warps();
  std::uint32_t position(LaneState const& lane) const {
    return m_positions.empty() ? lane.lane.index : m_positions[lane.lane.index];
  }
  LaneState& at_position(std::uint32_t p) {
    return m_lanes[m_launch->order ? (*m_launch->order)[p] : p];
  }

  FiberPool& m_fibers;
  ExceptionState& m_exceptions;  ///< of the team's thread: the running lane's
  LaunchState const* m_launch = nullptr;
  std::uint64_t m_league_rank = 0;
  bool m_checked = true;
  bool m_owned = true;  ///< this shard checks what is found within the team

  std::vector<LaneState> m_lanes;
  std::vector<std::uint32_t> m_positions;  ///< lane index -> position; empty: the same
  LaneSet m_ready;
  std::uint32_t m_count = 0;
  std::uint32_t m_alive = 0;
  std::uint32_t m_at_team_meeting = 0;
  std::vector<std::uint32_t> m_at_thread_meeting;  ///< per thread
  LaneState* m_next = nullptr;                     ///< fresh lane for the fiber being entered
  LaneState* m_last = nullptr;                     ///< lane that ran last, where to go on when resumed
  Fiber m_main;
  Fiber* m_running = nullptr;
  Fiber* m_leaving = nullptr;

  std::uint32_t m_tick = 1;
  Who m_floor = who::first_stamp;
  Who m_cuda_floor = who::first_stamp;  ///< the floor as the CUDA backend's barriers make it; m_floor or later
  MeetingPlace m_cuda_passed;
  std::vector<ThreadStamps> m_threads;
  Sync m_sync = Sync::cuda;
  std::uint64_t m_interval = 0;
  std::uintptr_t m_last_barrier = 0;
  std::uint64_t m_yields = 0;
  std::uint64_t m_spun = 0;
  bool m_progress = false;
  bool m_ran_away = false;  ///< a lane did

  detect::AtomicOrder::Log* m_order_log = nullptr;  ///< nullptr: the team has released and acquired nothing
  std::uint32_t m_fence = 0;          ///< tick behind the latest fence of any lane
  std::uint32_t m_fence_met = 0;      ///< of those before the last barrier
  bool m_acquired = false;            ///< since the last barrier

  Meeting m_meeting{};            ///< of the first lane that arrived
  std::uintptr_t m_meeting_site = 0;
  bool m_mixed = false;           ///< others came from elsewhere
  Combine m_combine = nullptr;
  void const* m_context = nullptr;
  std::vector<void*> m_values;

  bool m_logged = false;  ///< what lanes do is counted or recorded
  bool m_counts_warps = false;
  std::unique_ptr<WarpLog> m_warp_log;
  detect::TrafficCounter m_traffic;

  bool m_traced = false;
  std::unique_ptr<trace::TeamTrace> m_trace;
  trace::TeamRecording m_recording;
  std::unique_ptr<trace::TeamReplay> m_replay;

  Scratch m_scratch;
  std::unique_ptr<TeamShadow> m_shadow;
  detect::FindingList m_findings;
  std::vector<PendingStore> m_pending;
  detect::GlobalStores m_global_stores;
  std::timed_mutex m_stores_mutex;  ///< held while a running team adds to them
  detect::LaneRedundant m_lane_redundant;
  detect::UninitReads m_uninit;
  detect::RacedStores m_raced_stores;
  detect::UninitReads m_uninit_global;
  std::vector<std::string> m_output;
  bool m_printed = false;
  std::vector<std::uint32_t> m_shared_atomics;  ///< instructions, each once; see note_shared_atomic
};

}  // namespace teamsan
