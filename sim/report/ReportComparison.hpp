// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two reports of one program, before a change and after it: which findings are gone, new or kept, and what each kernel and
/// each source line asks of memory now against then. Findings are the same if their ids are, which stay when lines move; lines
/// of a kernel are the same if they read the same, do the same to the same data, and are the n-th such line in both.
#pragma once

#include "Report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// A number before and after. What one side lacks is 0 there.
struct BeforeAfter {
  std::uint64_t before = 0, after = 0;
  bool same() const { return before == after; }
  /// "x0.25", "new", "gone", "-" where both are 0.
  std::string ratio() const;
};

struct ComparedCounts {
  BeforeAfter requests, wavefronts, sectors;
  bool same() const { return requests.same() && wavefronts.same() && sectors.same(); }
};

struct ComparedLine {
  std::string where;      ///< "src/a.cpp:12", after the change if it is there
  std::string source;     ///< normalised
  std::string operation;  ///< "load of 4 bytes from x"
  bool banked = false;
  ComparedCounts counts;
};

struct ComparedKernel {
  std::string name;
  bool before = true, after = true;  ///< is it in that report?
  ComparedCounts counts;
  BeforeAfter bytes;                ///< moved
  double seconds_before = 0, seconds_after = 0;  ///< modelled cost; 0 where no device says
  std::vector<ComparedLine> lines;  ///< those that differ
};

struct ReportComparison {
  std::string first, second;                ///< files or what else names them
  std::string first_device, second_device;  ///< "NVIDIA H100 (SXM5, sm_90)"
  std::vector<ReportedFinding> gone, fresh;
  std::vector<std::pair<ReportedFinding, ReportedFinding>> kept;
  std::vector<ComparedKernel> kernels;  ///< as they appear before; those that are new after them

  /// New findings that are errors or warnings.
  std::uint64_t worse() const;
};

ReportComparison compare_reports(Report const& first, std::string const& first_name, Report const& second,
                                 std::string const& second_name);

std::string comparison_text(ReportComparison const& comparison);
/// The table of kernels alone, as it stands in comparison_text.
std::string comparison_table(ReportComparison const& comparison);
/// docs/compare.md describes it.
std::string comparison_json(ReportComparison const& comparison);
/// One self-contained page.
std::string comparison_page(ReportComparison const& comparison);

}  // namespace teamsan
