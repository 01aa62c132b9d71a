/// How the backend, itself not instrumented, calls the user's code: through a function that the compiler
/// instruments. A body that must be inlined (KOKKOS_FORCEINLINE_FUNCTION, KOKKOS_FORCEINLINE_LAMBDA,
/// [[gnu::always_inline]]) would otherwise be inlined into the backend, and none of its accesses would be
/// seen.
#pragma once

#include <teamsan/simt/Macros.hpp>

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

}  // namespace teamsan::simt
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
