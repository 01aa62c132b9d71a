#include <teamsan/sim/detect/TeamOrder.hpp>

#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/report/Symbolizer.hpp>

#include <fmt/format.h>

#include <unordered_set>

namespace teamsan::detect {

namespace {

/// Kokkos' name of the operation is the outermost frame that is not the user's.
bool gives_value_back(std::uintptr_t pc) {
  bool any = false, returns = false;
  for (Frame const& frame : frames_of(pc)) {
    if (!frame.internal) break;
    any = true;
    std::string const& name = frame.function;
    returns = name.find("fetch") != std::string::npos || name.find("exchange") != std::string::npos ||
              name.find("load") != std::string::npos;
  }
  return any && returns;
}

}  // namespace

void note_shared_atomics(std::vector<std::uintptr_t> const& pcs) {
  static auto* const asked = new std::unordered_set<std::uintptr_t>;  // launches take turns
  for (std::uintptr_t const pc : pcs) {
    if (!asked->insert(pc).second || !gives_value_back(pc)) continue;
    Collector::instance().note(
        fmt::format("teams got values back from atomics they share ({}); if the program branches on such a value, runs can "
                    "differ with the order of teams: use deterministic=1 to compare runs",
                    to_string(user_place(pc))));
    return;  // one example is enough
  }
}

void note_raced_teams() {
  Collector::instance().note(
      "teams race on device memory, so results can differ with the order of teams: use deterministic=1 to compare runs");
}

}  // namespace teamsan::detect
