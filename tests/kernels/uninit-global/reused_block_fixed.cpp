// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Small blocks are freed so often that their addresses come round again; each is filled before it is read.
#include <Kokkos_Core.hpp>

#include <set>
#include <string>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 7000, used = 8;
  using Block = Kokkos::View<double*>;
  auto const uninitialised = [](std::string const& label) {
    return Block(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
  };
  std::set<double*> written;
  bool comes_round = false;
  for (int round = 0; round != 2000 && !comes_round; ++round) {
    Block block = uninitialised("earlier");
    comes_round = !written.insert(block.data()).second;
    Kokkos::parallel_for(
        "write", used, KOKKOS_LAMBDA(int i) { block(i) = i; });
  }
  Block last = uninitialised("last");
  Kokkos::deep_copy(last, 1.0);
  Block sums("sums", used);
  Kokkos::parallel_for(
      "read", used, KOKKOS_LAMBDA(int i) { sums(i) += last(i); });
  Kokkos::fence();
  return comes_round && written.contains(last.data()) ? 0 : 1;
}
