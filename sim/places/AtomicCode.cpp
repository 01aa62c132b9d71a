// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicCode.hpp"

#include "KokkosNames.hpp"
#include "Symbolizer.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace teamsan::detect {

namespace {

/// What was found out of each instruction, the same for all threads and without a lock: large kernels ask for hundreds of them
/// by turns. Where no room is left beside a slot, the latest one takes it.
class AtomicAnswers {
 public:
  enum Answer : std::uint8_t { asked = 1, atomic = 2, loop = 4, locked = 8 };

  bool is(Answer answer, Site site) { return (of(site) & answer) != 0; }

 private:
  static std::uint8_t find_out(Site site) {
    std::uint8_t answers = asked;
    if (has_code(KokkosCode::atomic, site)) answers |= atomic;
    if (has_code(KokkosCode::atomic_loop, site) && !has_code(KokkosCode::atomic_load_or_store, site)) answers |= loop;
    if (has_code(KokkosCode::locked_update, site)) answers |= locked;
    return answers;
  }

  std::uint8_t of(Site site) {
    std::uint32_t const begin = number_of(site) * 0x9e3779b1u >> (32 - bits);
    for (std::uint32_t i = 0; i != probes; ++i) {
      std::uint64_t const word = m_slots[(begin + i) % slots].load(std::memory_order_relaxed);
      if (word == 0) return remember(site, begin + i);
      if (static_cast<std::uint32_t>(word) == number_of(site)) return static_cast<std::uint8_t>(word >> 32);
    }
    return remember(site, begin);
  }

  std::uint8_t remember(Site site, std::uint32_t slot) {
    std::uint8_t const answers = find_out(site);
    if (!looks_up_without_waiting())
      m_slots[slot % slots].store(std::uint64_t{answers} << 32 | number_of(site), std::memory_order_relaxed);
    return answers;
  }

  static constexpr unsigned bits = 16;
  static constexpr std::uint32_t slots = 1u << bits, probes = 8;
  std::array<std::atomic<std::uint64_t>, slots> m_slots{};
};

constinit AtomicAnswers answers;

}  // namespace

bool is_atomic_code(Site site) { return answers.is(AtomicAnswers::atomic, site); }
bool is_atomic_loop(Site site) { return answers.is(AtomicAnswers::loop, site); }
bool is_under_kokkos_lock(Site site) { return answers.is(AtomicAnswers::locked, site); }

}  // namespace teamsan::detect
