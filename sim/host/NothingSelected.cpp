// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NothingSelected.hpp"

#include "../base/KernelNames.hpp"
#include "../base/LaunchConfig.hpp"
#include "../base/NearestName.hpp"
#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

struct Launches {
  static constexpr std::size_t most_names = 4096;
  std::mutex mutex;
  std::vector<std::string> names;  ///< of kernels, in the order of their first launches
  std::uint64_t matching = 0;      ///< launches of kernels that options name
  std::uint64_t largest = 0;       ///< league that was selected
  bool selected = false;
};

Launches& launches() {
  static Launches* const all = new Launches;  // read at the end of the process
  return *all;
}

/// The options that name kernels, as they were given.
std::vector<std::string> naming_options(Options const& o) {
  std::vector<std::string> said;
  std::pair<char const*, std::string_view> const all[] = {{"kernel_name", o.kernel_name},
                                                          {"kernel_regex", o.kernel_regex},
                                                          {"kernel_name_exclude", o.kernel_name_exclude},
                                                          {"region", o.region}};
  for (auto [option, left] : all) {
    while (!left.empty()) {
      std::string_view const one = left.substr(0, left.find('\n'));
      left.remove_prefix(std::min(one.size() + 1, left.size()));
      said.push_back(option_to_set(option, std::string(one)));
    }
  }
  return said;
}

/// "; the nearest name is "axpy"".
std::string nearest(std::string pattern, std::vector<std::string> const& names) {
  if (auto const key = pattern.find('='); pattern.starts_with("kn") && key != std::string::npos) pattern.erase(0, key + 1);
  std::erase_if(pattern, [](char c) { return c == '*' || c == '?'; });
  std::vector<std::string_view> const views(names.begin(), names.end());
  std::string_view const name = nearest_name(pattern, views);
  return name.empty() ? std::string() : fmt::format("; the nearest name is \"{}\"", name);
}

}  // namespace

void note_selection(LaunchConfig const& config, bool selected) {
  Options const& o = options();
  static bool const names_kernels = !naming_options(o).empty();
  if (!names_kernels && o.launch_skip == 0 && o.team < 0) return;
  static auto const& wanted = *new KernelNames(o);  // asked when the program has ended, by whoever comes last
  Launches& all = launches();
  std::lock_guard const lock(all.mutex);
  std::string name(config.label);
  all.matching += wanted.match(config.label, config.region);
  if (selected) {
    all.selected = true;
    all.largest = std::max<std::uint64_t>(all.largest, config.league_size);
  }
  if (all.names.size() < Launches::most_names && std::ranges::find(all.names, name) == all.names.end())
    all.names.push_back(std::move(name));
}

std::string nothing_selected() {
  Options const& o = options();
  Launches& all = launches();
  std::lock_guard const lock(all.mutex);
  if (all.names.empty()) return {};
  std::vector<std::string> const naming = naming_options(o);
  if (!all.selected && all.matching == 0 && !naming.empty()) {
    bool const one = naming.size() == 1;
    if (o.kernel_name.empty() && o.kernel_regex.empty() && o.region.empty())
      return fmt::format("nothing was checked: {} {} out every kernel that ran", fmt::join(naming, ", "),
                         one ? "leaves" : "leave");
    if (!o.kernel_name_exclude.empty())
      return fmt::format("nothing was checked: {} together leave no kernel that ran", fmt::join(naming, ", "));
    return fmt::format("nothing was checked: {} {} no kernel that ran{}", fmt::join(naming, ", "), one ? "matches" : "match",
                       one && !o.kernel_name.empty() ? nearest(o.kernel_name, all.names) : "");
  }
  if (!all.selected && o.launch_skip != 0)
    return fmt::format("nothing was checked: {} leaves out each of the {} launch{}{}",
                       option_to_set("launch_skip", std::to_string(o.launch_skip)), all.matching,
                       all.matching == 1 ? "" : "es", naming.empty() ? "" : " whose kernel is named so");
  if (all.selected && o.team >= 0 && static_cast<std::uint64_t>(o.team) >= all.largest)
    return fmt::format("nothing was checked: {} is in no league: the largest that was launched has {} team{}, the last of "
                       "them {}",
                       option_to_set("team", std::to_string(o.team)), all.largest, all.largest == 1 ? "" : "s",
                       all.largest == 0 ? 0 : all.largest - 1);
  return {};
}

}  // namespace teamsan
