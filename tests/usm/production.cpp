// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory without any simulation: Kokkos' own spaces on this host, and clear words for misuse.
#define BOOST_TEST_MODULE usm_production
#include <boost/test/unit_test.hpp>

#include <teamsan/model/usm/Usm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace usm = teamsan::usm;

namespace {

struct KokkosGuard {
  KokkosGuard() { Kokkos::initialize(); }
  ~KokkosGuard() { Kokkos::finalize(); }
};

constexpr usm::Kind kinds[] = {usm::Kind::device, usm::Kind::host, usm::Kind::shared, usm::Kind::system};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

BOOST_AUTO_TEST_CASE(a_host_has_all_aspects) {
  for (int i = 0; i <= static_cast<int>(usm::Aspect::concurrent_access); ++i)
    BOOST_CHECK(usm::has(static_cast<usm::Aspect>(i)));
}

BOOST_AUTO_TEST_CASE(every_kind_is_allocated_filled_copied_and_freed) {
  int const n = 1000;
  Kokkos::DefaultExecutionSpace const queue;
  std::vector<int> host(n);
  for (usm::Kind const kind : kinds) {
    BOOST_TEST_CONTEXT(usm::name(kind)) {
      int* const x = usm::malloc<int>(n, kind, usm::Context(), "x");
      BOOST_CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(x) % 64, 0);
      BOOST_CHECK(usm::kind_of(x) == kind);
      BOOST_CHECK(usm::kind_of(x + n - 1) == kind);
      BOOST_CHECK(usm::kind_of(x + n) != kind);
      usm::fill_bytes(queue, x, 0, n);
      usm::prefetch(queue, x, n);
      usm::advise(queue, x, n, usm::Advice::read_mostly);
      Kokkos::parallel_for(
          "add", Kokkos::RangePolicy(queue, 0, n), KOKKOS_LAMBDA(int i) { x[i] += i; });
      usm::prefetch_to_host(queue, x, n);
      usm::copy(queue, x, host.data(), n);
      queue.fence();
      BOOST_CHECK_EQUAL(std::accumulate(host.begin(), host.end(), 0), n * (n - 1) / 2);
      usm::free(x);
      BOOST_CHECK(usm::kind_of(x) == usm::Kind::unknown);
    }
  }
}

BOOST_AUTO_TEST_CASE(misuse_is_told) {
  double* const x = usm::malloc_shared<double>(10);
  int volatile one = 1;  // the compiler knows better than to free an inner address, and says so
  BOOST_CHECK_THROW(usm::free(x + one), std::invalid_argument);
  usm::free(x);
  BOOST_CHECK_THROW(usm::free(x), std::invalid_argument);
  BOOST_CHECK_NO_THROW(usm::free(nullptr));
  BOOST_CHECK(usm::malloc_device<int>(0) == nullptr);
  BOOST_CHECK_THROW(usm::malloc<int>(1, usm::Kind::unknown), std::invalid_argument);
  BOOST_CHECK_THROW(usm::malloc_host<int>(~std::size_t{0}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(contexts_name_and_separate_nothing_but_answers) {
  usm::Context const a = usm::Context::make(), b = usm::Context::make();
  auto const queue = a.make_instance();
  static_assert(std::is_same_v<decltype(queue), Kokkos::DefaultExecutionSpace const>);
  int* const x = usm::malloc_shared<int>(1, a);
  BOOST_CHECK(usm::kind_of(x, a) == usm::Kind::shared);
  BOOST_CHECK(usm::kind_of(x, b) == usm::Kind::unknown);
  usm::free(x, a);
}

BOOST_AUTO_TEST_CASE(containers_take_the_allocator) {
  std::vector<double, usm::Allocator<double, usm::Kind::shared>> x(100, 1.5);
  double* const data = x.data();
  Kokkos::parallel_for(
      "double", 100, KOKKOS_LAMBDA(int i) { data[i] *= 2; });
  Kokkos::fence();
  BOOST_CHECK_EQUAL(std::accumulate(x.begin(), x.end(), 0.0), 300);
  BOOST_CHECK(usm::kind_of(data) == usm::Kind::shared);
}
