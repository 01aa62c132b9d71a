// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which View an index ran out of: what lies at the address is another one, often. The View that the access' line names is
/// asked first, where one live View alone has that label; else nothing is known. The indices are found by the View's own
/// strides; those that the line gives as numbers are these, and where one alone is a sum or a difference it is the one outside.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/RawFinding.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace teamsan {
struct LaunchState;
}

namespace teamsan::detect {

/// The View whose index the access is, with the address as an element outside it; none: it is inside, or not known.
std::optional<Data> named_view_left(Access const& access, std::vector<Site> const& callers, std::uintptr_t address);

/// The same where the line names no View, and the one that lies nearest cannot be meant, since the launch's functor holds
/// nothing of it: of those that it holds the nearest, if it is nearer than its own length; none: the functor holds the nearest
/// of all, or no View, or a trace is recorded, whose replay does not know the functor.
std::optional<Data> held_view_left(LaunchState const& launch, Access const& access, std::vector<Site> const& callers,
                                   std::uintptr_t address);

/// Does the line use what an index of an UnorderedMap refers to? value_at() gives a reference, and the access is behind it.
bool is_entry_of_map(Access const& access, std::vector<Site> const& callers);

/// The index of the View that lies nearest, as the line's own says which of its parts is outside; empty: it does not.
std::string index_written(Access const& access, std::vector<Site> const& callers, std::uintptr_t address);

}  // namespace teamsan::detect
