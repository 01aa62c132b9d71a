// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rule.hpp"

namespace teamsan {

namespace {

constexpr RuleInfo all_rules[] = {
#define TEAMSAN_RULE(name, id, group, severity, decided, after, rerun, counted, summary, text)                       \
  {Rule::name, id, #group, Severity::severity, Decided::decided, After::after, RerunScope::rerun, counted, Summary::summary, \
   text},
#include "Rules.def"
#undef TEAMSAN_RULE
};

}  // namespace

std::span<RuleInfo const> rules() { return all_rules; }

RuleInfo const& rule_info(Rule rule) { return all_rules[static_cast<std::size_t>(rule)]; }

char const* severity_name(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

}  // namespace teamsan
