// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fiber.hpp"

#include "../base/Arena.hpp"
#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../base/Pages.hpp"
#include "../base/ReportFile.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Ending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cxxabi.h>
#include <fstream>
#include <sys/mman.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102  // Linux 6.13
#endif

namespace teamsan {

namespace {

constexpr std::size_t chunk_bytes = 256 * arena::MiB;
constexpr std::uintptr_t stacks_end = arena::stacks + arena::stacks_bytes;

[[noreturn]] void no_room(std::size_t bytes) {
  write_to_stderr(fmt::format("teamsan: stacks of {} bytes for all lanes that run at a time exceed {} GiB; choose a smaller "
                              "stack_size or fewer num_threads\n",
                              bytes, arena::stacks_bytes / arena::GiB));
  end_program(true, exit_user_mistake);
}

/// Room for one stack at least: guard, stack, guard.
std::uintptr_t take_chunk(std::size_t bytes) {
  static std::atomic<std::uintptr_t> next{arena::stacks};
  std::uintptr_t const begin = next.fetch_add(bytes);
  return begin <= stacks_end - bytes ? begin : 0;
}

/// Stacks that differ from their neighbours in the eyes of the system: each is a mapping of its own, and so is what lies
/// between, of which a process has 65,530 by default. Half of them are the program's.
int most_apart() {
  static int const most = [] {
    int mappings = 65530;
    std::ifstream("/proc/sys/vm/max_map_count") >> mappings;
    return mappings / 4;
  }();
  return most;
}

/// An access there is a fault from now on. Takes no mapping where the system can do without.
void guard(std::uintptr_t begin) {
  static std::atomic<bool> light{true};
  static std::atomic<int> mapped{0};
  auto* const at = reinterpret_cast<void*>(begin);
  if (light.load(std::memory_order_relaxed)) {
    if (madvise(at, FiberPool::guard_bytes, MADV_GUARD_INSTALL) == 0) return;
    light = false;
  }
  if (mapped.fetch_add(1) < most_apart() && mprotect(at, FiberPool::guard_bytes, PROT_NONE) == 0) return;
  Collector::instance().note(
      "so many lanes had stacks of their own that the system's limit of mappings (vm.max_map_count) left some without guard "
      "pages: an overflow of one of those would not be told");
}

}  // namespace

ExceptionState& ExceptionState::of_this_thread() noexcept {
  return *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

Fiber* FiberPool::take() {
  if (!m_idle.empty()) {
    Fiber* const fiber = m_idle.back();
    m_idle.pop_back();
    return fiber;
  }
  std::size_t const page = page_bytes(), bytes = (options().stack_size + page - 1) / page * page;
  if (m_next + bytes + guard_bytes > m_end) {
    std::size_t const chunk = std::max(chunk_bytes, bytes + 2 * guard_bytes);
    std::uintptr_t const begin = take_chunk(chunk);
    if (begin == 0) no_room(bytes);
    guard(begin);
    m_next = begin + guard_bytes;
    m_end = begin + chunk;
  }
  Fiber& fiber = *m_fibers.emplace_back(std::make_unique<Fiber>());
  fiber.stack_begin = m_next;
  fiber.stack_bytes = bytes;
  m_next += bytes + guard_bytes;
  guard(fiber.stack_end());
  // Without the guards: a debugger that writes a core file gives a mapping up where it cannot read it.
  static std::atomic<int> kept{0};
  if (kept.fetch_add(1) < most_apart()) arena::keep_in_core_files(fiber.stack_begin, bytes);
  prepare(fiber);
  return &fiber;
}

void FiberPool::prepare(Fiber& fiber) {
  fiber.exceptions = {};
  fiber.announced.start_over(fiber.stack_begin, fiber.stack_bytes);
  fiber.context = fresh_context(fiber.stack_end(), m_entry);
}

void FiberPool::abandon(Fiber* fiber) {
  prepare(*fiber);
  m_idle.push_back(fiber);
}

}  // namespace teamsan
