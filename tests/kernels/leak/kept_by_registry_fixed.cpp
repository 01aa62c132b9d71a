// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: leak_check=full
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <map>
#include <string>

namespace {

using Table = Kokkos::View<int*, Kokkos::SharedSpace>;

std::map<std::string, Table>& registry() {
  static auto* const tables = [] {
    Kokkos::push_finalize_hook([] { registry().clear(); });
    return new std::map<std::string, Table>;
  }();
  return *tables;
}

void fill(std::string const& name) {
  Table const table("table_of_" + name, 10);
  registry()[name] = table;
  Kokkos::parallel_for(
      name, 10, KOKKOS_LAMBDA(int i) { table(i) = i; });
}

void use() {
  Kokkos::View<float*> const used("used", 5);
  Kokkos::deep_copy(used, 1.0f);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  fill("odd");
  fill("even");
  use();
  Kokkos::fence();
}
