// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "JsonReader.hpp"
#include "Suppressions.hpp"
#include "Writers.hpp"
#include "../../traces/InputFile.hpp"

#include <fmt/format.h>

namespace teamsan {

namespace {

/// What the report in that file says of launches. Throws OptionError.
std::vector<EarlierKernel> earlier_run(std::string_view option, std::string const& file) {
  if (file.empty()) return {};
  Report report;
  try {
    report = read_json_report(traces::read_text_file(from_start_directory(file)), file);
  } catch (traces::InputError const& error) {
    throw OptionError(fmt::format("{}: cannot read \"{}\": {}", option_name(option), file, error.what()));
  } catch (ReportReadError const& error) {
    throw OptionError(fmt::format("{}: {}", option_name(option), error.what()));
  }
  if (report.program.kernel_launches.empty())
    throw OptionError(fmt::format("{}: \"{}\" says nothing of launches: it is of a run without any, or of an older TeamSan",
                                  option_name(option), file));
  std::vector<EarlierKernel> kernels;
  for (KernelLaunches const& k : report.program.kernel_launches)
    kernels.push_back({k.kernel, k.policy, k.checked, k.launches, k.accesses, k.lanes});
  return kernels;
}

}  // namespace

void check_report_options(Options& options) {
  options.m_launches_of = earlier_run("launches_of", options.launches_of);
  options.m_by = earlier_run("by", options.by);
  report_targets(options.report);
  suppressions_of(options);
}

}  // namespace teamsan
