/// What Rules.def says about a rule, as functions.
#include <teamsan/sim/findings/Finding.hpp>

#include <fmt/format.h>

namespace teamsan {

char const* rule_id(Rule rule) {
  switch (rule) {
#define TEAMSAN_RULE(name, id, group, severity, text) \
  case Rule::name:                                    \
    return id;
#include <teamsan/sim/base/Rules.def>
#undef TEAMSAN_RULE
  }
  return "unknown-rule";
}

char const* rule_text(Rule rule) {
  switch (rule) {
#define TEAMSAN_RULE(name, id, group, severity, text) \
  case Rule::name:                                    \
    return text;
#include <teamsan/sim/base/Rules.def>
#undef TEAMSAN_RULE
  }
  return "";
}

char const* rule_group(Rule rule) {
  switch (rule) {
#define TEAMSAN_RULE(name, id, group, severity, text) \
  case Rule::name:                                    \
    return #group;
#include <teamsan/sim/base/Rules.def>
#undef TEAMSAN_RULE
  }
  return "";
}

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

std::string place_mark(std::uintptr_t pc) { return fmt::format("{{pc:{:x}}}", pc); }

}  // namespace teamsan
