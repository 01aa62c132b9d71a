// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChosenLaunches.hpp"

#include "../findings/TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace teamsan {

namespace {

/// Of kernels and of a kernel's launches: more are in the JSON report.
constexpr std::size_t most_kernels = 10, most_runs = 12;

std::uint64_t unchecked_cost(KernelLaunches const& kernel) { return kernel.plain - kernel.plain_checked; }

}  // namespace

void tell_chosen_launches(ProgramFacts& program) {
  if (program.chosen_by.empty() || program.launches == 0) return;
  std::uint64_t plain = 0, checked = 0;
  std::vector<KernelLaunches const*> partly;
  for (KernelLaunches const& kernel : program.kernel_launches) {
    plain += kernel.plain;
    checked += kernel.plain_checked;
    if (kernel.launches_checked != kernel.launches) partly.push_back(&kernel);
  }
  double const share = plain == 0 ? 100 : 100 * static_cast<double>(checked) / static_cast<double>(plain);
  program.notes.push_back(fmt::format(
      "{}: {} of {} were checked, {:.3g} % of what all of them cost unchecked (counted in lanes and accesses)",
      program.chosen_by, with_commas(program.launches_checked), counted(program.launches, "launch"), share));
  std::stable_sort(partly.begin(), partly.end(), [](KernelLaunches const* a, KernelLaunches const* b) {
    return unchecked_cost(*a) > unchecked_cost(*b);
  });
  std::size_t const shown = std::min(most_kernels, partly.size());
  for (std::size_t i = 0; i != shown; ++i) {
    KernelLaunches const& kernel = *partly[i];
    std::string const which = kernel.checked.empty() ? "none" : fmt::format("of them {}", to_string(kernel.checked, most_runs));
    program.notes.push_back(fmt::format("kernel \"{}\", {}: {}, checked {}", kernel.kernel, kernel.policy,
                                        counted(kernel.launches, "launch"), which));
  }
  if (shown != partly.size())
    program.notes.push_back(fmt::format("of {} not all launches were checked, either: --report json=FILE lists them",
                                        counted(partly.size() - shown, "more kernel")));
}

bool all_launches_checked(ProgramFacts const& program, std::string_view kernel) {
  if (program.launches_checked == program.launches) return true;
  std::uint64_t launches = 0, checked = 0;
  for (KernelLaunches const& of : program.kernel_launches) {
    if (of.kernel != kernel) continue;
    launches += of.launches;
    checked += of.launches_checked;
  }
  return launches != 0 && launches == checked;
}

}  // namespace teamsan
