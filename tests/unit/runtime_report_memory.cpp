// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of a thread that reports a crash: none of it is the heap's, and the heap is left as it is.
#include "../../sim/base/Arena.hpp"
#include "../../sim/base/PatientMutex.hpp"
#include "../../sim/base/ReportMemory.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace teamsan;

namespace {

bool is_reports(void const* p) {
  return arena::contains(arena::report, arena::report_bytes, reinterpret_cast<std::uintptr_t>(p));
}

/// On a thread of its own, which reports a crash from then on.
template <class F>
void while_reporting(F f) {
  arena::reserve();
  std::thread([&] {
    use_report_memory();
    f();
  }).join();
}

/// The compiler may leave out a pair of malloc and free.
template <class T>
T* kept(T* p) {
  asm volatile("" : "+r"(p) : : "memory");
  return p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_memory)

BOOST_AUTO_TEST_CASE(every_way_to_allocate) {
  bool all = false, aligned = false, zero = true;
  while_reporting([&] {
    void* p = nullptr;
    all = uses_report_memory() && is_reports(kept(std::malloc(100))) && is_reports(kept(new int)) &&
          posix_memalign(&p, 256, 10) == 0 && is_reports(p) && is_reports(std::string(100, 'x').data());
    aligned = reinterpret_cast<std::uintptr_t>(p) % 256 == 0 &&
              reinterpret_cast<std::uintptr_t>(kept(std::aligned_alloc(4096, 4096))) % 4096 == 0;
    std::memset(kept(std::malloc(1000)), 1, 1000);
    auto const* const cells = static_cast<unsigned char*>(kept(std::calloc(10, 100)));
    for (int i = 0; i != 1000; ++i) zero = zero && cells[i] == 0;
  });
  BOOST_TEST(all);
  BOOST_TEST(aligned);
  BOOST_TEST(zero);
  BOOST_TEST(!uses_report_memory());
  void* const own = kept(std::malloc(100));
  BOOST_TEST(!is_reports(own));
  std::free(own);
}

BOOST_AUTO_TEST_CASE(blocks_of_the_program) {
  char* const block = static_cast<char*>(kept(std::malloc(16)));
  std::strcpy(block, "still here");
  std::string grown;
  bool moved = false;
  while_reporting([&] {
    std::free(block);  // not now
    auto* const copy = static_cast<char*>(kept(std::realloc(block, 100'000)));
    moved = is_reports(copy);
    grown.assign(copy, std::strlen(copy));
  });
  BOOST_TEST(moved);
  BOOST_TEST(grown == "still here");
  BOOST_TEST(std::string(block) == "still here");
  std::free(block);
}

// What a reporting thread made and another destroys.
BOOST_AUTO_TEST_CASE(freed_by_others) {
  std::vector<std::string> list;
  while_reporting([&] { list.assign(100, std::string(1000, 'y')); });
  BOOST_TEST(is_reports(list.data()));
  list.resize(10'000, std::string(1000, 'z'));
  BOOST_TEST(!is_reports(list.data()));
  BOOST_TEST(list[99] == std::string(1000, 'y'));
}

BOOST_AUTO_TEST_CASE(too_much) {
  bool refused = false;
  std::size_t const volatile huge = std::size_t{1} << 40;
  while_reporting([&] {
    refused = kept(std::malloc(arena::report_bytes)) == nullptr && kept(std::malloc(10)) != nullptr &&
              kept(std::calloc(huge, huge)) == nullptr;
  });
  BOOST_TEST(refused);
}

// The crash may have come while its thread held the lock.
BOOST_AUTO_TEST_CASE(a_lock_that_is_held) {
  PatientMutex mutex;
  while_reporting([&] {
    std::lock_guard const outer(mutex);
    std::lock_guard const inner(mutex);
  });
  std::lock_guard const after(mutex);
}

// Two workers crash at once: neither goes on without what the other holds for its report, and will give back.
BOOST_AUTO_TEST_CASE(two_reports_at_once) {
  using namespace std::chrono_literals;
  arena::reserve();
  PatientMutex held_before, taken_since;
  std::atomic<bool> crashed{false}, asked{false};
  std::thread first([&] {
    held_before.lock();
    use_report_memory_after_crash();
    taken_since.lock();
    crashed = true;
    while (!asked) std::this_thread::yield();
    std::this_thread::sleep_for(50ms);  // long enough for the other to have looked at it
    taken_since.unlock();
  });
  while (!crashed) std::this_thread::yield();
  bool in_vain = true, given_back = false;
  std::thread([&] {
    use_report_memory_after_crash();
    in_vain = held_before.lock_within(1h);
    asked = true;
    given_back = taken_since.lock_within(1h);
  }).join();
  first.join();
  BOOST_TEST(!in_vain);
  BOOST_TEST(given_back);
}

BOOST_AUTO_TEST_SUITE_END()
