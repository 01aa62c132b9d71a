// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which source line of a kernel is shown first: the one with the greater excess; of equal ones the place decides, since where
/// a compiler put their code says nothing.
#pragma once

#include "Traffic.hpp"

#include <tuple>

namespace teamsan {

inline bool comes_first(ReportedSite const& a, ReportedSite const& b) {
  if (a.excess() != b.excess()) return a.excess() > b.excess();
  return std::tie(a.place.path, a.place.line, a.place.column, a.site.operation, a.site.data.label) <
         std::tie(b.place.path, b.place.line, b.place.column, b.site.operation, b.site.data.label);
}

}  // namespace teamsan
