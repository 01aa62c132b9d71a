// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of shared memory that move: the sums of very many short-lived allocations.
#include "../../sim/findings/Migrations.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/MemoryLimit.hpp"
#include "../../sim/memory/Migration.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

using namespace teamsan;

BOOST_AUTO_TEST_CASE(sums_of_many_allocations_are_kept_without_them) {
  migration::forget();
  constexpr int count = 20'000 / FEWER_STEPS;
  constexpr std::size_t bytes = 3 << 20;  // 48 pages
  std::size_t at_half = 0;
  for (int i = 0; i != count; ++i) {
    if (i == count / 2) at_half = memory_limit::held();
    void* const block = allocate(Space::shared, bytes, 0, "block " + std::to_string(i % 3));
    auto const address = reinterpret_cast<std::uintptr_t>(block);
    migration::host_touches(address, bytes);              // all pages lie at the host
    migration::prefetch(address, bytes, true);            // all go to the device
    if (i % 2 == 0) migration::host_touches(address, 1);  // one comes back
    deallocate(block);
  }
  BOOST_TEST(memory_limit::held() < at_half + (std::size_t{4} << 20));
  MigrationCounts const counts = migration::counts();
  BOOST_REQUIRE(counts.rows.size() == 3u);
  std::uint64_t prefetched = 0, faults = 0;
  for (MigrationRow const& row : counts.rows) {
    BOOST_TEST(row.label.starts_with("block "));
    prefetched += row.prefetched_to_device;
    faults += row.faults_to_host;
  }
  BOOST_TEST(prefetched == 48u * count);
  BOOST_TEST(faults == count / 2u);
  migration::forget();
  BOOST_TEST(migration::counts().rows.empty());
}
