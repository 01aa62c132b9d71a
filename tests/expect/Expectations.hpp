// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a test's source says that TeamSan finds in it. Decides from comments:
///   // EXPECT: RULE...            a finding of each RULE names this line (as either of its two lines); RULE?: it may lack
///   // EXPECT-ANYWHERE: RULE...   a finding of each RULE, wherever it is
///   // ALLOW: RULE...             findings of RULE that name this line are neither needed nor wrong
///   // EXPECT-NONE                no finding at all; needed where no other EXPECT is
///   // EXPECT-EXIT: N             the exit status; otherwise 66 if an error is found and 0 if not
///   // EXPECT-OUTPUT: REGEX       what the program prints somewhere
///   // OPTIONS: KEY=VALUE:...     how it is run
///   // ARGUMENTS: WORD...         with what
/// Cannot see lines of other files: a finding there is unexpected, unless an EXPECT-ANYWHERE names its rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teamsan::test {

struct Expected {
  std::string rule;
  std::string file;  ///< name without directories; empty: anywhere
  int line = 0;
  bool needed = true;
};

/// One line of the report format `lines`.
struct Found {
  std::string rule, severity;
  std::string places[2];  ///< FILE:LINE, or empty
  std::string id;
  std::string text;       ///< the whole line

  bool names(Expected const& expected) const;
};

struct Expectations {
  std::vector<Expected> findings;
  std::vector<std::string> ids;      ///< that findings have
  std::vector<std::string> outputs;  ///< regular expressions
  std::vector<std::string> options;  ///< KEY=VALUE
  std::vector<std::string> arguments;
  std::optional<int> exit_status;
};

/// Adds what `source` says. Throws std::runtime_error, one sentence, if it says nothing or something unknown.
void read_expectations(std::string const& source, Expectations& expectations);

/// CASE=FILE: adds the ids behind CASE in a line of FILE. Throws std::runtime_error if there is no such line.
void read_ids(std::string const& text, Expectations& expectations);

/// RULE=FILE:LINE, or RULE alone for anywhere.
Expected parse_expected(std::string const& text);

/// Throws std::runtime_error if `line` is not of the format `lines`.
Found parse_found(std::string const& line);

/// What is wrong, one sentence each; empty: the findings are those expected.
std::vector<std::string> compare(Expectations const& expectations, std::vector<Found> const& found);

}  // namespace teamsan::test
