// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which races on a word of device memory are told, where lanes never meet: for each two kinds of access that conflict the two
/// lanes, in league order, that were the first to do so in no order. However many lines race on the word, and whichever way
/// their launch is judged (FlatLaunch.hpp, RacedWords.hpp), these are told.
#pragma once

#include "../base/Access.hpp"
#include "../memory/FlatShadow.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace teamsan::detect {

/// An access that is known of a word.
struct JoinedAccess {
  AccessKind kind;
  FlatShadow::Mark mark;
  std::uint32_t tick = 0;  ///< 0: nothing can have ordered it
};
inline AccessKind recorded_kind(JoinedAccess const& access) { return access.kind; }
/// A plain access in Kokkos' atomics is a part of one.
AccessKind kind_in_truth(JoinedAccess const& access);

/// Of a word or a byte.
struct Conflicts {
  /// Who writes comes first; of two that do, the earlier one. None with the same two kinds as another one.
  std::vector<std::pair<JoinedAccess, JoinedAccess>> pairs;
  bool lacks_some = false;  ///< those that are known are ordered, and there were more
};
/// Of the first two lanes of each kind. `late`: accesses of those bytes by lanes that may be ordered. `kind_of` says what an
/// access was in truth, `ordered` whether atomics order two.
Conflicts conflicts(FlatShadow::Deeds const& deeds, std::vector<FlatShadow::Late> const& late = {}, bool lacks_late = false,
                    AccessKind (*kind_of)(JoinedAccess const&) = recorded_kind,
                    std::function<bool(JoinedAccess const&, JoinedAccess const&)> const& ordered = {});

/// Two kinds that conflict: so many there are, and which of them these are.
inline constexpr std::size_t conflicting_kinds = 5;
std::size_t index_of_kinds(AccessKind a, AccessKind b);

}  // namespace teamsan::detect
