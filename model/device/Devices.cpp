// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The list of modelled devices and how a name on the command line finds one. A new device is its figures in
/// a vendor's header and one word in `all`. Cannot see whether a figure is right: the vendors' headers name
/// the sources.
#include "Device.hpp"

#include "Amd.hpp"
#include "Intel.hpp"
#include "Nvidia.hpp"
#include "Portable.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace teamsan::model {

namespace {

constexpr std::array all{h100, a100, v100, mi250x, mi300x, pvc, webgpu, mobile};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Levenshtein distance, case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t const replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<Device const> devices() { return all; }

Device const* find_device(std::string_view name) {
  auto const found = std::ranges::find_if(
      all, [&](Device const& device) { return std::ranges::equal(device.name, name, {}, {}, lower); });
  return found == all.end() ? nullptr : &*found;
}

std::string_view nearest_device_name(std::string_view name) {
  return std::ranges::min_element(all, {}, [&](Device const& d) { return edit_distance(name, d.name); })
      ->name;
}

std::size_t scratch_level0_max(Device const& device) {
  std::size_t const kept = device.scratch_reserved + device.scratch_withheld;
  return device.scratch_opt_in > kept ? device.scratch_opt_in - kept : 0;
}

}  // namespace teamsan::model
