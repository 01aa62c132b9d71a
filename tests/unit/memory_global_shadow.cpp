// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The committed shadow: its packing, and which bytes are initialised, against a flag for each byte.
#include "../../sim/memory/GlobalShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace teamsan;
namespace shadow = teamsan::global_shadow;

namespace {

std::mt19937_64 random_bits(3);

GlobalWord random_word() {
  auto const bits = [](unsigned count) { return static_cast<std::uint32_t>(random_bits() >> (64 - count)); };
  GlobalWord w;
  w.epoch = bits(6);
  w.init = bits(4);
  w.team = bits(24);
  w.written = bits(4);
  w.read = bits(4);
  w.write_lane = bits(10);
  w.write_site = bits(14);
  w.read_lane = bits(10);
  w.read_site = bits(14);
  w.write_tick = bits(16);
  w.read_tick = bits(16);
  for (bool* const flag :
       {&w.write_atomic, &w.read_atomic, &w.raced, &w.split, &w.others_wrote, &w.only_others_wrote})
    *flag = bits(1);
  return w;
}

/// What global memory in [begin, begin + size) is known to be, byte by byte.
struct Oracle {
  std::vector<bool> initialised;
  void mark(std::size_t first, std::size_t bytes, bool value) {
    std::fill_n(initialised.begin() + static_cast<std::ptrdiff_t>(first), bytes, value);
  }
};

bool is_initialised(std::uintptr_t address) {
  std::uint64_t const main = *shadow::cell(address);
  return (main >> 6 | main >> 34) >> (address & 3) & 1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_word_is_unpacked_as_it_was_packed) {
  for (int i = 0; i != 10'000; ++i) {
    GlobalWord const w = random_word();
    GlobalWord const u = shadow::unpack(shadow::pack_main(w), shadow::pack_extra(w));
    BOOST_REQUIRE((u.epoch == w.epoch && u.init == w.init && u.team == w.team && u.written == w.written &&
                   u.read == w.read && u.write_lane == w.write_lane && u.write_site == w.write_site &&
                   u.read_lane == w.read_lane && u.read_site == w.read_site &&
                   u.write_atomic == w.write_atomic && u.read_atomic == w.read_atomic && u.raced == w.raced &&
                   u.split == w.split && u.others_wrote == w.others_wrote &&
                   u.only_others_wrote == w.only_others_wrote));
    BOOST_REQUIRE(shadow::pack_ticks(w) == (w.write_tick | w.read_tick << 16));
    BOOST_REQUIRE(shadow::init_before(shadow::pack_main(w), w.epoch) == w.init);
    BOOST_REQUIRE(shadow::init_before(shadow::pack_main(w), w.epoch ^ 2) == (w.init | w.written));
  }
}

BOOST_AUTO_TEST_CASE(initialised_bytes_are_those_that_were_marked_or_copied) {
  arena::reserve();
  constexpr std::size_t size = 400'000;  // parts of it go page by page
  std::uintptr_t const begin = arena::device + 4096;
  Oracle oracle{std::vector<bool>(size, false)};
  auto const number = [](std::size_t below) { return static_cast<std::size_t>(random_bits() % below); };
  for (int step = 0; step != 400; ++step) {
    std::size_t const first = number(size),
                      bytes = 1 + number(std::min(size - first, step % 8 == 0 ? size : 100));
    switch (number(4)) {
      case 0:
      case 1:
        shadow::mark_initialised(begin + first, bytes);
        oracle.mark(first, bytes, true);
        break;
      case 2: {
        std::size_t const from = number(size - bytes + 1);
        if (from < first + bytes && first < from + bytes) break;  // copies do not overlap
        shadow::copy_init(begin + first, begin + from, bytes);
        std::copy_n(oracle.initialised.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                    oracle.initialised.begin() + static_cast<std::ptrdiff_t>(first));
        break;
      }
      default: {
        std::size_t const word = first / 4 * 4;
        std::size_t const words = (bytes + 3) / 4 * 4;
        if (word + words > size) break;
        shadow::reset(begin + word, words);
        oracle.mark(word, words, false);
      }
    }
    if (step % 40 == 0)
      for (std::size_t i = 0; i != size; ++i)
        BOOST_REQUIRE(is_initialised(begin + i) == oracle.initialised[i]);
  }
  for (std::size_t i = 0; i != size; ++i) BOOST_REQUIRE(is_initialised(begin + i) == oracle.initialised[i]);
}

BOOST_AUTO_TEST_CASE(what_launches_wrote_is_initialised_for_ever) {
  arena::reserve();
  std::uintptr_t const begin = arena::device + (std::uintptr_t{1} << 30);
  constexpr int words = 300;
  for (int i = 0; i != words; ++i) {  // one word a launch, which is known before the next ones
    std::uint32_t const epoch = shadow::next_epoch();
    std::uintptr_t const address = begin + 1000 * static_cast<std::uintptr_t>(i) / 4 * 4;
    for (int k = 0; k != i; ++k)
      BOOST_REQUIRE(shadow::init_before(*shadow::cell(begin + 1000 * static_cast<std::uintptr_t>(k) / 4 * 4),
                                        epoch) == 15u);
    BOOST_REQUIRE(shadow::init_before(*shadow::cell(address), epoch) == 0u);
    GlobalWord w;
    w.epoch = epoch;
    w.written = 15;
    *shadow::cell(address) = shadow::pack_main(w);
    shadow::mark_dirty(address);
    BOOST_REQUIRE(shadow::init_before(*shadow::cell(address), epoch) == 0u);
  }
}

BOOST_AUTO_TEST_CASE(what_a_launch_wrote_to_two_arrays_line_by_line_is_initialised_for_ever) {
  std::uintptr_t const begin = arena::device + (std::uintptr_t{1} << 24), apart = std::uintptr_t{1} << 20;
  std::uintptr_t const end = begin + 2 * apart;
  constexpr std::uintptr_t line_bytes = 64, bytes = 200 * line_bytes;
  GlobalWord w;
  w.epoch = shadow::next_epoch();
  w.written = 15;
  shadow::DirtyLines dirty;
  for (std::uintptr_t i = 0; i != bytes; i += line_bytes)
    for (std::uintptr_t array = begin; array != end; array += apart) {
      *shadow::cell(array + i) = shadow::pack_main(w);
      dirty.mark(array + i);
    }
  for (int launch = 0; launch != 62; ++launch) {  // numbers come again
    std::uint32_t const epoch = shadow::next_epoch();
    for (std::uintptr_t i = 0; i != bytes; i += line_bytes)
      for (std::uintptr_t array = begin; array != end; array += apart)
        BOOST_REQUIRE(shadow::init_before(*shadow::cell(array + i), epoch) == 15u);
  }
}

BOOST_AUTO_TEST_CASE(split_words_are_forgotten_with_the_launch) {
  std::uintptr_t const address = arena::device + 64;
  shadow::next_epoch();
  shadow::split_word(address)[2].team = 7;
  BOOST_TEST(shadow::split_word(address)[2].team == 7u);
  shadow::next_epoch();
  BOOST_TEST(shadow::split_word(address)[2].team == 0u);
}
