// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A `teamsan` command as a shell runs it, and the shape of what it prints.
#pragma once

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <string>

struct Result {
  int status;
  std::string out;  ///< standard output and standard error, as they came
};

/// The command's words after `teamsan`, as a shell takes them.
inline Result teamsan(std::string const& words, std::string const& environment = "") {
  std::string const command = "env -u TEAMSAN_OPTIONS " + environment + " " TEAMSAN " " + words + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  Result result{0, {}};
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.out.append(buffer.data(), n);
  int const raw = pclose(pipe);
  result.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return result;
}

inline void expect_mistake(std::string const& words, std::string const& sentence) {
  Result const result = teamsan(words);
  BOOST_TEST(result.out == "teamsan: " + sentence + "\n");
  BOOST_TEST(result.status == 2);
}

struct Shape {
  std::size_t lines = 0, columns = 0;
};

inline Shape shape_of(std::string const& text) {
  Shape shape;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); ++shape.lines)
    shape.columns = std::max(shape.columns, line.size());
  return shape;
}
