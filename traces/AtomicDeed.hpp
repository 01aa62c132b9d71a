// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An atomic operation of a lane, whoever makes it: the compiler's calls, an access through a pointer to volatile, a replay, a
/// pass of the compiler's. As a trace has it, it is one event: its site, its address as operand, the rest packed as detail, and
/// what became of it.
#pragma once

#include "../model/device/WarpAccess.hpp"
#include "Site.hpp"

#include <cstdint>

namespace teamsan {

struct AtomicDeed {
  std::uintptr_t address = 0;
  Site site{};
  model::Operation operation{};
  std::uint8_t log_bytes = 0;
  bool updates = false;      ///< what it leaves depends on what was there
  model::AtomicKind kind{};  ///< of an `atomic` operation
  bool by_volatile = false;  ///< to CUDA and HIP a strong access of relaxed order; to C++ a plain one

  constexpr std::uint32_t bytes() const { return 1u << log_bytes; }
  constexpr bool is_load() const { return operation == model::Operation::load; }

  constexpr std::uint64_t detail() const {
    return static_cast<std::uint64_t>(operation) | std::uint64_t{log_bytes} << 2 | std::uint64_t{updates} << 5 |
           static_cast<std::uint64_t>(kind) << 6 | std::uint64_t{by_volatile} << 8;
  }
  static constexpr AtomicDeed of(std::uint64_t address, Site site, std::uint32_t detail) {
    return {static_cast<std::uintptr_t>(address), site, static_cast<model::Operation>(detail & 3),
            static_cast<std::uint8_t>(detail >> 2 & 7), (detail >> 5 & 1) != 0, static_cast<model::AtomicKind>(detail >> 6 & 3),
            (detail >> 8 & 1) != 0};
  }
  friend constexpr bool operator==(AtomicDeed const&, AtomicDeed const&) = default;
};

/// What became of one, step by step in this order, each of which may be missing.
struct AtomicOutcome {
  enum class Effect : std::uint8_t {
    untold, none, changed,
    lock_left, lock_left_by_load  ///< one of Kokkos' locks; by_load: under it a value was only loaded
  };

  bool released = false;
  bool by_order = false;      ///< by a release order; false: by a fence before
  bool acquired = false;      ///< what others released since the lane did last
  bool handed_over = false;   ///< it may have handed data over, in this way:
  std::uint8_t handover = 0;  ///< see HandoverDeed (detect/Handovers.hpp)
  Effect effect = Effect::untold;

  constexpr std::uint64_t detail() const {
    return static_cast<unsigned>(released) | by_order << 1 | acquired << 2 | handed_over << 3 | handover << 4 |
           static_cast<unsigned>(effect) << 7;
  }
  static constexpr AtomicOutcome of(std::uint32_t detail) {
    return {(detail & 1) != 0, (detail >> 1 & 1) != 0, (detail >> 2 & 1) != 0, (detail >> 3 & 1) != 0,
            static_cast<std::uint8_t>(detail >> 4 & 7), static_cast<Effect>(detail >> 7 & 7)};
  }
  static constexpr bool is_one(std::uint32_t detail) {
    return detail >> 10 == 0 && of(detail).effect <= Effect::lock_left_by_load;
  }
  friend constexpr bool operator==(AtomicOutcome const&, AtomicOutcome const&) = default;
};

}  // namespace teamsan
