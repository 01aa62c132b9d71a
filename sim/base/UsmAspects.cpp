// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UsmAspects.hpp"

#include "NearestName.hpp"
#include "Options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan {

namespace {

struct Named {
  std::string_view name;
  bool model::UsmAspects::*member;
};

constexpr Named aspects[] = {{"device", &model::UsmAspects::device_allocations},
                             {"host", &model::UsmAspects::host_allocations},
                             {"shared", &model::UsmAspects::shared_allocations},
                             {"system", &model::UsmAspects::system_allocations},
                             {"atomic_host", &model::UsmAspects::atomic_host_allocations},
                             {"atomic_shared", &model::UsmAspects::atomic_shared_allocations},
                             {"concurrent", &model::UsmAspects::concurrent_access}};

}  // namespace

model::UsmAspects parse_usm_aspects(model::UsmAspects of_device, std::string_view list) {
  while (!list.empty()) {
    std::size_t const end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    bool const there = !name.starts_with('-');
    if (!there) name.remove_prefix(1);
    if (name.empty()) continue;
    auto const found = std::ranges::find(aspects, name, &Named::name);
    if (found == std::end(aspects)) {
      std::string_view names[std::size(aspects)];
      std::ranges::transform(aspects, names, &Named::name);
      throw OptionError(fmt::format("unknown aspect \"{}\" in usm_aspects{}", name, hint_at(name, names)));
    }
    of_device.*(found->member) = there;
  }
  return of_device;
}

model::UsmAspects const& usm_aspects() {
  static model::UsmAspects const aspects = parse_usm_aspects(options().model().usm, options().usm_aspects);
  return aspects;
}

}  // namespace teamsan
