// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// limit: a launch asks for more than the modelled device has. The backend words the message as the real one does.
#include <teamsan/sim/host/Limit.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/OnReport.hpp>
#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/findings/Finding.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/sim/places/Program.hpp>
#include <teamsan/sim/trace/Fields.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

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
  trace::record(traces::LimitRecord{static_cast<std::uint8_t>(kind), trace::fields_of(config), requested, maximum, message});
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
  side.callers = program().stack();
  f.sides.push_back(std::move(side));
  report(std::move(f));
}

namespace detect {

std::string report_memory_limit(Space space, std::string_view label, std::size_t bytes, std::size_t taken,
                                std::size_t limit) {
  RuntimeScope const scope;
  bool const device = space == Space::device;
  auto const mib = [](std::size_t n) { return fmt::format("{:.1f} MiB", static_cast<double>(n) / 1048576.); };
  char const* const kind = device ? "device memory" : "host-pinned memory";
  std::string const owner = device ? std::string(options().model().title) : "the host";
  std::string sentence = fmt::format("teamsan: out of {}: \"{}\" asks for {}, {} of {} are taken", kind, label,
                                     mib(bytes), mib(taken), mib(limit));
  if (!options().enabled(Rule::limit)) return sentence;
  Finding f;
  f.rule = Rule::limit;
  f.title = fmt::format("more {} in all than {} has", kind, owner);
  f.message = sentence;
  f.why = {fmt::format("{} and the {} taken make more than {}", mib(bytes), mib(taken), mib(limit))};
  if (device) {
    std::string others;
    for (model::Device const& d : model::devices())
      if (d.memory_bytes >= taken + bytes) others += (others.empty() ? "" : ", ") + std::string(d.name);
    f.why.push_back(others.empty() ? "no modelled device would hold it" : "devices that would hold it: " + others);
  }
  f.fix = device ? "free what is no longer needed, work in parts, or use shared memory, which may exceed the device's"
                 : "free what is no longer needed, or work in parts: pinned memory is taken from the whole machine";
  Side side;
  side.role = "allocated here";
  side.callers = program().stack();
  f.sides.push_back(std::move(side));
  report(std::move(f));
  return sentence;
}

}  // namespace detect
}  // namespace teamsan
