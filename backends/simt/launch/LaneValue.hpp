/// A lane's own value of a reduction or scan: on the lane's stack, whatever its type, its length known at
/// compile time or not until run time.
#pragma once

#include <teamsan/simt/Macros.hpp>
#include <teamsan/simt/launch/ReduceBuffer.hpp>

#include <cstddef>

namespace teamsan::simt {

/// The calls of `Kernel::reducer()`, by which the type-erased side joins values.
template <class Kernel, class Reducer>
struct ErasedReducer {
  using Pointer = typename Reducer::pointer_type;

  TEAMSAN_NO_INSTRUMENT static Reducer const& of(void const* kernel) {
    return static_cast<Kernel const*>(kernel)->reducer();
  }
  TEAMSAN_NO_INSTRUMENT static void init(void const* kernel, void* value) {
    of(kernel).init(static_cast<Pointer>(value));
  }
  TEAMSAN_NO_INSTRUMENT static void join(void const* kernel, void* into, void const* from) {
    of(kernel).join(static_cast<Pointer>(into), static_cast<typename Reducer::value_type const*>(from));
  }
  TEAMSAN_NO_INSTRUMENT static void final(void const* kernel, void* value) {
    of(kernel).final(static_cast<Pointer>(value));
  }
  static constexpr ReducerCalls calls{init, join, final};
};

}  // namespace teamsan::simt

/// Declares `type* name`, room for one value on the stack of the function it stands in. `fixed_bytes` is a
/// constant, 0 when only `bytes` tells. A macro, since what alloca gives ends with its function.
#define TEAMSAN_LANE_VALUE(type, name, fixed_bytes, bytes)                                          \
  alignas(16) alignas(type) std::byte name##_storage[(fixed_bytes) > 0 ? (fixed_bytes) : 1];        \
  auto* const name = reinterpret_cast<type*>((fixed_bytes) > 0 ? static_cast<void*>(name##_storage) \
                                                               : __builtin_alloca((bytes)))
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
