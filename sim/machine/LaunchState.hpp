// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of a launch that all its teams share and none changes.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Lane.hpp"
#include "../base/LaunchConfig.hpp"
#include "../base/WhyChecked.hpp"
#include "AtomicOrder.hpp"
#include "LaunchWeight.hpp"
#include "../trace/Answers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace teamsan {

namespace detect {
class LaunchChecks;
class LaunchTraffic;
}  // namespace detect

class CommitQueue;
class FlatShadow;
class RememberedLaunches;

/// What the teams of a replayed launch do again. One worker asks, in league order.
class LaunchScript {
 public:
  virtual ~LaunchScript() = default;
  /// The first team of the launch from that rank on that is there; `size`: none is.
  virtual std::uint64_t next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size) = 0;
  /// Is the team there, whole? Then `answers` are its own: another team's may be used again.
  virtual bool begin_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes,
                          std::unique_ptr<trace::Answers>& answers) = 0;
  /// What atomics were asked about the team's order with others when it was committed.
  virtual std::unordered_map<std::uint64_t, bool> const& verdicts(std::uint64_t launch, std::uint64_t league_rank) = 0;
  /// Did the run check the launch that comes now?
  virtual bool checked() { return true; }
  /// The host's calls to the launch that comes now.
  virtual std::vector<Site> calls() { return {}; }
};

struct LaunchState {
  LaunchFacts facts;
  void const* kernel = nullptr;
  std::size_t kernel_bytes = 0;
  LaneFunction function = nullptr;
  LaneSteps const* steps = nullptr;  ///< nullptr: it has none
  /// Of a replay: teams begin in league order, and nothing touches memory; nullptr: a live launch.
  LaunchScript* script = nullptr;
  std::uint32_t epoch = 0;
  std::uint32_t context = 0;  ///< that its instance belongs to, see host/Usm.hpp
  AtomicOrder* atomic_order = nullptr;
  CommitQueue* commit = nullptr;
  unsigned workers = 1;  ///< threads that run its teams, at most
  bool waits_in_vain = false;  ///< workers would wait for each other again and again: one is to run it, or has gone on alone
  bool checked = true;   ///< this launch is selected for checking
  std::uint32_t folded = 1;  ///< a thread's vector lanes, which run as one, of which `facts` know (Lane::folded)
  FlatShadow* flat = nullptr;  ///< nullptr: it cannot be a flat launch (memory/FlatWord.hpp)
  bool has_company = false;  ///< other instances may have work pending: what it touches is gone through at its end
  bool fits_flat = false;      ///< as far as its kernel is known: from an earlier launch, or once its first team has ended
  bool is_flat = false;        ///< it is one, from its first team on, or from its second if that had to be looked at
  detect::LaunchChecks* checks = nullptr;
  LaunchWeight* weight = nullptr;                     ///< nullptr: accesses are not counted
  detect::LaunchTraffic* traffic = nullptr;           ///< nullptr: the machine model is not asked
  std::vector<std::uint32_t> const* order = nullptr;  ///< position -> lane index; nullptr: ascending
  PlainBodies plain;  ///< for what is not checked; none: that runs as what is
  bool may_be_decided = false;  ///< by arithmetic (DecidedLaunch.hpp): whatever else it would be asked for is not
  RememberedLaunches* remembered = nullptr;  ///< of its kernel, where it might be decided if it is like an earlier one
  bool is_decided = false;      ///< so it was
  WhyChecked why_checked;       ///< if it was not

  /// Is anything that its lanes do checked, counted or recorded?
  bool is_checked() const;
  /// And of the lanes of that team?
  bool checks_team(std::uint64_t league_rank) const;
};

}  // namespace teamsan
