// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneIndices.hpp"

#include "../entry/pass/Abi.h"
#include "LaneValues.hpp"

#include <algorithm>
#include <vector>

namespace teamsan {

bool are_same(Indices const& a, Indices const& b) {
  return a.rank == b.rank && std::equal(a.first, a.first + a.rank, b.first) && std::equal(a.count, a.count + a.rank, b.count);
}

LaneIndices::LaneIndices(Indices const& of_launch, unsigned long long const* accesses, void const* functor,
                         std::uint32_t context)
    : LaneIndices(of_launch) {
  if (rank != 1) return;
  std::vector<std::uint64_t> divisors;
  LaneIndices const whole(of_launch);
  LaneValues values(functor, whole, context);
  values.note_divisors(divisors);
  unsigned long long const* at = accesses + 1;
  for (unsigned long long access = *accesses & TEAMSAN_ACCESSES_COUNT; access != 0; --access) {
    unsigned long long const words = *at++ >> TEAMSAN_ACCESS_WORDS_SHIFT;
    values.value({at, words});
    at += words;
  }
  std::uint64_t const count = of_launch.count[0];
  std::erase_if(divisors, [&](std::uint64_t by) { return by <= 1 || by >= count; });
  std::ranges::sort(divisors);
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  if (divisors.empty() || divisors.size() >= Indices::most) return;
  std::uint64_t below = 1;
  for (std::uint64_t const by : divisors) {
    if (by % below != 0) return;
    below = by;
  }
  auto const step = static_cast<std::int64_t>(below);
  if (of_launch.first[0] % step != 0) return;
  more = count % below != 0;
  // The fastest one last.
  unsigned const digits = static_cast<unsigned>(divisors.size()) + 1;
  indices.rank = digits;
  indices.first[0] = of_launch.first[0] / step;
  indices.count[0] = (count + below - 1) / below;
  weights[0] = below;
  for (unsigned d = 1; d != digits; ++d) {
    weights[d] = d + 1 == digits ? 1 : divisors[digits - 2 - d];
    indices.first[d] = 0;
    indices.count[d] = weights[d - 1] / weights[d];
  }
}

}  // namespace teamsan
