// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations of one kernel leave marks in words that they share. Where three lines race on a word, the first two iterations to
// do so are told, whichever blocks they are in and whichever way the launch is judged; the third line is told once these are
// mended.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int*> marks("marks", 6), seen("seen", n);
  Kokkos::parallel_for(
      "mark", n, KOKKOS_LAMBDA(int i) {
        seen(i) = i;
        // In blocks 3, 7 and 11.
        if (i == 1000) marks(0) = 1;  // EXPECT: global-race
        if (i == 2000) marks(0) = 2;  // EXPECT: global-race
        if (i == 3000) marks(0) = 3;
        // In one block.
        if (i == 1001) marks(1) = 1;  // EXPECT: global-race
        if (i == 1002) marks(1) = 2;  // EXPECT: global-race
        if (i == 1003) marks(1) = 3;
        // The first two are.
        if (i == 1004) marks(2) = 1;  // EXPECT: global-race
        if (i == 1005) marks(2) = 2;  // EXPECT: global-race
        if (i == 3001) marks(2) = 3;
        // The last two are.
        if (i == 1006) marks(3) = 1;  // EXPECT: global-race
        if (i == 2001) marks(3) = 2;  // EXPECT: global-race
        if (i == 2002) marks(3) = 3;
        // A write and a write, a write and a read are two.
        if (i == 1007) marks(4) = 1;        // EXPECT: global-race
        if (i == 1008) marks(4) = 2;        // EXPECT: global-race
        if (i == 1009) seen(i) = marks(4);  // EXPECT: global-race
        if (i == 1010) seen(i) = marks(4) + 1;
        if (i == 1011) seen(i) = marks(5);  // EXPECT: global-race
        if (i == 2003) marks(5) = 2;        // EXPECT: global-race
        if (i == 3002) marks(5) = 3;        // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marks);
  return host(0) < 0;
}
