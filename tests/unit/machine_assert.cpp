// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../sim/base/Assert.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// What a process that f() ends writes to standard error, and its status.
template <class F>
std::pair<std::string, int> run_apart(F f) {
  int ends[2];
  BOOST_TEST_REQUIRE(::pipe(ends) == 0);
  pid_t const child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    f();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_holds_says_nothing) {
  auto const [text, status] = run_apart([] { TEAMSAN_ASSERT(1 + 1 == 2); });
  BOOST_TEST(text == "");
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(what_does_not_hold_ends_the_process) {
  auto const [text, status] = run_apart([] { TEAMSAN_ASSERT(1 + 1 == 3); });
  BOOST_TEST(text.find("teamsan: TeamSan itself is wrong: 1 + 1 == 3 does not hold at ") == 0u);
  BOOST_TEST(text.find("machine_assert.cpp:") != std::string::npos);
  BOOST_TEST(status == 3);
}
