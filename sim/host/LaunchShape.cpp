// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchShape.hpp"

#include "../base/Arena.hpp"
#include "../memory/Allocations.hpp"

#include <cstring>
#include <initializer_list>

namespace teamsan {

namespace {

class Mix {
 public:
  void add(std::uint64_t value) {
    m_sum = (m_sum ^ value) * 0x9e3779b97f4a7c15u;
    m_sum ^= m_sum >> 31;
  }
  std::uint64_t sum() const { return m_sum; }

 private:
  std::uint64_t m_sum = 0xcbf29ce484222325u;
};

}  // namespace

std::uint64_t launch_shape(LaunchConfig const& c, LaneFunction function, void const* kernel, std::size_t kernel_bytes) {
  Mix mix;
  for (std::uint64_t const value :
       {std::uint64_t{reinterpret_cast<std::uintptr_t>(function)}, std::uint64_t(c.pattern), std::uint64_t(c.policy),
        c.league_size, std::uint64_t{c.team_size}, std::uint64_t{c.vector_length}, c.busy_lanes,
        std::uint64_t{c.team_scratch[0]}, std::uint64_t{c.team_scratch[1]}, std::uint64_t{c.thread_scratch[0]},
        std::uint64_t{c.thread_scratch[1]}})
    mix.add(value);
  // Other values of the functor change from launch to launch (a time, a step) and say nothing of a shape.
  auto const* const bytes = static_cast<std::byte const*>(kernel);
  for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= kernel_bytes; i += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, bytes + i, sizeof word);
    if (!arena::contains(arena::global, arena::global_bytes, word)) continue;
    if (Allocation const* const a = find_allocation(word); a != nullptr) mix.add(i ^ std::uint64_t{a->bytes} << 16);
  }
  return mix.sum();
}

}  // namespace teamsan
