// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan explain RULE`: what a rule means, with a kernel that breaks it and one that does not.
#include "Commands.hpp"
#include "Help.hpp"

#include "../base/Explanations.hpp"
#include "../base/NearestName.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace teamsan::cli {
namespace {

std::string rule_list() {
  std::string text;
  for (RuleInfo const& rule : rules()) text += fmt::format("  {:<19} {}\n", rule.id, hanging(rule.text, 22, 22));
  return text;
}

Rule find_rule(std::string const& name) {
  std::vector<std::string_view> names;
  for (RuleInfo const& rule : rules()) {
    if (name == rule.id) return rule.rule;
    names.push_back(rule.id);
  }
  throw UsageError(
      fmt::format("unknown rule \"{}\"{}", name, hint_at(name, names)));
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain", "explain a rule, with a bad and a good kernel");
  command->allow_extras();
  set_help(*command, {"Explains a rule, with a kernel that breaks it and one that does not.", "explain RULE", rule_list()});
  auto name = std::make_shared<std::string>();
  command->add_option("rule", *name);
  command->final_callback([name] {
    if (name->empty())
      throw UsageError("explain needs a rule: teamsan explain RULE (teamsan explain --help lists them)");
    std::fputs(std::string(explanation(find_rule(*name))).c_str(), stdout);
  });
}

}  // namespace teamsan::cli
