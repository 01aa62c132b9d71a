/// limit: a launch asks for more than the modelled device has. The backend words the message as the real one does.
#include <teamsan/sim/machine/Launch.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/report/Finding.hpp>
#include <teamsan/sim/runtime/CallStack.hpp>
#include <teamsan/sim/runtime/Hot.hpp>

#include <teamsan/model/device/Device.hpp>

#include <fmt/format.h>

namespace teamsan {

namespace {

bool accepts(model::Device const& device, LimitKind kind, LaunchConfig const& config, std::size_t requested) {
  switch (kind) {
    case LimitKind::scratch_level0: return requested <= model::scratch_level0_max(device);
    case LimitKind::scratch_level1: return requested <= device.scratch_level1;
    case LimitKind::team_size: return requested * config.vector_length <= device.max_team_lanes;
    case LimitKind::vector_length: return requested <= device.max_vector_length;
    case LimitKind::league_size: return requested <= device.max_league;
  }
  return false;
}

char const* fix_for(LimitKind kind) {
  switch (kind) {
    case LimitKind::scratch_level0: return "ask for less, split the work over more teams, or use level 1 scratch";
    case LimitKind::scratch_level1: return "ask for less, or use a View in device memory indexed by league_rank()";
    case LimitKind::team_size: return "use Kokkos::AUTO, or policy.team_size_max(functor, tag)";
    case LimitKind::vector_length: return "use a vector length up to TeamPolicy::vector_length_max()";
    case LimitKind::league_size: return "split the launch in two";
  }
  return "";
}

}  // namespace

void report_limit(LimitKind kind, LaunchConfig const& config, std::size_t requested, std::size_t maximum,
                  std::string const& message) {
  RuntimeScope const scope;
  if (!options().enabled(Rule::limit)) return;
  Finding f;
  f.rule = Rule::limit;
  f.title = fmt::format("a launch asks for more than {} has", options().model().title);
  f.kernel = config.label;
  f.region = config.region;
  f.message = message;
  std::string others;
  for (model::Device const& d : model::devices())
    if (accepts(d, kind, config, requested)) others += (others.empty() ? "" : ", ") + std::string(d.name);
  f.why = {fmt::format("requested {}, the maximum is {}", requested, maximum),
           others.empty() ? "no modelled device would accept it" : "devices that would accept it: " + others};
  f.fix = fix_for(kind);
  Side side;
  side.role = "launched here";
  side.callers = native_stack();
  f.sides.push_back(std::move(side));
  report(std::move(f));
}

}  // namespace teamsan
