// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A lane's own bytes under other names: as an array of one element that is as long as the bytes are, as the last member of a
// union, as the base of what is longer.
#include <Kokkos_Core.hpp>

union Words {
  int first[1];
  int all[16];
};
struct Head {
  int count;
  int items[1];
};
struct Block {
  Head head;
  int more[15];
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 300;
  Kokkos::View<int*> sum("sum", n), length("length", n);
  Kokkos::parallel_for(
      "lengths", n, KOKKOS_LAMBDA(int i) { length(i) = i % 16; });
  Kokkos::parallel_for(
      "names", n, KOKKOS_LAMBDA(int i) {
        int const l = length(i);
        alignas(double) unsigned char bytes[16 * sizeof(double)] = {};
        auto& numbers = reinterpret_cast<double(&)[1]>(bytes);
        for (int k = 0; k < l; ++k) numbers[k] = k;
        Words words{};
        words.all[l] = 1;
        int total = 0;
        for (int k = 0; k < 16; ++k) total += words.first[k];
        Block block{};
        block.head.items[l] = l;
        sum(i) = total + static_cast<int>(numbers[l]) + block.head.items[l / 2];
      });
  Kokkos::fence();
}
