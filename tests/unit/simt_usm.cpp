// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory on the simulated GPU: what programs may ask, and what the allocator promises.
/// The findings are in tests/kernels/*/usm_*.cpp.
// OPTIONS: pinned_memory=1M:check=all,-limit
#include <boost/test/unit_test.hpp>

#include "SimtHost.hpp"

#include "../../model/device/Device.hpp"
#include "../../model/usm/Usm.hpp"
#include "../../sim/base/Options.hpp"
#include "../../sim/findings/Migrations.hpp"
#include "../../sim/memory/Migration.hpp"

#include <list>
#include <string>
#include <vector>

using simt_host::KokkosGuard;
namespace usm = teamsan::usm;

BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

teamsan::MigrationRow migrations_of(std::string const& label) {
  for (teamsan::MigrationRow const& row : teamsan::migration::counts().rows)
    if (row.label == label) return row;
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(aspects_are_those_of_the_device_description) {
  for (teamsan::model::Device const& device : teamsan::model::devices()) {
    usm::Aspects const aspects = usm::aspects_of(device);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::device_allocations), device.usm.device_allocations);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::host_allocations), device.usm.host_allocations);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::shared_allocations), device.usm.shared_allocations);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::system_allocations), device.usm.system_allocations);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::atomic_host_allocations), device.usm.atomic_host_allocations);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::atomic_shared_allocations),
                      device.usm.atomic_shared_allocations);
    BOOST_CHECK_EQUAL(aspects.has(usm::Aspect::concurrent_access), device.usm.concurrent_access);
  }
  BOOST_CHECK(usm::aspects() == usm::aspects_of(teamsan::options().model()));
}

BOOST_AUTO_TEST_CASE(kinds_of_pointers) {
  usm::Context const other = usm::Context::make();
  int const n = 5;
  int* const device = usm::malloc_device<int>(n);
  int* const host = usm::malloc_host<int>(n);
  int* const shared = usm::malloc_shared<int>(n, other);
  int* const system = usm::malloc_system<int>(n);
  int local = 0;
  BOOST_CHECK(usm::kind_of(device) == usm::Kind::device);
  BOOST_CHECK(usm::kind_of(device + n - 1) == usm::Kind::device);
  BOOST_CHECK(usm::kind_of(device + n) == usm::Kind::unknown);
  BOOST_CHECK(usm::kind_of(host) == usm::Kind::host);
  BOOST_CHECK(usm::kind_of(shared) == usm::Kind::unknown);
  BOOST_CHECK(usm::kind_of(shared, other) == usm::Kind::shared);
  BOOST_CHECK(usm::kind_of(system) == usm::Kind::system);
  BOOST_CHECK(usm::kind_of(system, other) == usm::Kind::system);
  BOOST_CHECK(usm::kind_of(&local) == usm::Kind::unknown);
  BOOST_CHECK(usm::kind_of(Kokkos::View<int*>("view", n).data()) == usm::Kind::unknown);
  usm::free(device);
  BOOST_CHECK(usm::kind_of(device) == usm::Kind::unknown);
  usm::free(host);
  usm::free(shared, other);
  usm::free(system);
  BOOST_CHECK(usm::malloc_device<int>(0) == nullptr);
  BOOST_CHECK_THROW(usm::malloc_device<int>(~std::size_t{0} / 2), std::runtime_error);
  BOOST_CHECK_THROW(usm::malloc<int>(n, usm::Kind::unknown), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(system_allocations_are_no_pinned_memory) {
  int* const system = usm::malloc_system<int>(1 << 20);  // 4 MiB; 1 MiB may be pinned
  system[0] = 1;
  BOOST_CHECK_THROW(usm::malloc_host<int>(1 << 20), std::runtime_error);
  usm::free(system);
  usm::free(usm::malloc_host<int>(1 << 17));
}

BOOST_AUTO_TEST_CASE(contexts_are_values) {
  usm::Context const a = usm::Context::make(), b = usm::Context::make();
  usm::Context const copy = a;
  BOOST_CHECK(a == copy);
  BOOST_CHECK(!(a == b));
  BOOST_CHECK(!(a == usm::Context()));
}

BOOST_AUTO_TEST_CASE(allocator_meets_the_requirements) {
  using Shared = usm::Allocator<int, usm::Kind::shared>;
  using Traits = std::allocator_traits<Shared>;
  static_assert(std::is_same_v<Traits::rebind_alloc<double>, usm::Allocator<double, usm::Kind::shared>>);
  usm::Context const other = usm::Context::make();
  Shared const here, there(other);
  BOOST_CHECK(here == Shared());
  BOOST_CHECK(!(here == there));
  BOOST_CHECK((there == usm::Allocator<double, usm::Kind::shared>(other)));
  std::vector<int, Shared> x(100, 3), y(there);
  y.assign(x.begin(), x.end());
  BOOST_CHECK(usm::kind_of(y.data(), other) == usm::Kind::shared);
  y.push_back(4);
  x = y;  // takes the allocator along
  BOOST_CHECK(x.get_allocator() == there);
  BOOST_CHECK_EQUAL(x.back(), 4);
  std::list<std::string, usm::Allocator<std::string, usm::Kind::host>> words{"a", "b"};
  BOOST_CHECK_EQUAL(words.back(), "b");
  std::vector<double, usm::Allocator<double, usm::Kind::system>> z(10);
  BOOST_CHECK(usm::kind_of(z.data()) == usm::Kind::system);
  BOOST_CHECK_THROW((void)Shared().allocate(~std::size_t{0} / 2), std::bad_alloc);
  BOOST_CHECK_THROW((void)Shared().allocate(~std::size_t{0} / 8), std::bad_alloc);
}

BOOST_AUTO_TEST_CASE(pages_move_to_who_touches_them_and_before_if_prefetched) {
  Kokkos::DefaultExecutionSpace const queue;
  std::size_t const page = 65536 / sizeof(double), n = 10 * page;
  for (bool const prefetched : {false, true}) {
    char const* const label = prefetched ? "prefetched" : "on demand";
    double* const x = usm::malloc_shared<double>(n, {}, label);
    for (std::size_t i = 0; i < n; ++i) x[i] = 1;  // populated by the host: nothing moves
    BOOST_CHECK_EQUAL(migrations_of(label).moved(), 0);
    if (prefetched) usm::prefetch(queue, x, n);
    for (int twice = 0; twice < 2; ++twice) {
      Kokkos::parallel_for(
          "half", n / 2, KOKKOS_LAMBDA(int i) { x[i] += 1; });
      Kokkos::fence();
    }
    if (prefetched) usm::prefetch_to_host(queue, x, 1);
    double const first = x[0], last = x[n - 1];
    BOOST_CHECK_EQUAL(first, 3);
    BOOST_CHECK_EQUAL(last, 1);
    teamsan::MigrationRow const row = migrations_of(label);
    BOOST_CHECK_EQUAL(row.pages, 10);
    BOOST_CHECK_EQUAL(row.faults_to_device, prefetched ? 0 : 5);
    BOOST_CHECK_EQUAL(row.prefetched_to_device, prefetched ? 10 : 0);
    BOOST_CHECK_EQUAL(row.faults_to_host, 1);  // the first page on demand; the last one, prefetched in vain
    BOOST_CHECK_EQUAL(row.prefetched_to_host, prefetched ? 1 : 0);
    usm::free(x);
  }
  double* const fresh = usm::malloc_shared<double>(n, {}, "fresh");
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { fresh[i] = i; });  // populated by the device
  Kokkos::fence();
  BOOST_CHECK_EQUAL(migrations_of("fresh").moved(), 0);
  usm::free(fresh);
}
