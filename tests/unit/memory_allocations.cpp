// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations: whose an address is, what is known of freed memory, what untouched memory costs.
#include "../../sim/base/Arena.hpp"
#include "../../sim/findings/Collector.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/AddressSpace.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/MemoryLimit.hpp"
#include "../../sim/memory/OwnerTable.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::size_t MiB = arena::MiB, GiB = arena::GiB;

std::uintptr_t make(std::size_t bytes, std::string const& label, Space space = Space::device) {
  return reinterpret_cast<std::uintptr_t>(allocate(space, bytes, 0, label));
}
void free(std::uintptr_t address) { deallocate(reinterpret_cast<void*>(address)); }

struct Block {
  std::uintptr_t begin;
  std::size_t bytes;
  std::string label;
};

}  // namespace

BOOST_AUTO_TEST_CASE(owners_are_those_of_the_granules) {
  arena::reserve();
  // Four chunks and a bit at the far end of pinned memory, where no allocation lies.
  std::uintptr_t const begin = arena::pinned + arena::pinned_bytes - 5 * arena::chunk_bytes;
  constexpr std::size_t granules = 4 * arena::chunk_bytes / arena::granule_bytes + 10;
  std::vector<std::uint32_t> oracle(granules, 0);
  std::mt19937 random(5);
  for (int step = 0; step != 60; ++step) {
    std::size_t const chunk = arena::chunk_bytes / arena::granule_bytes;
    bool const on_chunks = random() % 2 == 0;
    std::size_t first = random() % granules, last = first + 1 + random() % (granules - first);
    if (on_chunks)
      first = first / chunk * chunk, last = std::min(granules, (last + chunk - 1) / chunk * chunk);
    std::uint32_t const owner = random() % 5;
    owner_table::set(begin + first * arena::granule_bytes, begin + last * arena::granule_bytes, owner);
    std::fill(oracle.begin() + static_cast<std::ptrdiff_t>(first),
              oracle.begin() + static_cast<std::ptrdiff_t>(last), owner);
    for (std::size_t i = 0; i != granules; ++i)
      BOOST_REQUIRE(owner_table::of(begin + i * arena::granule_bytes + i % arena::granule_bytes) ==
                    oracle[i]);
  }
}

BOOST_AUTO_TEST_CASE(each_live_byte_belongs_to_its_allocation) {
  std::mt19937 random(11);
  std::vector<Block> live;
  for (int step = 0; step != 1000; ++step) {
    if (live.size() < 50 && random() % 2 == 0) {
      std::size_t const bytes = random() % 20 == 0 ? 1 + random() % (6 * MiB) : 1 + random() % 5000;
      std::string const label = "block " + std::to_string(step);
      live.push_back({make(bytes, label), bytes, label});
      BOOST_REQUIRE(live.back().begin % 256 == 0u);
    } else if (!live.empty()) {
      auto const victim = live.begin() + static_cast<std::ptrdiff_t>(random() % live.size());
      free(victim->begin);
      Allocation const* const dead = find_allocation(victim->begin);
      BOOST_REQUIRE((dead != nullptr && !dead->live && dead->label == victim->label));
      live.erase(victim);
    }
    for (Block const& b : live)
      for (std::uintptr_t const a : {b.begin, b.begin + b.bytes / 2, b.begin + b.bytes - 1}) {
        Allocation const* const owner = find_allocation(a);
        BOOST_REQUIRE(
            (owner != nullptr && owner->live && owner->begin == b.begin && owner->label == b.label));
        BOOST_REQUIRE(nearest_allocation(a) == owner);
      }
  }
  std::size_t counted = 0;
  for_each_allocation([](Allocation const&, void* n) { ++*static_cast<std::size_t*>(n); }, &counted);
  BOOST_TEST(counted == live.size());
  for (Block const& b : live) free(b.begin);
}

BOOST_AUTO_TEST_CASE(memory_past_the_end_meets_no_neighbour) {
  std::uintptr_t const a = make(1024, "a"), b = make(1024, "b");
  BOOST_TEST(find_allocation(a + 1024 + 255)->label == "a");
  BOOST_TEST((b >= a + 1024 + 256 || a >= b + 1024 + 256));
  free(a);
  free(b);
}

BOOST_AUTO_TEST_CASE(untouched_memory_costs_nothing) {
  for (Space const space : {Space::device, Space::shared}) {
    std::size_t const before = memory_limit::held();
    std::uintptr_t const block = make(60 * GiB, "large", space);
    BOOST_TEST(find_allocation(block + 59 * GiB)->label == "large");
    BOOST_TEST(memory_limit::held() < before + 2 * MiB);
    free(block);
    std::uintptr_t const again = make(61 * GiB, "larger", space);
    BOOST_TEST(find_allocation(again + 60 * GiB)->label == "larger");
    free(again);
    BOOST_TEST(memory_limit::held() < before + 4 * MiB);
  }
}

BOOST_AUTO_TEST_CASE(growing_blocks_one_at_a_time_do_not_use_the_addresses_up) {
  for (std::size_t i = 0; i != 200; ++i) {
    std::string const label = "grow " + std::to_string(i);
    std::uintptr_t const block = make(8 * GiB + i * 256, label);
    *reinterpret_cast<char*>(block) = 1;
    BOOST_TEST(global_shadow::init_before(*global_shadow::cell(block), 1) == 0u);
    global_shadow::mark_initialised(block, 4096);
    free(block);
    BOOST_TEST((!find_allocation(block + GiB)->live && find_allocation(block + GiB)->label == label));
  }
}

BOOST_AUTO_TEST_CASE(memory_of_freed_blocks_goes_back) {
  std::size_t const before = memory_limit::held();
  for (int round = 0; round != 20; ++round) {
    std::vector<std::uintptr_t> blocks;
    for (int i = 0; i != 2000; ++i) {
      blocks.push_back(make(2000, "small"));
      zero(reinterpret_cast<void*>(blocks.back()), 2000);
    }
    for (std::uintptr_t const b : blocks) free(b);
  }
  // Of small blocks some that are freed wait to be used again; with three times as much shadow.
  BOOST_TEST(memory_limit::held() < before + 2 * 4 * AddressSpace::small_rest);
}

BOOST_AUTO_TEST_CASE(fresh_memory_is_not_initialised_whatever_was_there_before) {
  std::mt19937 random(13);
  for (int i = 0; i != 100 / FEWER_STEPS; ++i) {
    std::size_t const bytes = 4 * (1 + random() % 100'000);
    std::uintptr_t const block = make(bytes, "x");
    for (std::size_t k = 0; k < bytes; k += 4) BOOST_REQUIRE(*global_shadow::cell(block + k) == 0u);
    zero(reinterpret_cast<void*>(block), bytes);
    free(block);
    if (i % 30 == 0) {  // push it through
      std::uintptr_t const large = make(5 * GiB, "push");
      free(large);
    }
  }
}

BOOST_AUTO_TEST_CASE(fresh_memory_holds_zeros) {
  // What lay last is given back as if it had never been handed out; its last page was not full.
  std::mt19937 random(17);
  for (int round = 0; round != 20 / FEWER_STEPS; ++round) {
    std::vector<std::uintptr_t> blocks;
    for (std::size_t bytes = 0; bytes < 2 * AddressSpace::small_rest;) {
      std::size_t const more = 1 + random() % 4000;
      blocks.push_back(make(more, "small"));
      std::memset(reinterpret_cast<void*>(blocks.back()), 1, more);
      bytes += more;
    }
    if (random() % 2 == 0) std::reverse(blocks.begin(), blocks.end());
    for (std::uintptr_t const b : blocks) free(b);
    std::size_t const bytes = 1 + random() % (16 * MiB);
    std::uintptr_t const large = make(bytes, "large");
    char* const data = reinterpret_cast<char*>(large);
    BOOST_TEST(std::all_of(data, data + bytes, [](char c) { return c == 0; }));
    std::memset(data, 1, bytes);
    free(large);
  }
}

BOOST_AUTO_TEST_CASE(what_is_known_of_bytes_travels_with_them) {
  std::uintptr_t const a = make(64, "a"), b = make(64, "b"), shared = make(64, "shared", Space::shared);
  char host[64];
  auto const init = [](std::uintptr_t address) {
    return global_shadow::init_before(*global_shadow::cell(address), 1);
  };
  copy(reinterpret_cast<void*>(a), host, 10);
  BOOST_TEST(init(a) == 15u);
  BOOST_TEST(init(a + 8) == 3u);
  BOOST_TEST(init(a + 12) == 0u);
  copy(reinterpret_cast<void*>(b), reinterpret_cast<void*>(a), 64);
  BOOST_TEST(init(b + 4) == 15u);
  BOOST_TEST(init(b + 8) == 3u);
  BOOST_TEST(init(b + 60) == 0u);
  copy(reinterpret_cast<void*>(b + 32), reinterpret_cast<void*>(shared),
       8);  // the host may have written it unseen
  BOOST_TEST(init(b + 32) == 15u);
  for (std::uintptr_t const p : {a, b, shared}) free(p);
}

BOOST_AUTO_TEST_CASE(a_second_free_is_a_finding) {
  std::uint64_t const before = Collector::instance().errors();
  std::uintptr_t const a = make(64, "twice");
  free(a);
  free(a);
  free(a + 8);
  BOOST_TEST(Collector::instance().errors() > before);
  Collector::instance().clear();
}
