/// A lane's flow of control: a stack with a guard page and a saved context (Boost.Context's fcontext).
/// Lanes that never meet others share one fiber, one after the other.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace teamsan {

struct Fiber {
  static constexpr std::size_t call_depth = 128;

  boost::context::detail::fcontext_t context = nullptr;
  std::uintptr_t stack_begin = 0;  ///< lowest address; the guard page lies below
  std::size_t stack_bytes = 0;
  std::uintptr_t calls[call_depth];  ///< call sites of the functions entered, outermost first
};

/// The fibers of one worker thread. Stacks lie in the arena, one region per worker.
class FiberPool {
 public:
  using Entry = void (*)(boost::context::detail::transfer_t);

  FiberPool(unsigned worker, Entry entry);

  Fiber* take();
  void give_back(Fiber* fiber) { m_idle.push_back(fiber); }
  /// A fiber whose lane was abandoned in mid-run: its stack starts over.
  void abandon(Fiber* fiber);

  /// Another thread goes on with the fibers, all of which are idle: what they keep of the one before is forgotten.
  void start_over() {
    for (Fiber* const fiber : m_idle) prepare(*fiber);
  }

  /// The fiber whose guard page holds the address, or nullptr.
  Fiber const* guard_hit(std::uintptr_t address) const;

 private:
  void prepare(Fiber& fiber);

  Entry m_entry;
  std::uintptr_t m_next;
  std::uintptr_t m_end;
  std::vector<std::unique_ptr<Fiber>> m_fibers;
  std::vector<Fiber*> m_idle;
};

}  // namespace teamsan
