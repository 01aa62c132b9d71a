// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Peak memory of checked programs: four bytes for each byte of device memory that they touch, 200 MB, and 2
/// MB a worker; and what becomes of one that passes --memory-limit.
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr std::size_t MB = 1'000'000, workers = 2;

struct Run {
  int status;
  std::size_t peak;  ///< bytes
  std::string text;  ///< standard output and standard error
};

Run run(std::string const& program, std::string const& options = "") {
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  pid_t const child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    setenv("TEAMSAN_OPTIONS", ("num_threads=" + std::to_string(workers) + ":" + options).c_str(), 1);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    execl(PROGRAMS, PROGRAMS, program.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  Run result{};
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    result.text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  rusage used{};
  BOOST_REQUIRE(wait4(child, &status, 0, &used) == child);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.peak = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  return result;
}

void is_bounded(std::string const& program, int status) {
  Run const result = run(program);
  std::size_t const at = result.text.find("touched ");
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, result.text);
  std::size_t const touched = std::strtoull(result.text.c_str() + at + 8, nullptr, 10);
  std::size_t const bound = 4 * touched + 200 * MB + workers * 2 * MB;
  BOOST_TEST(result.peak <= bound);
  BOOST_TEST(result.status == status, result.text);
  BOOST_TEST_MESSAGE(program << ": " << result.peak / MB << " MB of " << bound / MB);
}

bool says(Run const& result, char const* words) { return result.text.find(words) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(bound)

BOOST_AUTO_TEST_CASE(same_values) { is_bounded("same_value", 0); }
BOOST_AUTO_TEST_CASE(same_values_of_a_long_lane) { is_bounded("same_value_of_a_long_lane", 0); }
BOOST_AUTO_TEST_CASE(a_hundred_thousand_teams) { is_bounded("many_teams", 0); }
BOOST_AUTO_TEST_CASE(sparse_reads) { is_bounded("sparse", 0); }
BOOST_AUTO_TEST_CASE(uninitialised_reads) { is_bounded("uninitialised", 66); }
BOOST_AUTO_TEST_CASE(a_lane_that_runs_away) { is_bounded("runaway", 66); }
BOOST_AUTO_TEST_CASE(untouched_views) { is_bounded("untouched", 0); }

/// Each has a stack, of which it touches a page at least: 4 KiB and what is kept of a lane, for each of 1,024 a worker.
BOOST_AUTO_TEST_CASE(lanes_that_wait) {
  constexpr std::size_t many = 16, lanes = 1024;
  Run const result = run("waiting", "num_threads=" + std::to_string(many));
  BOOST_TEST(result.status == 0, result.text);
  BOOST_TEST(result.peak <= 60 * MB + many * lanes * 6000);
}

/// Shadows of teams outlive their launch. Where each launch had new ones, its workers brought 7,000 pages, all at once.
BOOST_AUTO_TEST_CASE(later_launches_bring_few_pages) {
  Run const result = run("many_launches", "num_threads=16");
  BOOST_TEST(result.status == 0, result.text);
  std::size_t const at = result.text.find("faults ");
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, result.text);
  BOOST_TEST(std::strtol(result.text.c_str() + at + 7, nullptr, 10) < 4'000, result.text);  // in four launches
}

BOOST_AUTO_TEST_CASE(nothing_is_kept_of_what_is_not_checked) {
  Run const checked = run("same_value", "check=none");
  BOOST_TEST(checked.status == 0);
  BOOST_TEST(checked.peak < 60 * MB);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(limit)

BOOST_AUTO_TEST_CASE(the_report_is_written_and_says_which_option_helps) {
  Run const result = run("fill", "memory_limit=300M");
  BOOST_TEST(result.status == 3, result.text);
  BOOST_TEST(says(result, "the memory limit ended the program"), result.text);
  BOOST_TEST(says(result, "memory_limit=BYTES"), result.text);
  BOOST_TEST(says(result, "did not reach its end"), result.text);
  BOOST_TEST(!says(result, "touched"));
  BOOST_TEST(result.peak < 700 * MB);
}

BOOST_AUTO_TEST_CASE(what_was_found_before_is_told) {
  Run const result = run("race_and_fill", "memory_limit=300M");
  BOOST_TEST(result.status == 3, result.text);
  BOOST_TEST(says(result, "[global-race]"), result.text);
  BOOST_TEST(says(result, "the memory limit ended the program"), result.text);
}

BOOST_AUTO_TEST_CASE(a_program_below_it_ends_as_ever) {
  BOOST_TEST(run("same_value", "memory_limit=300M").status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
