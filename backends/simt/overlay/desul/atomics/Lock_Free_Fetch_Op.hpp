// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over the header of this name in Kokkos' atomics library. A host makes a maximum of a plain load and
/// compare-and-swap, and of the load alone where nothing would change. On a GPU it is one atomic either way, which sees what
/// another lane's did: of that ending the runtime is told.
#pragma once
#pragma GCC system_header

#include <desul/atomics/Common.hpp>
#include <desul/atomics/Compare_Exchange.hpp>
#include <desul/atomics/Macros.hpp>
#include <desul/atomics/Operator_Function_Objects.hpp>
#include <type_traits>

/// Of that many bytes. Bodies that are not checked do not call it (sim/entry/pass).
extern "C" void __teamsan_atomic_was_load(void const volatile* at, unsigned bytes) noexcept;

namespace desul::Impl {

template <class Oper, class T, class V>
DESUL_FORCEINLINE_FUNCTION bool teamsan_ends_by_load(Oper const& op, T const* at, T const& found, V const& value) {
  bool const ends = check_early_exit(op, found, value);
  if constexpr (may_exit_early<Oper, T, V>::value)
    if (ends) __teamsan_atomic_was_load(at, sizeof(T));
  return ends;
}

}  // namespace desul::Impl

#define check_early_exit(op, found, value) teamsan_ends_by_load(op, dest, found, value)
#include_next <desul/atomics/Lock_Free_Fetch_Op.hpp>
#undef check_early_exit
