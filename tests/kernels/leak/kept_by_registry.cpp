// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A registry that is never destroyed keeps tables: a warning, since it may be meant so. One that it no longer leads to is lost.
// OPTIONS: leak_check=full
// EXPECT-OUTPUT: WARNING \[leak\] shared memory is never freed
// EXPECT-OUTPUT: the variable .*registry\(\)::tables\S*\s+leads\s+to\s+it
// EXPECT-OUTPUT: ERROR \[leak\] device memory is never freed
#include <Kokkos_Core.hpp>

#include <map>
#include <string>

namespace {

using Table = Kokkos::View<int*, Kokkos::SharedSpace>;

std::map<std::string, Table>& registry() {
  static auto* const tables = new std::map<std::string, Table>;
  return *tables;
}

void fill(std::string const& name) {
  Table const table("table_of_" + name, 10);  // EXPECT: leak
  registry()[name] = table;
  Kokkos::parallel_for(
      name, 10, KOKKOS_LAMBDA(int i) { table(i) = i; });
}

void lose() {
  auto* const lost = new Kokkos::View<float*>("lost", 5);  // EXPECT: leak
  Kokkos::deep_copy(*lost, 1.0f);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  fill("odd");
  fill("even");
  lose();
  Kokkos::fence();
}
