// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a team keeps of 64 bytes of device memory while it runs.
//   bench_lines
//   "bytes_of_doubles bytes_of_words": of lines that were accessed by 8 and 16 bytes alone, and of others
#include "../sim/memory/TeamShadow.hpp"

#include <cstddef>
#include <cstdio>

int main() {
  using teamsan::Cell, teamsan::Line;
  std::printf("%zu %zu\n", offsetof(Line, first) + Line::words / 2 * sizeof(Cell), sizeof(Line));
}
