// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `--usm-aspects` takes: a comma-separated list of aspects to add to the modelled device's, "-NAME" to take one away.
#pragma once

#include "../../model/device/Device.hpp"
#include "Api.hpp"

#include <string_view>

namespace teamsan {

/// Throws OptionError for an unknown name.
model::UsmAspects parse_usm_aspects(model::UsmAspects of_device, std::string_view list);

/// Of the modelled device, with --usm-aspects applied.
TEAMSAN_API model::UsmAspects const& usm_aspects();

}  // namespace teamsan
