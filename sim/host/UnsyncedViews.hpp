// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The DualViews to whose device side nothing has come yet, from the allocations that make one to the end of these: what
/// NeverSynced.hpp looks at.
#pragma once

#include "../base/Lane.hpp"
#include "../findings/Finding.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace teamsan {

struct Allocation;

struct UnsyncedView {
  std::string label = {};
  std::uintptr_t device = 0, host = 0;
  std::size_t bytes = 0;
  std::uint64_t device_serial = 0, host_serial = 0, flags_serial = 0;  ///< others may lie there later
  std::uint64_t written_at = 0;                                        ///< the device's side, by its initialisation
  std::vector<Site> calls = {};                                        ///< to its allocation
  std::vector<Site> modified = {};  ///< the host's calls that declared its side modified; none: nobody did
  unsigned looks = 0;               ///< so many launches held it
  std::unordered_map<LaneFunction, std::uint64_t> launches_of = {};  ///< of them that arithmetic did not decide, by kernel
  std::optional<Finding> found = {};                                 ///< to be told if nothing comes there until its end
  bool is_device_gone = false;                                       ///< and nothing had come there

  /// What its device's side is now; nullptr: that is not there any more. Allocations are held.
  Allocation const* allocation() const;
  /// Has nothing come there, but for what a kernel stores? Allocations are held.
  bool is_untouched() const;
  bool are_all_zeros() const;
};

/// By the address of their flags. `mutex` is held for all but `any`.
struct UnsyncedViews {
  using All = std::map<unsigned const*, UnsyncedView>;

  std::mutex mutex;
  std::atomic<bool> any{false};
  All by_flags;
  std::map<std::uintptr_t, unsigned const*> by_device;  ///< where the device's side is there: each launch, each free asks

  static UnsyncedViews& instance();

  /// Its device's side is not looked for any more.
  void forget_device(All::iterator it);
  void forget(All::iterator it);
  /// Of which the address lies in the device's side; end: of none.
  All::iterator find_by_device(std::uintptr_t address);
};

/// The DualView has ended. Not under the mutex: to tell may end the program.
void tell_never_synced(unsigned const* flags, UnsyncedView& ended);

}  // namespace teamsan
