// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// limit: a launch asks for more than the modelled device has. The backend words the message as the real one does.
#include "Limit.hpp"

#include "../base/Arena.hpp"
#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"
#include "../detect/OnReport.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Finding.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../memory/Hot.hpp"
#include "../places/Program.hpp"
#include "../trace/Fields.hpp"
#include "../trace/Recorder.hpp"

#include "../../model/device/Device.hpp"

#include <fmt/format.h>

namespace teamsan {

namespace {

bool accepts(model::Device const& device, LimitKind kind, LaunchConfig const& config, std::size_t requested) {
  switch (kind) {
    case LimitKind::scratch_level0:
    case LimitKind::team_reduction: return requested <= model::scratch_level0_max(device);
    case LimitKind::reduction: return requested <= device.scratch_default;
    case LimitKind::scratch_level1: return requested <= device.scratch_level1;
    case LimitKind::team_size: return requested * config.vector_length <= device.max_team_lanes;
    case LimitKind::vector_length: return requested <= device.max_vector_length;
    case LimitKind::league_size: return requested <= device.max_league;
  }
  return false;
}

/// `bounded`: by the policy, not the device.
Cure fix_for(LimitKind kind, bool bounded) {
  switch (kind) {
    case LimitKind::scratch_level0: return Cure::less_scratch;
    case LimitKind::scratch_level1: return Cure::less_scratch_level1;
    case LimitKind::team_size: return bounded ? Cure::auto_team_size_bounded : Cure::auto_team_size;
    case LimitKind::team_reduction: return Cure::smaller_team_for_reduction;
    case LimitKind::reduction: return Cure::fewer_values;
    case LimitKind::vector_length: return Cure::vector_length_max;
    case LimitKind::league_size: return Cure::two_launches;
  }
  return Cure::none;
}

}  // namespace

void report_limit(LimitKind kind, LaunchConfig const& config, std::size_t requested, std::size_t maximum,
                  std::string const& message) {
  RuntimeScope const scope;
  trace::record(traces::LimitRecord{static_cast<std::uint8_t>(kind), trace::fields_of(config), requested, maximum, message});
  if (!options().enabled(Rule::limit)) return;
  Finding f;
  f.rule = Rule::limit;
  model::Device const& model = options().model();
  // A team of that size the device would run: LaunchBounds, or scratch of each thread, allow less, on others as well.
  bool const by_policy = kind == LimitKind::team_size && accepts(model, kind, config, requested);
  f.title = by_policy ? "a launch asks for larger teams than its policy allows"
                      : fmt::format("a launch asks for more than {} has", model.title);
  f.kernel = config.label;
  f.region = config.region;
  f.message = message;
  f.why = {because(Reason::requested, requested, maximum)};
  std::string others;
  for (model::Device const& d : model::devices())
    if (d.name != model.name && accepts(d, kind, config, requested))
      others += (others.empty() ? "" : ", ") + std::string(d.name);
  if (!by_policy) f.why.push_back(others.empty() ? because(Reason::accepted_by_none) : because(Reason::accepted_by, others));
  bool const bounded = maximum * config.vector_length < model.max_team_lanes;
  f.fix = remedy(fix_for(kind, bounded), maximum);
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
  auto const mib = [](std::size_t n) {
    return n < arena::MiB ? counted(n, "byte") : fmt::format("{:.1f} MiB", static_cast<double>(n) / arena::MiB);
  };
  char const* const kind = device ? "device memory" : "host-pinned memory";
  bool const by_option = (device ? options().device_memory : options().pinned_memory) != 0;
  std::string const owner = by_option ? "the option " + option_name(device ? "device_memory" : "pinned_memory")
                            : device  ? std::string(options().model().title)
                                      : "the host";
  std::string sentence = fmt::format("teamsan: out of {}: \"{}\" asks for {}, {} of {} are taken", kind, label,
                                     mib(bytes), mib(taken), mib(limit));
  if (!options().enabled(Rule::limit)) return sentence;
  Finding f;
  f.rule = Rule::limit;
  f.title = fmt::format("more {} in all than {} {}", kind, owner, by_option ? "allows" : "has");
  f.message = sentence;
  f.why = {because(Reason::more_than_there_is, mib(bytes), mib(taken), mib(limit))};
  if (device && by_option && options().model().memory_bytes >= taken + bytes) {
    f.why.push_back(because(Reason::held_but_for_option, options().model().title, owner));
  } else if (device) {
    std::string others;
    for (model::Device const& d : model::devices())
      if ((by_option || d.name != options().model().name) && d.memory_bytes >= taken + bytes)
        others += (others.empty() ? "" : ", ") + std::string(d.name);
    f.why.push_back(others.empty() ? because(Reason::held_by_none) : because(Reason::held_by, others));
  }
  f.fix = remedy(device ? Cure::less_device_memory : Cure::less_pinned_memory);
  Side side;
  side.role = "allocated here";
  side.callers = program().stack();
  f.sides.push_back(std::move(side));
  report(std::move(f));
  return sentence;
}

}  // namespace detect
}  // namespace teamsan
