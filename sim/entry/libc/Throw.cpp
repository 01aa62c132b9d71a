// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The C++ runtime's throw, so that an exception that leaves a kernel can be told by its place, and what it throws, whose
/// memory is the host's.
#include "../../base/Api.hpp"
#include "../../places/Sites.hpp"
#include "../../machine/CallStack.hpp"
#include "../../machine/RunningTeam.hpp"
#include "../../memory/ExceptionObjects.hpp"
#include "../../memory/Hot.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>

// Named by its symbol: GCC and Clang each know a declaration of __cxa_throw, and the two differ in a parameter's type.
extern "C" TEAMSAN_API [[noreturn]] void teamsan_throw(void* object, void* type,
                                                        void (*destructor)(void*)) __asm__("__cxa_throw");

extern "C" TEAMSAN_API void* teamsan_allocate_exception(std::size_t bytes) __asm__("__cxa_allocate_exception");

void* teamsan_allocate_exception(std::size_t bytes) {
  using Allocate = void* (*)(std::size_t);
  static auto const real = reinterpret_cast<Allocate>(dlsym(RTLD_NEXT, "__cxa_allocate_exception"));
  void* const object = real(bytes);
  if (teamsan::hot.lane != nullptr && teamsan::hot.in_runtime == 0)
    teamsan::exception_objects::made(reinterpret_cast<std::uintptr_t>(object), bytes);
  return object;
}

void teamsan_throw(void* object, void* type, void (*destructor)(void*)) {
  using Throw = void (*)(void*, void*, void (*)(void*));
  static auto const real = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
  if (teamsan::hot.lane != nullptr && teamsan::hot.in_runtime == 0) {
    teamsan::RuntimeScope const scope;
    teamsan::running_lane().thrown =
        std::make_unique<teamsan::ThrowPlace>(teamsan::ThrowPlace{TEAMSAN_CALL, teamsan::call_stack()});
    teamsan::hot.lanes_ahead = 0;
    teamsan::exception_objects::thrown(reinterpret_cast<std::uintptr_t>(object));
  }
  real(object, type, destructor);
  std::abort();  // the real one does not return
}
