// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every algorithm of warp_store and warp_load with 1 to 16 items a lane, for the machine model:
//   teamsan run --check all,perf --report json=warp.json -- warp_costs
#include "warp_costs.hpp"

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  warp_costs::run_all<float>("float");
  warp_costs::run_all<double>("double");
}
