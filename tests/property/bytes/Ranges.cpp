// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ranges.hpp"

#include <algorithm>

namespace property::bytes {
namespace {

constexpr int most_items = 24000;

void make_md(Kernel& k, Dice& dice) {
  k.rank = dice.between(2, 6);
  k.left = dice.chance(50);
  int const longest = k.rank == 2 ? 120 : k.rank == 3 ? 26 : k.rank == 4 ? 11 : k.rank == 5 ? 7 : 5;
  int tile = 1;
  k.count = 1;
  std::int64_t tiles = 1;
  for (int d = 0; d < k.rank; ++d) {
    auto const i = static_cast<std::size_t>(d);
    k.extents[i] = dice.between(1, longest);
    k.tile[i] = std::min(dice.one_of({1, 2, 2, 3, 4, 8, 16}), std::max(1, 256 / tile));
    if (tile * k.tile[i] > 256) k.tile[i] = 1;
    tile *= k.tile[i];
    k.count *= k.extents[i];
    tiles *= (k.extents[i] + k.tile[i] - 1) / k.tile[i];
  }
  // A reduction has so many blocks at most, each of which takes several tiles beyond.
  constexpr int most_tiles = 250;
  if (k.policy == Policy::md_reduce && tiles > most_tiles) k.policy = Policy::md_for;
}

}  // namespace

Kernel make_range(Dice& dice) {
  Kernel k;
  k.policy = dice.one_of({Policy::range_for, Policy::range_for, Policy::range_for, Policy::range_reduce, Policy::range_scan,
                          Policy::md_for, Policy::md_for, Policy::md_reduce});
  if (is_md(k.policy)) {
    make_md(k, dice);
  } else {
    // Launches of fewer than 8 blocks are judged by teams, others by words.
    k.count = dice.chance(35)   ? dice.between(1, 300)
              : dice.chance(50) ? dice.between(301, 4000)
                                : dice.between(4001, most_items);
    k.final_only = dice.chance(70);
  }
  return k;
}

}  // namespace property::bytes
