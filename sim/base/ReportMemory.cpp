// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportMemory.hpp"

#include "Arena.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <limits>
#include <malloc.h>
#include <time.h>
#include <type_traits>
#include <utility>

// AddressSanitizer and ThreadSanitizer, under which TeamSan itself is tested, have these functions themselves.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEAMSAN_LEAVES_MALLOC
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEAMSAN_LEAVES_MALLOC
#endif

// The C library's own; also before the next definition is known.
extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;
}

namespace teamsan {

namespace {

thread_local constinit bool reports [[gnu::tls_model("initial-exec")]] = false;
thread_local constinit TakeWatch watch_of_takes [[gnu::tls_model("initial-exec")]] = nullptr;
thread_local constinit bool usual [[gnu::tls_model("initial-exec")]] = true;  ///< neither of the two

struct Allocator {
  void* (*malloc)(std::size_t) = __libc_malloc;
  void* (*calloc)(std::size_t, std::size_t) = __libc_calloc;
  void* (*realloc)(void*, std::size_t) = __libc_realloc;
  void* (*memalign)(std::size_t, std::size_t) = __libc_memalign;
  void (*free)(void*) = __libc_free;
  std::size_t (*usable_size)(void*) = malloc_usable_size;
};
constinit Allocator next;

/// All or none: what one allocator gave, another cannot free. Before main, while the process has one thread; what is
/// asked for while the answer is looked up is the C library's.
void find_next() noexcept {
  Allocator found;
  auto const look_up = [](char const* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_NEXT, name));
    return function != nullptr;
  };
  if (look_up("malloc", found.malloc) && look_up("calloc", found.calloc) && look_up("realloc", found.realloc) &&
      look_up("memalign", found.memalign) && look_up("free", found.free) && look_up("malloc_usable_size", found.usable_size))
    next = found;
}

constinit bool known = false;

Allocator const& program() noexcept {
  if (!known) [[unlikely]] {
    known = true;
    find_next();
  }
  return next;
}

/// One block after the other, each behind its size. Two threads may report at once.
constinit std::atomic<std::uintptr_t> top{arena::report};

bool is_ours(void const* p) noexcept {
  return arena::contains(arena::report, arena::report_bytes, reinterpret_cast<std::uintptr_t>(p));
}

std::size_t size_of(void const* p) noexcept { return static_cast<std::size_t const*>(p)[-1]; }

void* take(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) noexcept {
  alignment = std::max(alignment, alignof(std::max_align_t));
  if (bytes > arena::report_bytes || alignment > arena::report_bytes || !std::has_single_bit(alignment)) return nullptr;
  std::size_t const room = sizeof(std::size_t) + alignment - 1 + bytes;
  std::uintptr_t const begin = top.fetch_add(room);
  if (begin > arena::report + arena::report_bytes - room) {
    top.fetch_sub(room);
    return nullptr;
  }
  std::uintptr_t const at = (begin + sizeof(std::size_t) + alignment - 1) & ~(alignment - 1);
  auto* const block = reinterpret_cast<std::size_t*>(at);
  block[-1] = bytes;
  return block;
}

/// The pages of large ones go back; addresses there are plenty of.
void give_back(void* p) noexcept {
  if (std::size_t const bytes = size_of(p); bytes >= arena::MiB) arena::discard(reinterpret_cast<std::uintptr_t>(p), bytes);
}

void* take_again(void* p, std::size_t bytes) noexcept {
  if (p == nullptr) return take(bytes);
  std::size_t const before = is_ours(p) ? size_of(p) : program().usable_size(p);
  if (bytes <= before) return p;
  void* const block = take(bytes);
  if (block == nullptr) return nullptr;
  std::memcpy(block, p, before);
  if (is_ours(p)) give_back(p);
  return block;
}

}  // namespace

namespace {
constinit std::atomic<void (*)(void*) noexcept> watch_of_frees{nullptr}, watch_of_lanes_frees{nullptr};
}  // namespace

void watch_frees(void (*watch)(void*) noexcept) noexcept { watch_of_frees.store(watch, std::memory_order_relaxed); }

void watch_lanes_frees(void (*watch)(void*) noexcept) noexcept {
  if (watch_of_lanes_frees.load(std::memory_order_relaxed) != watch)  // all workers read it
    watch_of_lanes_frees.store(watch, std::memory_order_relaxed);
}

TakeWatch watch_takes(TakeWatch watch) noexcept {
  usual = watch == nullptr && !reports;
  return std::exchange(watch_of_takes, watch);
}

std::size_t size_of_block(void* block) noexcept { return is_ours(block) ? size_of(block) : program().usable_size(block); }

void use_report_memory() noexcept {
  reports = true;
  usual = false;
}

namespace {
/// Several workers may crash at once; of more than that nobody needs to know.
constinit std::atomic<pthread_t> crashed[16];
constinit std::atomic<unsigned> crashes{0};
}  // namespace

void use_report_memory_after_crash() noexcept {
  use_report_memory();
  if (has_crashed(::pthread_self())) return;
  if (unsigned const i = crashes.fetch_add(1); i < std::size(crashed)) crashed[i] = ::pthread_self();
}

namespace {

/// Threads that those which report have waited for in vain: they wait for the heap's lock, say, which a crash has left taken,
/// and will give nothing back either.
class StuckThreads {
 public:
  bool has(pthread_t thread) noexcept {
    for (auto const& one : m_known)
      if (one.load(std::memory_order_relaxed) == thread) return true;
    return false;
  }
  /// Asked again and again by who waits for it: is that long enough?
  bool is_waited_for_in_vain(pthread_t thread) noexcept {
    constexpr std::uint64_t pause = 200'000'000, long_enough = 3'000'000'000;  // nanoseconds
    std::uint64_t const now = nanoseconds();
    if (m_asked.exchange(thread) != thread || now - m_latest.load() > pause) m_since = now;
    m_latest = now;
    if (now - m_since.load() < long_enough) return false;
    if (unsigned const i = m_count.fetch_add(1); i < std::size(m_known)) m_known[i] = thread;
    return true;
  }

 private:
  static std::uint64_t nanoseconds() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  }

  std::atomic<pthread_t> m_known[64] = {};
  std::atomic<unsigned> m_count{0};
  std::atomic<pthread_t> m_asked{};
  std::atomic<std::uint64_t> m_since{0}, m_latest{0};
};
constinit StuckThreads stuck;

}  // namespace

bool has_crashed(pthread_t thread) noexcept {
  if (crashes.load(std::memory_order_relaxed) == 0 || thread == pthread_t{}) return false;
  for (auto const& one : crashed)
    if (one.load(std::memory_order_relaxed) == thread) return true;
  return reports && (stuck.has(thread) || stuck.is_waited_for_in_vain(thread));
}

bool uses_report_memory() noexcept { return reports; }

}  // namespace teamsan

#ifndef TEAMSAN_LEAVES_MALLOC

using namespace teamsan;

namespace {
void* or_error(void* block) noexcept {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

/// By a thread whose takes may be watched.
void* taken(void* block, std::size_t bytes) noexcept {
  if (block != nullptr && watch_of_takes != nullptr) watch_of_takes(block, bytes);
  return block;
}

void look_at_free(void* p) noexcept {
  if (auto const watch = watch_of_lanes_frees.load(std::memory_order_relaxed); watch != nullptr && p != nullptr) [[unlikely]]
    watch(p);
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void* malloc(std::size_t bytes) noexcept {
  if (usual) [[likely]] return program().malloc(bytes);
  return reports ? or_error(take(bytes)) : taken(program().malloc(bytes), bytes);
}

[[gnu::weak]] void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (usual) [[likely]] return program().calloc(count, bytes);
  if (!reports) return taken(program().calloc(count, bytes), count * bytes);
  if (bytes != 0 && count > std::numeric_limits<std::size_t>::max() / bytes) return or_error(nullptr);
  return or_error(take(count * bytes));  // the region is zero
}

[[gnu::weak]] void* realloc(void* p, std::size_t bytes) noexcept {
  if (reports || is_ours(p)) return or_error(take_again(p, bytes));
  look_at_free(p);
  return taken(program().realloc(p, bytes), bytes);
}

[[gnu::weak]] void free(void* p) noexcept {
  if (is_ours(p))
    give_back(p);
  else if (!reports) [[likely]] {
    if (auto const watch = watch_of_frees.load(std::memory_order_relaxed); watch != nullptr) [[unlikely]]
      watch(p);
    look_at_free(p);
    program().free(p);
  }
}

[[gnu::weak]] void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  if (usual) [[likely]] return program().memalign(alignment, bytes);
  return reports ? or_error(take(bytes, alignment)) : taken(program().memalign(alignment, bytes), bytes);
}

[[gnu::weak]] void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return memalign(alignment, bytes); }

[[gnu::weak]] int posix_memalign(void** p, std::size_t alignment, std::size_t bytes) noexcept {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  int const before = errno;
  void* const block = memalign(alignment, bytes);
  errno = before;
  if (block == nullptr) return ENOMEM;
  *p = block;
  return 0;
}
}
#pragma GCC visibility pop

#endif
