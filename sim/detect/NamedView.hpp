// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which View an index ran out of: what lies at the address is another one, often. The View that the access' line names is
/// asked first, where one live View alone has that label; else nothing is known. The indices are found by the View's own
/// strides, those that the line gives as numbers aside.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/RawFinding.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan::detect {

/// The View whose index the access is, with the address as an element outside it; none: it is inside, or not known.
std::optional<Data> named_view_left(Access const& access, std::vector<Site> const& callers, std::uintptr_t address);

}  // namespace teamsan::detect
