// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one virtual range: its parts, and pages that go back to the system.
#include "../../sim/base/Arena.hpp"
#include "../../sim/base/Pages.hpp"
#include "../../sim/memory/Hot.hpp"
#include "../../sim/memory/LargePages.hpp"
#include "../../sim/memory/MemoryLimit.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace arena = teamsan::arena;

BOOST_AUTO_TEST_CASE(parts_do_not_overlap) {
  std::vector<std::pair<std::uintptr_t, std::size_t>> parts{
      {arena::device, arena::device_bytes},
      {arena::shared, arena::shared_bytes},
      {arena::pinned, arena::pinned_bytes},
      {arena::scratch, arena::scratch_bytes},
      {arena::constant, arena::constant_bytes},
      {arena::stacks, arena::stacks_bytes},
      {arena::global_cells, arena::global_cells_bytes},
      {arena::global_extras, arena::global_extras_bytes},
      {arena::scratch_cells, arena::scratch_cells_bytes},
      {arena::scratch_seconds, arena::scratch_seconds_bytes},
      {arena::granule_owners, arena::granule_owners_bytes},
      {arena::chunk_owners, arena::chunk_owners_bytes},
      {arena::global_ticks, arena::global_ticks_bytes}};
  BOOST_TEST(std::is_sorted(parts.begin(), parts.end()));
  std::uintptr_t end = arena::base;
  for (auto const& [begin, bytes] : parts) {
    BOOST_TEST(begin >= end);
    BOOST_TEST(begin % 4096 == 0u);
    end = begin + bytes;
  }
  BOOST_TEST(end <= arena::end);
  BOOST_TEST(arena::end < std::uintptr_t{1} << 47);
}

BOOST_AUTO_TEST_CASE(only_whole_pages_are_given_back) {
  arena::reserve();
  teamsan::RuntimeScope const scope;  // no host access to device memory
  auto* const bytes = reinterpret_cast<unsigned char*>(arena::device);
  std::size_t const page = teamsan::page_bytes();
  std::memset(bytes, 1, 5 * page);
  arena::discard(arena::device + 100, 3 * page);
  for (std::size_t i = 0; i != 5 * page; ++i) BOOST_REQUIRE(bytes[i] == (i >= page && i < 3 * page ? 0 : 1));
  BOOST_TEST(arena::whole_pages(arena::device + 1, page).bytes() == 0u);
  arena::discard(arena::device + 1, 100);
  BOOST_TEST(bytes[50] == 1);
}

BOOST_AUTO_TEST_CASE(pages_cost_memory_once_touched) {
  arena::reserve();
  teamsan::RuntimeScope const scope;
  constexpr std::size_t bytes = 64 << 20;
  auto* const begin = reinterpret_cast<void*>(arena::shared);
  std::memset(begin, 1, bytes);  // AddressSanitizer's own pages for these bytes stay
  arena::discard(arena::shared, bytes);
  std::size_t const before = teamsan::memory_limit::held();
  std::memset(begin, 1, bytes);
  BOOST_TEST(teamsan::memory_limit::held() >= before + bytes / 10 * 9);
  arena::discard(arena::shared, bytes);
  BOOST_TEST(teamsan::memory_limit::held() < before + bytes / 10);
}

// Whether the system has any to give or not: what lay there stays, and nothing but whole pages of the range is touched.
BOOST_AUTO_TEST_CASE(pages_are_taken_for_what_they_cover_alone) {
  constexpr std::size_t large = arena::chunk_bytes, all = 6 * large;
  std::size_t const page = teamsan::page_bytes();
  void* const mapped =
      ::mmap(nullptr, all + large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  BOOST_REQUIRE(mapped != MAP_FAILED);
  auto const begin = (reinterpret_cast<std::uintptr_t>(mapped) + large - 1) / large * large;
  auto const at = [&](std::size_t offset) { return reinterpret_cast<unsigned char*>(begin + offset); };
  auto const has_page = [&](std::size_t offset) {
    unsigned char there = 0;
    BOOST_REQUIRE(::mincore(at(offset / page * page), 1, &there) == 0);
    return (there & 1) != 0;
  };
  *at(2 * large + 123) = 7;            // of a large page that has some already
  *at(3 * large + large / 2 + 5) = 9;  // and of one that has the page which is looked at
  std::size_t const first = 3 * page + 1, end = 4 * large + large / 4 + 1;
  teamsan::large_pages::take(begin + first, end - first);  // large ones: the second to the fourth
  for (std::size_t offset = 0; offset < first; offset += page) BOOST_TEST(!has_page(offset));
  for (std::size_t offset = end / page * page; offset < all; offset += page) BOOST_TEST(!has_page(offset));
  bool const by_one_call = has_page(large - page);
  for (std::size_t offset = 4 * page; offset < large; offset += page) BOOST_TEST(has_page(offset) == by_one_call);
  for (std::size_t offset = 4 * large; offset < end / page * page; offset += page) BOOST_TEST(has_page(offset) == by_one_call);
  BOOST_TEST(has_page(large + large / 2));
  BOOST_TEST(*at(2 * large + 123) == 7);
  BOOST_TEST(*at(3 * large + large / 2 + 5) == 9);
  BOOST_TEST(std::count(at(0), at(all), 0) == static_cast<std::ptrdiff_t>(all - 2));
  BOOST_TEST(::munmap(mapped, all + large) == 0);
}
