// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For which spaces an object's kernels were compiled, by the symbols of Kokkos' patterns. What Kokkos launches for itself is
/// left out, whether its library is static or shared; algorithms run the caller's code and count. Kernels that the optimiser
/// put into their callers have no symbol and are not seen.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

class CompiledKernels {
 public:
  /// A mangled name; any.
  void add(char const* symbol);

  /// Host spaces of kernels that the simulated GPU has not, and of those that it has too.
  std::vector<std::string> spaces(bool simulated_too) const;

 private:
  std::set<std::string> m_simulated;                     ///< functors' names, without template arguments
  std::map<std::string, std::set<std::string>> m_hosts;  ///< the same by space
};

}  // namespace teamsan
