// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two files of outputs (sim/host/Outputs.hpp), compared: for each allocation the first element that
/// differs. What an element is, is known of Views of plain types; of others it is judged from the values, and
/// the text says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan::cli {

struct OutputDifference {
  std::string label;   ///< of the View
  std::string kernel;  ///< the latest launch before; empty: none
  std::uint64_t launch = 0;
  bool device_only = false;   ///< never copied to the host
  std::string element;        ///< "(3) (double, byte 24)", or why none can be named
  std::string first, second;  ///< the two values
  std::string relative;       ///< of floating-point values; else empty
  std::uint64_t count = 1;    ///< elements that differ in this output
  /// What and where, in a line.
  std::string place() const;
};

/// The first difference of each label. A file that is not there holds nothing. Throws std::runtime_error for
/// one of another format.
std::vector<OutputDifference> compare_outputs(std::string const& first, std::string const& second);

}  // namespace teamsan::cli
