// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of floating-point numbers, of the C library's: they may set errno, and touch nothing else.
#pragma once

#include "Llvm.hpp"

namespace teamsan_plugin {

inline bool is_of_numbers(llvm::CallBase const& call, llvm::TargetLibraryInfo const& library) {
  llvm::Function const* const to = call.getCalledFunction();
  llvm::LibFunc known;
  if (to == nullptr || !call.doesNotThrow() || call.doesNotReturn() || !library.getLibFunc(*to, known)) return false;
  auto const is_number = [](llvm::Type const* type) { return type->isFloatingPointTy() || type->isIntegerTy(); };
  bool of_reals = false;  // others change more than numbers
  for (llvm::Type* const type : to->getFunctionType()->params()) {
    if (!is_number(type)) return false;
    of_reals |= type->isFloatingPointTy();
  }
  return is_number(to->getReturnType()) && of_reals;
}

}  // namespace teamsan_plugin
