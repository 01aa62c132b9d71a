// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kokkos Kernels asks about an execution space: its header's declaration, as it is read after Kokkos'.
#include <Kokkos_Core.hpp>

#include <boost/test/unit_test.hpp>

namespace KokkosKernels::Impl {

template <typename ExecutionSpace>
constexpr inline bool is_gpu_exec_space_v = false;

}  // namespace KokkosKernels::Impl

BOOST_AUTO_TEST_CASE(simt_is_a_gpu_and_the_host_is_none) {
  BOOST_TEST(KokkosKernels::Impl::is_gpu_exec_space_v<Kokkos::DefaultExecutionSpace>);
  BOOST_TEST(!KokkosKernels::Impl::is_gpu_exec_space_v<Kokkos::DefaultHostExecutionSpace>);
}
