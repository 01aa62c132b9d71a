// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Helpers of the model tests: warp accesses from CSV rows, from formulas, and at random from a fixed seed.
#pragma once

#include "../../model/device/WarpAccess.hpp"
#include "../../traces/HardwareAccess.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <random>

namespace teamsan::test {

inline std::filesystem::path hardware_file(char const* name) {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "traces" / "hardware" /
         name;
}

/// Owns the addresses of one access.
struct Lanes {
  std::array<std::uint64_t, model::max_warp_width> addresses{};
  std::uint64_t active = 0xffffffff;

  template <class AddressOfLane>
  static Lanes of(AddressOfLane address, std::uint64_t active = 0xffffffff) {
    Lanes lanes;
    lanes.active = active;
    for (std::uint64_t lane = 0; lane < model::max_warp_width; ++lane) lanes.addresses[lane] = address(lane);
    return lanes;
  }

  model::WarpAccess access(model::Operation operation, std::uint32_t bytes,
                           model::AtomicKind atomic = model::AtomicKind::integer_add) const {
    return {operation, bytes, active, addresses, atomic};
  }
};

/// Aligned random addresses below `span`, random active lanes of the lower 32.
inline Lanes random_lanes(std::mt19937& engine, std::uint32_t bytes, std::uint64_t span,
                          bool all_active = false) {
  std::uniform_int_distribution<std::uint64_t> element(0, span / bytes - 1);
  return Lanes::of([&](std::uint64_t) { return element(engine) * bytes; },
                   all_active ? 0xffffffffu : engine());
}

inline constexpr std::array all_widths{1u, 2u, 4u, 8u, 16u};
inline constexpr std::array all_operations{model::Operation::load, model::Operation::store,
                                           model::Operation::atomic};

}  // namespace teamsan::test
