// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The shadow keeps half of an instruction's address. Two modules may have code at the same place of two blocks of 4 GiB.
#include "../../sim/places/Modules.hpp"
#include "../../sim/places/Sites.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::size_t bytes = 64 * 1024;
constexpr std::uintptr_t low_begin = 0x12340000;

/// A page of code that nobody runs, at that place of some block of 4 GiB.
struct Module {
  explicit Module(std::uintptr_t block) {
    void* const wanted = reinterpret_cast<void*>(block << 32 | low_begin);
    void* const got =
        mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    BOOST_TEST_REQUIRE((got == wanted));
    begin = reinterpret_cast<std::uintptr_t>(got);
    std::memset(got, 0x90, bytes);
  }
  ~Module() { munmap(reinterpret_cast<void*>(begin), bytes); }
  Module(Module const&) = delete;
  Module& operator=(Module const&) = delete;

  /// The return address of a call that is put there, of what lies `distance` behind (on aarch64: behind the call itself).
  std::uint32_t call(std::size_t at, std::int32_t distance) {
#if defined(__aarch64__)
    return put(at, 0x94000000 | (static_cast<std::uint32_t>(distance / 4) & 0x3ffffff));  // bl
#else
    auto* const code = reinterpret_cast<unsigned char*>(begin + at);
    code[0] = 0xe8;
    std::memcpy(code + 1, &distance, sizeof distance);
    return static_cast<std::uint32_t>(begin + at + 5);
#endif
  }
  std::uint32_t call_by_register(std::size_t at) {
#if defined(__aarch64__)
    return put(at, 0xd63f0000);  // blr x0
#else
    std::memcpy(reinterpret_cast<void*>(begin + at), "\xff\xd0", 2);
    return static_cast<std::uint32_t>(begin + at + 2);
#endif
  }
#if defined(__x86_64__)
  /// What a check in line takes for its place: lea 0(%rip), %r9.
  std::uint32_t check(std::size_t at) {
    std::memcpy(reinterpret_cast<void*>(begin + at), "\x4c\x8d\x0d\0\0\0", 7);
    return static_cast<std::uint32_t>(begin + at + 7);
  }
#endif
#if defined(__aarch64__)
  std::uint32_t put(std::size_t at, std::uint32_t instruction) {
    std::memcpy(reinterpret_cast<void*>(begin + at), &instruction, sizeof instruction);
    return static_cast<std::uint32_t>(begin + at + sizeof instruction);
  }
#endif
  std::uintptr_t at(std::uint32_t low) const { return (begin & ~std::uintptr_t{0xffffffff}) | low; }
  Segment segment() const { return {begin, begin + bytes, true, false}; }

  std::uintptr_t begin = 0;
};

/// QEMU's user mode has no such call: modules cannot be told apart there.
boost::test_tools::assertion_result memory_can_be_asked_for(boost::unit_test::test_unit_id) {
  int there = 1, here = 0;
  iovec const from{&there, sizeof there}, to{&here, sizeof here};
  boost::test_tools::assertion_result result(process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof here);
  result.message() << "process_vm_readv is not to be had on this system";
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_whole_address_of_this_programs_code) {
  auto const here = reinterpret_cast<std::uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
  BOOST_TEST(address_of(site_at(here)) == here);
  BOOST_TEST(address_of(Site{}) == 0u);
}

BOOST_AUTO_TEST_CASE(two_modules_with_the_same_half, *boost::unit_test::precondition(memory_can_be_asked_for)) {
  Module first(0x2600), second(0x2700), third(0x2800);
  std::vector<Segment> const segments{first.segment(), second.segment(), third.segment()};
  std::uint32_t const in_first = first.call(100, 1000), in_second = second.call(200, -100),
                      in_third = third.call(300, 64), by_register = second.call_by_register(400);
  BOOST_TEST(address_in(segments, Site{in_first}) == first.at(in_first));
  BOOST_TEST(address_in(segments, Site{in_second}) == second.at(in_second));
  BOOST_TEST(address_in(segments, Site{in_third}) == third.at(in_third));
  BOOST_TEST(address_in(segments, Site{by_register}) == second.at(by_register));
  // The same byte in other code leads far away.
  first.call(500, 0x4000000);
  std::uint32_t const real = third.call(500, 16);
  BOOST_TEST(address_in(segments, Site{real}) == third.at(real));
#if defined(__x86_64__)
  // Behind a check in line there is no call.
  std::uint32_t const checked = third.check(600);
  first.call(602, 64);
  second.call_by_register(605);
  BOOST_TEST(address_in(segments, Site{checked}) == third.at(checked));
#endif
  // No call anywhere: the first.
  BOOST_TEST(address_in(segments, Site{low_begin + 1000}) == first.at(low_begin + 1000));
  BOOST_TEST(address_in(segments, Site{low_begin + bytes}) == 0u);
}

BOOST_AUTO_TEST_CASE(a_module_that_was_unloaded, *boost::unit_test::precondition(memory_can_be_asked_for)) {
  Module gone_before(0x2600);
  std::vector<Segment> segments{{0x2500ull << 32 | low_begin, (0x2500ull << 32 | low_begin) + bytes, true, false},
                                gone_before.segment()};
  std::uint32_t const low = gone_before.call(100, 10);
  BOOST_TEST(address_in(segments, Site{low}) == gone_before.at(low));
}

namespace {

/// Of an address that is in no module, and that no module, wherever it was loaded, shares its half with.
std::uint32_t half_of_no_module() {
  std::uint32_t half = 0x23456789;
  while (std::ranges::any_of(loaded_segments(), [&](Segment const& s) {
    return half - static_cast<std::uint32_t>(s.begin) < s.end - s.begin;
  }))
    half += 0x100000;
  return half;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_address_that_is_in_no_module) {
  std::uint32_t const half = half_of_no_module();
  std::uintptr_t const address = 1ull << 32 | half;
  Site const wild = site_of(address);
  BOOST_TEST((wild == Site{half}));
  BOOST_TEST(address_of(wild) == address);
  BOOST_TEST(address_of(Site{half - 1}) == 0u);
}

BOOST_AUTO_TEST_CASE(addresses_of_one_lower_half_are_sites_of_their_own) {
  auto const here = reinterpret_cast<std::uintptr_t>(&half_of_no_module) + 1;
  Site const in_program = site_of(here);
  BOOST_TEST(address_of(in_program) == here);
  std::uintptr_t const others[] = {here ^ 1ull << 33, here ^ 1ull << 34};
  for (int time = 0; time != 2; ++time)
    for (std::uintptr_t const other : others) {
      Site const site = site_of(other);
      BOOST_TEST((site != in_program && site != Site{}));
      BOOST_TEST(address_of(site) == other);
    }
  BOOST_TEST((site_of(others[0]) != site_of(others[1])));
  BOOST_TEST(address_of(in_program) == here);
}
