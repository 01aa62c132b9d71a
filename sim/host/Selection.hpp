// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches are checked: --kernel-name and its like, --region, --launch-skip, --launch-count; of those that these let
/// through --sample, --budget, --launches-of, and --shard with --by. The choice hangs on what the program launches, never on
/// how it ran (but for a budget of time).
#pragma once

#include "../base/Lane.hpp"
#include "../base/LaunchConfig.hpp"
#include "../machine/Expected.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace teamsan {

class LaunchScript;
class LaunchWeight;

/// A launch that is about to begin.
struct ComingLaunch {
  LaunchConfig const& config;
  LaneFunction function = nullptr;
  void const* kernel = nullptr;
  std::size_t kernel_bytes = 0;
  LaunchScript* script = nullptr;  ///< of a replay: the recorded run has chosen
  PlainBodies plain{};             ///< what runs if it is not checked
};

class Selection {
 public:
  /// The program's. Its launches take turns.
  static Selection& instance();

  Selection();
  ~Selection();

  /// Asked once per launch, in order: is it checked? Once one is left out, or a team, what it writes is not seen: reads of
  /// device memory that was allocated before it are then no longer reported as uninitialised, and a note says so.
  bool begin(ComingLaunch const& launch);
  /// Are accesses of the launch to be counted? Of those that are looked at in any case.
  bool weighs() const;
  /// How long is the launch likely to take? By what was counted of its kernel's accesses before, or where nothing was, as of
  /// launches that are not checked, by how long the latest one took. Findings do not hang on it.
  Expected expected() const;
  /// That launch has ended; `weight`: if it was weighed.
  void end(LaunchConfig const& config, LaunchWeight const* weight);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace teamsan
