// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which kernels --kernel-name, --kernel-regex and --kernel-name-exclude name, by their labels, and --region, by the profiling
/// regions that they are launched in. The words of compute-sanitizer (kns=TEXT, kne=LABEL) and Nsight Compute (regex:REGEX) are
/// understood.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

struct Options;

class KernelNames {
 public:
  /// Throws OptionError for a pattern that is none.
  explicit KernelNames(Options const& options);
  ~KernelNames();
  KernelNames(KernelNames const&) = delete;
  KernelNames& operator=(KernelNames const&) = delete;

  /// `region`: "solve > assemble"; empty: none.
  bool match(std::string_view label, std::string_view region) const;

 private:
  struct Pattern;
  void add(std::vector<Pattern>& to, std::string_view option, std::string_view text);

  std::vector<Pattern> m_in, m_out, m_regions;
};

}  // namespace teamsan
