// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `--check` takes: a comma-separated list of all, none, groups and rule ids of Rules.def, and the tool
/// names of compute-sanitizer; "-NAME" takes one out of what stands before it.
#pragma once

#include "Rule.hpp"

#include <cstdint>
#include <string_view>

namespace teamsan {

/// One bit a rule, by its number. Throws OptionError for an unknown name. A list that starts with "-NAME"
/// starts from all; crashes are reported unless "none" or "-crash" says otherwise.
std::uint64_t parse_check_list(std::string_view list);

/// One bit for each rule that the list names by its own id: of some more is looked for then.
std::uint64_t rules_by_name(std::string_view list);

/// One bit for each rule of the machine model.
std::uint64_t model_rules();

/// The rule of that id. Throws OptionError that names the nearest known one.
Rule parse_rule(std::string_view id);

/// Is it a rule's id, or the name of a group of rules?
bool is_rule_or_group(std::string_view name);

}  // namespace teamsan
