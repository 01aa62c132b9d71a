// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A reduction's value without its type, as a backend hands it to the rules.
#pragma once

#include <cstddef>

namespace teamsan {

/// What the type of a reduction's values does. `kernel` is the kernel object that the lanes see.
struct ReducedValueCalls {
  void (*init)(void const* kernel, void* value) = nullptr;
  void (*join)(void const* kernel, void* into, void const* from) = nullptr;
  /// Of two values of that many bytes, padding aside; null: that is not known.
  bool (*equal)(void const* a, void const* b, std::size_t bytes) = nullptr;
};

}  // namespace teamsan
