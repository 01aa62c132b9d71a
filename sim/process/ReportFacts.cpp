// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportFacts.hpp"

#include "../../model/device/Device.hpp"
#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../places/Program.hpp"
#include "Processes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

/// "NVIDIA H100 (SXM5, sm_90)" as it stands in a closing line: "H100".
std::string short_device_name(std::string_view title) {
  title = title.substr(0, title.find(" ("));
  for (std::string_view const vendor : {"NVIDIA ", "AMD ", "Intel "})
    if (title.starts_with(vendor)) title.remove_prefix(vendor.size());
  return std::string(title);
}

}  // namespace

void add_facts(ProgramFacts& facts, Options const& chosen) {
  facts.launcher = program().launcher();
  facts.arguments = program().arguments();
  facts.flags = reproducing_flags(chosen);
  facts.directory = program().directory();
  if (char const* const test = ::secure_getenv("TEAMSAN_TEST"); test != nullptr) facts.test = test;
  facts.rank = mpi_rank().value_or("");
  facts.device = short_device_name(chosen.model().title);
  facts.device_name = chosen.model().name;
  facts.shard = chosen.shard;
  facts.dealt = !chosen.by.empty();
}

void name_unchecked_libraries(ProgramFacts& facts) {
  facts.unchecked_libraries = program().unchecked_libraries();
  for (std::string const& library : facts.unchecked_libraries)
    facts.notes.push_back(fmt::format(
        "{} uses Kokkos and was not compiled for checking: what its code does was not seen; build it with the program",
        library));
}

std::string note_on_config(Options const& chosen) {
  if (chosen.m_config.empty()) return {};
  std::string note = fmt::format("options come from {}: {}", chosen.m_config, fmt::join(chosen.m_config_says, ", "));
  std::vector<std::string_view> off;
  for (RuleInfo const& rule : rules())
    if ((chosen.m_model_rules >> static_cast<unsigned>(rule.rule) & 1) == 0 && !chosen.enabled(rule.rule))
      off.push_back(rule.id);
  bool const by_it = std::ranges::any_of(chosen.m_config_says, [](auto const& said) { return said.starts_with("check="); });
  if (by_it && !off.empty()) note += fmt::format("; not checked: {}", fmt::join(off, ", "));
  return note + fmt::format(" ({} passes over it)", option_to_set("config", "0"));
}

}  // namespace teamsan
