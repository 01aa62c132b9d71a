#include <teamsan/sim/machine/Fiber.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/memory/Arena.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace teamsan {

namespace {
constexpr std::size_t page = 4096;
constexpr std::size_t worker_bytes = 16 * arena::GiB;
constexpr unsigned max_workers = arena::stacks_bytes / worker_bytes;

/// Each guard page is a mapping of its own, of which a process has 65,530 by default. Further stacks have none.
constexpr int most_guards = 12000;
std::atomic<int> guards{0};
}  // namespace

FiberPool::FiberPool(unsigned worker, Entry entry)
    : m_entry(entry),
      m_next(arena::stacks + worker % max_workers * worker_bytes),
      m_end(m_next + worker_bytes) {}

Fiber* FiberPool::take() {
  if (!m_idle.empty()) {
    Fiber* const fiber = m_idle.back();
    m_idle.pop_back();
    return fiber;
  }
  std::size_t const bytes = (options().stack_size + page - 1) / page * page;
  if (m_next + page + bytes > m_end)
    throw std::runtime_error("teamsan: stacks of " + std::to_string(bytes) +
                             " bytes for all lanes that run at a time exceed 16 GiB; choose a smaller stack_size");
  Fiber& fiber = *m_fibers.emplace_back(std::make_unique<Fiber>());
  if (guards.fetch_add(1) < most_guards) {
    mprotect(reinterpret_cast<void*>(m_next), page, PROT_NONE);
    arena::keep_in_core_files(m_next + page, bytes);
  }
  fiber.stack_begin = m_next + page;
  fiber.stack_bytes = bytes;
  m_next += page + bytes;
  prepare(fiber);
  return &fiber;
}

void FiberPool::prepare(Fiber& fiber) {
  fiber.context = boost::context::detail::make_fcontext(
      reinterpret_cast<void*>(fiber.stack_begin + fiber.stack_bytes), fiber.stack_bytes, m_entry);
}

void FiberPool::abandon(Fiber* fiber) {
  prepare(*fiber);
  m_idle.push_back(fiber);
}

Fiber const* FiberPool::guard_hit(std::uintptr_t address) const {
  for (auto const& fiber : m_fibers)
    if (address - (fiber->stack_begin - page) < page) return fiber.get();
  return nullptr;
}

}  // namespace teamsan
