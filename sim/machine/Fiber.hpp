// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lane's flow of control: a stack between guard pages and a saved context.
/// Lanes that never meet others share one fiber, one after the other.
#pragma once

#include "AnnouncedStack.hpp"
#include "Context.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace teamsan {

/// What the C++ runtime keeps for each thread, and a lane needs for itself: the exceptions that it has caught and not left
/// yet, and how many are on their way to a handler (__cxa_eh_globals of the Itanium C++ ABI).
struct ExceptionState {
  void* caught = nullptr;
  unsigned uncaught = 0;

  bool any() const { return caught != nullptr || uncaught != 0; }
  /// The calling thread's.
  static ExceptionState& of_this_thread() noexcept;
};

struct Fiber {
  static constexpr std::size_t call_depth = 128;

  Context* context = nullptr;
  ExceptionState exceptions;  ///< while it is suspended
  std::uintptr_t stack_begin = 0;  ///< lowest address; guard pages lie below and above the stack
  std::size_t stack_bytes = 0;
  [[no_unique_address]] AnnouncedStack announced;
  std::uintptr_t calls[call_depth];  ///< call sites of the functions entered, outermost first

  std::uintptr_t stack_end() const { return stack_begin + stack_bytes; }
};

/// The fibers of one worker thread. Stacks lie in the arena, in chunks that workers take as they need them.
class FiberPool {
 public:
  using Entry = void (*)(Transfer);

  /// Of guard pages on each side of a stack. More than the largest frame of a function that was not compiled for checking:
  /// those that were touch each page of their frames (-fstack-clash-protection).
  static constexpr std::size_t guard_bytes = 64 * 1024;

  explicit FiberPool(Entry entry) : m_entry(entry) {}

  Fiber* take();
  void give_back(Fiber* fiber) { m_idle.push_back(fiber); }
  /// A fiber whose lane was abandoned in mid-run: its stack starts over.
  void abandon(Fiber* fiber);

  /// Another thread goes on with the fibers, all of which are idle: what they keep of the one before is forgotten.
  void start_over() {
    for (Fiber* const fiber : m_idle) prepare(*fiber);
  }

 private:
  void prepare(Fiber& fiber);

  Entry m_entry;
  std::uintptr_t m_next = 0;  ///< in the worker's latest chunk, behind a guard
  std::uintptr_t m_end = 0;
  std::vector<std::unique_ptr<Fiber>> m_fibers;
  std::vector<Fiber*> m_idle;
};

}  // namespace teamsan
