// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which spaces kernels were compiled for, by symbols as GCC and Clang write them.
#include "../../sim/places/CompiledKernels.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace {

using Names = std::vector<std::string>;
constexpr bool also = true;

constexpr char const* scale_on_host =
    "_ZNK6Kokkos4Impl11ParallelForI5ScaleINS_6OpenMPEENS_11RangePolicyIJS3_EEES3_E16execute_parallelIS6_EENSt9enable_ifIXnt9is_"
    "same_"
    "vINT_13schedule_type4typeENS_7DynamicEEEvE4typeEv._omp_fn.0";
constexpr char const* scale_on_gpu =
    "_ZNK6Kokkos4Impl11ParallelForI5ScaleIN7teamsan4SimtEENS_11RangePolicyIJS4_EEES4_E7executeEv";
constexpr char const* sum_on_host =
    "_ZNK6Kokkos4Impl14ParallelReduceINS0_22CombinedFunctorReducerI4MineNS0_15FunctorAnalysisINS0_23FunctorPatternInterface6"
    "REDUCEENS_11RangePolicyIJNS_6OpenMPEEEES3_dE7ReducerEvEES9_S8_E7executeEv";
/// Of a static Kokkos: in every program that is linked with it.
constexpr char const* copy_by_kokkos =
    "_ZNK6Kokkos4Impl11ParallelForIZNS0_33hostspace_parallel_deepcopy_asyncINS_6OpenMPEEEvRKT_PvPKvlEUllE_NS_11RangePolicyIJS3_"
    "EEES3_E16execute_parallelISC_EENSt9enable_ifIXnt9is_same_vINS4_13schedule_type4typeENS_7DynamicEEEvE4typeEv._omp_fn.0";

}  // namespace

BOOST_AUTO_TEST_CASE(a_kernel_for_the_host_alone) {
  teamsan::CompiledKernels kernels;
  kernels.add("_ZN6Kokkos5Tools14endParallelForEm");
  kernels.add(scale_on_host);
  BOOST_TEST(kernels.spaces(!also) == Names{"Kokkos::OpenMP"});
  BOOST_TEST(kernels.spaces(also).empty());
}

BOOST_AUTO_TEST_CASE(a_kernel_for_two_spaces) {
  teamsan::CompiledKernels kernels;
  kernels.add(scale_on_host);
  kernels.add(scale_on_gpu);
  BOOST_TEST(kernels.spaces(!also).empty());
  BOOST_TEST(kernels.spaces(also) == Names{"Kokkos::OpenMP"});
  kernels.add(sum_on_host);  // that one is for the host alone
  BOOST_TEST(kernels.spaces(!also) == Names{"Kokkos::OpenMP"});
}

BOOST_AUTO_TEST_CASE(what_kokkos_launches_for_itself) {
  teamsan::CompiledKernels kernels;
  kernels.add(copy_by_kokkos);
  BOOST_TEST(kernels.spaces(!also).empty());
  BOOST_TEST(kernels.spaces(also).empty());
}

BOOST_AUTO_TEST_CASE(names_that_are_none) {
  teamsan::CompiledKernels kernels;
  for (char const* const symbol : {"", "_Z", "_Z11ParallelFor_6OpenMPE", "11ParallelFor_6OpenMPE", "main"}) kernels.add(symbol);
  BOOST_TEST(kernels.spaces(!also).empty());
}
