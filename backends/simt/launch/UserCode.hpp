/// How the backend, itself not instrumented, calls the user's code: through a function that the compiler
/// instruments. A body that must be inlined (KOKKOS_FORCEINLINE_FUNCTION, KOKKOS_FORCEINLINE_LAMBDA,
/// [[gnu::always_inline]]) would otherwise be inlined into the backend, and none of its accesses would be
/// seen.
#pragma once

#include <teamsan/simt/Macros.hpp>

#include <teamsan/sim/machine/Lane.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace teamsan::simt {

/// Numbers and tags go by value, so that handing them over is no access; what the body may change, and
/// members, by reference.
template <class Argument, class Bare = std::remove_reference_t<Argument>>
using HandedOver = std::conditional_t<(!std::is_lvalue_reference_v<Argument> || std::is_const_v<Bare>)&&(
                                          std::is_arithmetic_v<Bare> || std::is_empty_v<Bare>),
                                      std::remove_cv_t<Bare> const, Bare&>;

/// Instrumented, and so never inlined into its caller, which is not.
template <class... Arguments, class Body>
void run_instrumented(Body const& body, Arguments... arguments) {
  body(static_cast<Arguments>(arguments)...);
}

/// `body(arguments...)`.
template <class Body, class... Arguments>
TEAMSAN_NO_INSTRUMENT inline void run_user_code(Body const& body, Arguments&&... arguments) {
  run_instrumented<HandedOver<Arguments>...>(body, arguments...);
}

/// `body(index)`, or with a WorkTag `body(WorkTag{}, index)`, for the running lane, and with the next index for each lane
/// behind it that runs in the same call. Instrumented.
template <class WorkTag, class Body, class Index>
void run_user_code_of_lanes(Body const& body, Index index) {
  for (;; ++index) {
    if constexpr (std::is_void_v<WorkTag>)
      body(static_cast<Index>(index));
    else
      body(WorkTag{}, static_cast<Index>(index));
    if (!next_lane()) return;
  }
}

/// The same for so many lanes at most, which have these other indices in common, in front of the one they differ in or
/// (`first`) behind it. False: no more lanes run in this call.
template <class WorkTag, bool first, class Body, class Index, class... Others>
bool run_user_code_of_row(Body const& body, std::uint64_t lanes, Index index, Others const... others) {
  for (;; ++index) {
    if constexpr (std::is_void_v<WorkTag> && first)
      body(static_cast<Index>(index), static_cast<Others>(others)...);
    else if constexpr (std::is_void_v<WorkTag>)
      body(static_cast<Others>(others)..., static_cast<Index>(index));
    else if constexpr (first)
      body(WorkTag{}, static_cast<Index>(index), static_cast<Others>(others)...);
    else
      body(WorkTag{}, static_cast<Others>(others)..., static_cast<Index>(index));
    if (--lanes == 0) return true;
    if (!next_lane()) return false;
  }
}

}  // namespace teamsan::simt
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
