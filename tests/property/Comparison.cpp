// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace property {

std::string difference(Program const& program, Result const& expected, Result const& got) {
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    if (expected.values[k] != got.values[k])
      return fmt::format("kernel {} reduces to {}, not {}", k, got.values[k], expected.values[k]);
    auto const& e = expected.lanes[k];
    auto const& g = got.lanes[k];
    auto const at = std::mismatch(e.begin(), e.end(), g.begin(), g.end());
    if (at.first != e.end() || at.second != g.end())
      return fmt::format("registers of lane {} in kernel {} differ", at.first - e.begin(), k);
  }
  for (std::size_t a = 0; a < expected.arrays.size(); ++a)
    for (std::size_t i = 0; i < expected.arrays[a].size(); ++i)
      if (expected.written[a][i] && expected.arrays[a][i] != got.arrays[a][i])
        return fmt::format("element {} of array {} is {}, not {}", i, a, got.arrays[a][i],
                           expected.arrays[a][i]);
  return {};
}

std::set<Fault> missed(Verdict const& verdict, Run const& run) {
  std::set<Fault> faults;
  std::set_difference(verdict.certain.begin(), verdict.certain.end(), run.found.begin(), run.found.end(),
                      std::inserter(faults, faults.end()));
  return faults;
}

std::set<Fault> found_as_same_value(Verdict const& verdict, Run const& run) {
  using teamsan::Rule;
  std::set<Fault> faults;
  for (Fault const& fault : missed(verdict, run))
    if ((fault.rule == Rule::scratch_race || fault.rule == Rule::global_race) &&
        !verdict.different.contains(fault.array) && run.found.contains({Rule::same_value, fault.array}))
      faults.insert(fault);
  return faults;
}

std::set<Fault> invented(Verdict const& verdict, Run const& run) {
  std::set<Fault> faults;
  if (verdict.anything) return faults;
  for (Fault const& fault : run.found)
    if (!verdict.certain.contains(fault) && !verdict.possible.contains(fault)) faults.insert(fault);
  return faults;
}

}  // namespace property
