// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flows of control that hand over to one another: what each keeps, and what an unwinder sees.
#include "../../sim/machine/Context.hpp"

#include <boost/test/unit_test.hpp>

#include <cfenv>
#include <memory>
#include <stdexcept>
#include <string>
#include <unwind.h>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::size_t stack_bytes = 256 * 1024;

struct Flow {
  std::unique_ptr<char[]> stack{new char[stack_bytes]};
  Context* context;

  explicit Flow(void (*entry)(Transfer))
      : context(fresh_context(reinterpret_cast<std::uintptr_t>(stack.get()) + stack_bytes, entry)) {}
};

int frames_here() {
  int frames = 0;
  _Unwind_Backtrace(
      [](_Unwind_Context* at, void* count) {
        if (_Unwind_GetIP(at) == 0) return _URC_END_OF_STACK;
        return ++*static_cast<int*>(count) < 100 ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &frames);
  return frames;
}

/// Answers each word by its square, whatever its own functions have done meanwhile.
[[noreturn]] void squares(Transfer from) {
  std::vector<long> seen;
  for (;;) {
    long& word = *static_cast<long*>(from.data);
    seen.push_back(word);
    try {
      if (word == 3) throw std::runtime_error("three");
      word *= word;
    } catch (std::runtime_error const& error) {
      word = static_cast<long>(std::string(error.what()).size()) + 4;
    }
    from = __teamsan_switch(from.left, &seen);
  }
}

[[noreturn]] void rounds_up(Transfer from) {
  std::fesetround(FE_UPWARD);
  for (;;) {
    *static_cast<int*>(from.data) = std::fegetround();
    from = __teamsan_switch(from.left, nullptr);
  }
}

[[noreturn]] void counts_frames(Transfer from) {
  for (;;) {
    *static_cast<int*>(from.data) = frames_here();
    from = __teamsan_switch(from.left, nullptr);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_go_there_and_back) {
  Flow one(squares), two(squares);
  for (long i = 0; i != 6; ++i) {
    for (Flow* const flow : {&one, &two}) {
      long word = i;
      Transfer const back = __teamsan_switch(flow->context, &word);
      flow->context = back.left;
      BOOST_TEST(word == i * i);
      BOOST_TEST(static_cast<std::vector<long>*>(back.data)->size() == static_cast<std::size_t>(i) + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_rounding_mode_is_each_ones_own) {
  Flow up(rounds_up);
  for (int i = 0; i != 2; ++i) {
    int mode = 0;
    up.context = __teamsan_switch(up.context, &mode).left;
    BOOST_TEST(mode == FE_UPWARD);
    BOOST_TEST(std::fegetround() == FE_TONEAREST);
  }
}

BOOST_AUTO_TEST_CASE(a_backtrace_ends_where_the_flow_began) {
  Flow flow(counts_frames);
  int frames = 0;
  flow.context = __teamsan_switch(flow.context, &frames).left;
  BOOST_TEST(frames >= 2);
  BOOST_TEST(frames <= 5);
}
