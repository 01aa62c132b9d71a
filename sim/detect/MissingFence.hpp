// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// missing-fence: what the kernels of an execution space instance did since that instance was last fenced is pending.
/// Host code that touches it, or a kernel of another instance, races with it. Kernels run at once here, so this is
/// decided from the fences alone, per byte: two instances on different parts of a View do not meet. The end of an instance's
/// last copy is a fence (backends/simt/spaces/ExecutionSpace.hpp).
///
/// On a device without concurrent access the host must keep off every byte of a shared allocation that a pending kernel
/// has touched.
///
/// Kept for shared and pinned memory always, for device memory once the program has made a second instance: the host
/// cannot touch that, and kernels of one instance are ordered; what the latest launch before that did is pending then, as far
/// as it is known (LatestLaunch.hpp). Results of reductions and asynchronous copies are
/// pending writes too, in host memory as well. Errs towards silence: a kernel that orders itself with atomics is taken to
/// be ordered, of host memory only the thread that asked for the result is looked at, and what one host thread does while
/// another one's kernel runs is not held against that kernel, though it may be a race. What a copy reads of host memory is
/// pending, too: against stores to it, and against its end, a free. Not that of a stack, where Kokkos keeps values that it
/// copies itself, nor what one call of the user's both copies and frees.
#pragma once

#include "../findings/RawFinding.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace teamsan {
class LaneRows;
class FlatShadow;
class TeamShadow;
struct Access;
}  // namespace teamsan

namespace teamsan::detect {

class LaunchWords;
using Note = std::function<void()>;

/// A launch begins: what other host threads ask for is beside it from here on.
void begin_launch(LaunchFacts const& facts, Note const& note);

/// The running launch's side. Its teams are added in league order.
class PendingLaunch {
 public:
  explicit PendingLaunch(LaunchFacts const& facts);
  ~PendingLaunch();
  void add(std::uint64_t league_rank, TeamShadow& shadow);
  /// And behind them the words of a flat launch, of so many teams.
  void add(FlatShadow& flat, std::uint64_t teams);
  /// All teams behind the first, whose lanes arithmetic knows: they run unseen. False: that would lose what is pending, or what
  /// they may meet.
  bool take(LaneRows const& of_lanes, LaunchWords const& first_block);
  /// The launch has ended: hands its findings to the collector. `ordered`: it ordered itself with atomics.
  /// `more_beside`: what other host threads did beside it may still come, until end_beside(). `note` is called as it takes
  /// effect: a trace holds what the host does in the order of the effects.
  void end(bool ordered, bool more_beside, Note const& note);

 private:
  struct State;
  void make_state();
  LaunchFacts const* m_facts;  ///< nullptr: nobody asks
  std::unique_ptr<State> m_state;  ///< once something may be pending: of most launches nothing is
};

/// The program makes an execution space instance of its own: from now on device memory is looked at.
void note_instances();
bool has_several_instances();

/// A node of a graph begins, whose launch asks for that instance, behind those that edges put before it; it ends. Of a node
/// that has begun before, the graph is submitted anew. Nodes that no edges order may run at the same time.
void begin_node(void const* node, std::uint32_t instance, std::vector<void const*> const& before);
void end_node();

/// The latest launch, and with it its instance, has been fenced since.
bool is_latest_launch_fenced();

/// The instance (all: ~0u) is fenced: nothing of it is pending.
void end_pending(std::uint32_t instance, Note const& note = {});

/// Nothing more will come that host threads did beside the launch.
void end_beside();

/// The actor that fills a View, as it is made or later.
inline constexpr char const* fill_actor = "an asynchronous fill";

/// Something other than a lane writes (reads) memory on the instance's behalf and is not waited for. `actor` says what
/// it is, for reports; the kernel is the instance's last one if `of_kernel`.
void pend_access(std::uint32_t instance, void const* begin, std::size_t bytes, bool writes, char const* actor,
                 bool of_kernel);

/// May what the device does there be pending for somebody, so that pend_access would keep it?
bool may_pend(void const* pointer);

/// Host code touches shared or pinned memory, or host memory where a result is pending; of kind `none`: frees it.
void check_host_access(Access const& access);

}  // namespace teamsan::detect
