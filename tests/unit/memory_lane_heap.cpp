// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory is a block that a lane took: whoever allocates and frees it, by whichever function.
#include "../../sim/memory/Hot.hpp"
#include "../../sim/memory/LaneHeap.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <thread>
#include <vector>

using namespace teamsan;

namespace {

/// As a lane's code; the runtime's while `in_runtime`.
template <class F>
void as_lane(F f, unsigned in_runtime = 0) {
  int lane = 0;
  lane_heap::Watch const watch;
  hot.lane = reinterpret_cast<RunningLane*>(&lane);
  hot.in_runtime = in_runtime;
  f();
  hot.in_runtime = 0;
  hot.lane = nullptr;
}

/// The compiler may leave out a pair of malloc and free.
template <class T>
T* kept(T* p) {
  asm volatile("" : "+r"(p) : : "memory");
  return p;
}

/// A number, since a block's address is asked about once the block is given back, too.
template <class T>
std::uintptr_t address_of(T* block) {
  return reinterpret_cast<std::uintptr_t>(block);
}

bool is_lanes(std::uintptr_t begin, std::size_t bytes) {
  for (std::size_t i = 0; i != bytes; ++i)
    if (!lane_heap::holds(begin + i)) return false;
  return true;
}

/// Not one byte of it.
bool is_hosts(std::uintptr_t begin, std::size_t bytes) {
  for (std::size_t i = 0; i != bytes; ++i)
    if (lane_heap::holds(begin + i)) return false;
  return true;
}

struct alignas(256) Wide {
  char bytes[256];
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_way_to_take_and_to_give_back) {
  bool taken = false, given_back = false;
  as_lane([&] {
    auto* const a = static_cast<char*>(kept(std::malloc(100)));
    auto* const b = static_cast<char*>(kept(std::calloc(25, 40)));
    char* const c = kept(new char[5000]);
    Wide* const d = kept(new Wide);
    auto* const e = static_cast<char*>(kept(std::aligned_alloc(4096, 8192)));
    void* f = nullptr;
    int const status = ::posix_memalign(&f, 64, 100);
    struct Block {
      std::uintptr_t begin;
      std::size_t bytes;
    };
    Block blocks[] = {{address_of(a), 100},       {address_of(b), 1000}, {address_of(c), 5000},
                      {address_of(d), sizeof *d}, {address_of(e), 8192}, {address_of(f), 100}};
    auto const all = [&](auto is) {
      return std::all_of(std::begin(blocks), std::end(blocks), [&](Block x) { return is(x.begin, x.bytes); });
    };
    taken = status == 0 && all(is_lanes);
    auto* const grown = static_cast<char*>(kept(std::realloc(a, 100'000)));
    blocks[0] = {address_of(grown), 100'000};
    taken = taken && all(is_lanes);
    auto* const shrunk = static_cast<char*>(kept(std::realloc(grown, 64)));
    blocks[0] = {address_of(shrunk), 64};
    taken = taken && all(is_lanes) && is_hosts(address_of(shrunk) + 64, 100);
    std::free(shrunk);
    std::free(b);
    delete[] c;
    delete d;
    std::free(e);
    std::free(f);
    given_back = all(is_hosts);
  });
  BOOST_TEST(taken);
  BOOST_TEST(given_back);
}

BOOST_AUTO_TEST_CASE(of_the_host_and_the_runtime) {
  char *own = nullptr, *lanes = nullptr;
  char* const before = static_cast<char*>(kept(std::malloc(100)));
  as_lane([&] { own = static_cast<char*>(kept(std::malloc(100))); }, 1);
  as_lane([&] { lanes = static_cast<char*>(kept(std::malloc(100))); });
  char* const after = static_cast<char*>(kept(std::malloc(100)));
  BOOST_TEST(is_hosts(address_of(before), 100));
  BOOST_TEST(is_hosts(address_of(own), 100));
  BOOST_TEST(is_lanes(address_of(lanes), 100));
  BOOST_TEST(is_hosts(address_of(after), 100));
  // The host gives it back, or makes it its own.
  std::uintptr_t const was = address_of(lanes);
  char* const grown = static_cast<char*>(kept(std::realloc(lanes, 101)));
  BOOST_TEST(is_hosts(was, 100));
  BOOST_TEST(is_hosts(address_of(grown), 101));
  for (char* const block : {before, own, after, grown}) std::free(block);
}

// Neighbours of all sizes, of which the host has every second one; larger than what one page of bits, and one region, is about.
BOOST_AUTO_TEST_CASE(beside_each_other) {
  std::vector<char*> blocks;
  for (std::size_t bytes = 1; bytes != 600; ++bytes) {
    blocks.push_back(static_cast<char*>(kept(std::malloc(bytes))));
    as_lane([&] { blocks.push_back(static_cast<char*>(kept(std::malloc(bytes)))); });
  }
  bool right = true;
  for (std::size_t i = 0; i != blocks.size(); ++i)
    right = right && (i % 2 == 0 ? is_hosts(address_of(blocks[i]), i / 2 + 1) : is_lanes(address_of(blocks[i]), i / 2 + 1));
  BOOST_TEST(right);
  for (std::size_t i = 1; i < blocks.size(); i += 4) std::free(blocks[i]);
  for (std::size_t i = 3; i < blocks.size(); i += 4) right = right && is_lanes(address_of(blocks[i]), i / 2 + 1);
  BOOST_TEST(right);
  for (std::size_t i = 0; i != blocks.size(); ++i)
    if (i % 4 != 1) std::free(blocks[i]);
  char* large = nullptr;
  std::size_t const bytes = (std::size_t{1} << 30) + 8;
  as_lane([&] { large = static_cast<char*>(kept(std::malloc(bytes))); });
  BOOST_REQUIRE(large != nullptr);
  auto const begin = reinterpret_cast<std::uintptr_t>(large);
  BOOST_TEST(!lane_heap::holds(begin - 1));
  for (std::size_t at = 0; at < bytes; at += 4097) right = right && lane_heap::holds(begin + at);
  BOOST_TEST((right && lane_heap::holds(begin + bytes - 1)));
  BOOST_TEST(!lane_heap::holds(begin + bytes));
  std::free(large);
  for (std::size_t at = 0; at < bytes; at += 4097) right = right && !lane_heap::holds(begin + at);
  BOOST_TEST(right);
}

// Each gives back what another one took.
BOOST_AUTO_TEST_CASE(several_workers) {
  constexpr int workers = 4, rounds = 20, count = 500;
  std::vector<std::vector<char*>> blocks(workers, std::vector<char*>(count));
  std::vector<std::vector<std::uintptr_t>> places(workers, std::vector<std::uintptr_t>(count));
  auto const bytes = [](int w, int i) { return static_cast<std::size_t>(8 + (w + i) % 200); };
  auto const on_all = [](auto f) {
    std::vector<std::thread> threads;
    for (int w = 0; w != workers; ++w) threads.emplace_back([f, w] { as_lane([&] { f(w); }); });
    for (std::thread& t : threads) t.join();
  };
  auto const all = [&](auto is) {
    for (int w = 0; w != workers; ++w)
      for (int i = 0; i != count; ++i)
        if (!is(places[w][i], bytes(w, i))) return false;
    return true;
  };
  bool right = true;
  for (int round = 0; round != rounds; ++round) {
    on_all([&](int w) {
      for (int i = 0; i != count; ++i) {
        blocks[w][i] = static_cast<char*>(kept(std::malloc(bytes(w, i))));
        places[w][i] = address_of(blocks[w][i]);
      }
    });
    right = right && all(is_lanes);
    on_all([&](int w) {
      for (char* const block : blocks[(w + 1) % workers]) std::free(block);
    });
    right = right && all(is_hosts);
  }
  BOOST_TEST(right);
}
