// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/host/Selection.hpp>

#include <teamsan/sim/base/KernelNames.hpp>
#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>

namespace teamsan {

bool is_selected(std::string_view label, std::string_view region) {
  Options const& o = options();
  static std::uint64_t matching = 0;
  static KernelNames const names(o);
  bool selected = names.match(label, region);
  if (selected) {
    ++matching;
    selected = matching > o.launch_skip && (o.launch_count == 0 || matching <= o.launch_skip + o.launch_count);
  }
  bool const all_teams = o.team < 0 && !o.quick;
  if ((!selected || !all_teams) && o.enabled(Rule::uninit_global)) {
    global_shadow::assume_initialised();
    Collector::instance().note(
        "some launches or teams were left out, so uninit-global could not tell what they wrote and was off from then on");
  }
  return selected;
}

}  // namespace teamsan
