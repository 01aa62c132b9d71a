// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A type's name as Kokkos spells it: Kokkos::Impl::TypeInfo, which versions before 4.5 do not have; there, the compiler's own
/// spelling.
#pragma once

#include <string_view>

#if __has_include(<Kokkos_TypeInfo.hpp>)
#include <Kokkos_TypeInfo.hpp>

namespace teamsan::simt {

template <class T>
constexpr std::string_view type_name() {
  return Kokkos::Impl::TypeInfo<T>::name();
}

}  // namespace teamsan::simt

#else

namespace teamsan::simt {

template <class T>
constexpr std::string_view type_name() {
  // GCC: "... type_name() [with T = int; std::string_view = ...]"; Clang: "... type_name() [T = int]"
  std::string_view const here = __PRETTY_FUNCTION__;
  auto const begin = here.find("T = ") + 4;
  auto const end = here.find(';', begin);
  return here.substr(begin, (end == here.npos ? here.rfind(']') : end) - begin);
}

}  // namespace teamsan::simt

#endif
