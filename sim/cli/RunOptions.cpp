// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunOptions.hpp"

#include "../base/Options.hpp"

namespace teamsan::cli {
namespace {

/// The second names by which people know an option from other tools.
struct FlagAlias {
  std::string_view option, alias;
};
constexpr FlagAlias aliases[] = {{"check", "--tool"}, {"error_exitcode", "--exitcode"}};

}  // namespace

std::shared_ptr<RunValues> add_run_options(CLI::App& command, std::function<bool(std::string_view)> const& wanted) {
  auto values = std::make_shared<RunValues>();
  for (OptionInfo const& info : option_list()) {
    if (!wanted(info.name)) continue;
    std::vector<std::string>& value = (*values)[std::string(info.name)];
    std::string names = info.flag();
    for (FlagAlias const& alias : aliases)
      if (alias.option == info.name) names.append(",").append(alias.alias);
    CLI::Option* option = info.is_bool ? command.add_flag(names + "{1}", value, std::string(info.help))
                                       : command.add_option(names, value, std::string(info.help));
    if (!info.is_bool)
      option->type_name(std::string(info.syntax))->expected(1)->allow_extra_args(false);
    else if (info.default_value == "true")
      option->type_name("=0");  // what somebody would type
    option->group(std::string(info.group));
    using enum CLI::MultiOptionPolicy;
    option->multi_option_policy(info.range.kind == OptionRange::Kind::many ? TakeAll : TakeLast);
  }
  return values;
}

std::vector<std::string> groups_in_short() {
  return {"How the program runs", "In which order", "Findings", "The machine model (--check perf)", "Limits",
          "For scripts and CI services"};
}

}  // namespace teamsan::cli
