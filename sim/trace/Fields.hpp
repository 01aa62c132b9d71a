// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Between what the simulator keeps and what a trace says of it.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Lane.hpp"
#include "../base/LaunchConfig.hpp"
#include "../base/OwnArrayIndex.hpp"
#include "../findings/Words.hpp"
#include "../memory/Shape.hpp"
#include "../../traces/TraceRecords.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace teamsan::trace {

traces::LaunchConfigFields fields_of(LaunchConfig const& config);
LaunchConfig config_of(traces::LaunchConfigFields const& fields);

traces::ShapeFields fields_of(Shape const& shape);
/// The names in it live as long as the process.
Shape shape_of(traces::ShapeFields const& fields);

// What events refer to as definitions.
std::string definition_of(ScratchRequest const& request);
ScratchRequest scratch_request_of(std::string_view definition);

struct ScratchName {
  std::string name;
  Shape shape;
};
std::string definition_of(std::string_view name, Shape const& shape);
ScratchName scratch_name_of(std::string_view definition);

std::string definition_of(OwnArrayIndex const& array);
/// Its name is the definition's.
OwnArrayIndex own_array_of(std::string_view definition);

/// An exception or a signal.
struct LaneEnd {
  bool known = true;  ///< what() is known
  std::string what;
  Site site{};
  bool has_address = false;
  std::uintptr_t address = 0;
  std::vector<Site> callers;
  std::vector<Because> why = {};
  Remedy fix = {};
};
std::string definition_of(LaneEnd const& end);
LaneEnd lane_end_of(std::string_view definition);

}  // namespace teamsan::trace
