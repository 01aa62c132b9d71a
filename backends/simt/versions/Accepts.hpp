// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which members and types a class has, asked in C++17: a project with Kokkos 4 may be compiled as that.
#pragma once

#include <type_traits>

namespace teamsan::simt {

/// Whether `use`, a generic lambda whose return type says what is asked for, can be called with these arguments:
///   if constexpr (accepts<View const&>([](auto& view) -> decltype(void(view.mapping())) {})) ...
template <class... Arguments, class Use>
constexpr bool accepts(Use const&) {
  return std::is_invocable_v<Use const&, Arguments...>;
}

}  // namespace teamsan::simt
