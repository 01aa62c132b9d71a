// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recursion whose end is never met fills the stack of the lane.
#include <Kokkos_Core.hpp>

struct Descend {
  Kokkos::View<int*> end, y;

  KOKKOS_FUNCTION int depth(int level, int last) const {  // EXPECT-ANYWHERE: crash
    int volatile path[32];
    path[level & 31] = level;
    if (level == last) return level;
    return depth(level + 1, last) + path[level & 31];
  }
  KOKKOS_FUNCTION void operator()(int i) const { y(i) = depth(0, end(i)); }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> end("end", 4), y("y", 4);
  Kokkos::deep_copy(end, -1);
  Kokkos::parallel_for("descend", 4, Descend{end, y});
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(3) < 0;
}
