// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// TEAMSAN_OPTIONS, as a trace may hold them. What was understood is understood again as it is written down.
#include "Fuzz.hpp"

#include "../../sim/base/Options.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  using namespace teamsan;
  try {
    Options const options = parse_recorded_options(fuzz::text_of(data, bytes));
    std::string const text = options_text(options);
    fuzz::require(options_text(parse_recorded_options(text)) == text);
    fuzz::require(options.suppressions.empty() && options.report.empty() && options.trace.empty());
  } catch (OptionError const&) {
  }
  return 0;
}
