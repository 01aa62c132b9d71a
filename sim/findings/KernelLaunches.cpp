// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelLaunches.hpp"

#include <fmt/format.h>

namespace teamsan {

void KernelLaunches::add(bool is_checked, LaunchCost const& cost) {
  ++launches;
  plain += cost.plain;
  if (cost.lanes != 0) {
    accesses = cost.accesses;
    lanes = cost.lanes;
  }
  if (!is_checked) return;
  ++launches_checked;
  plain_checked += cost.plain;
  if (!checked.empty() && checked.back().second + 1 == launches)
    checked.back().second = launches;
  else
    checked.emplace_back(launches, launches);
}

std::string to_string(LaunchRuns const& runs, std::size_t most) {
  std::string text;
  std::uint64_t more = 0;
  for (std::size_t i = 0; i != runs.size(); ++i) {
    auto const [first, last] = runs[i];
    if (i >= most) {
      more += last - first + 1;
      continue;
    }
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last != first) text += fmt::format("-{}", last);
  }
  if (more != 0) text += fmt::format(" and {} more", more);
  return text;
}

}  // namespace teamsan
