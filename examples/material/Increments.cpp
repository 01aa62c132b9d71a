// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Increments.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>

namespace material {

std::vector<Increment> read_increments(std::string const& file) {
  std::ifstream stream(file);
  std::string text;
  if (!std::getline(stream, text) || text != increments_header)
    throw std::runtime_error(file + ": no file of strain increments, whose first line is " +
                             increments_header);
  std::vector<Increment> increments;
  for (unsigned line = 2; std::getline(stream, text); ++line) {
    double values[7];
    char const* at = text.data();
    char const* const end = at + text.size();
    bool good = true;
    for (int i = 0; i < 7 && good; ++i) {
      auto const [rest, error] = std::from_chars(at, end, values[i]);
      good = error == std::errc() && (i == 6 ? rest == end : rest != end && *rest == ',');
      at = rest + 1;
    }
    if (!good)
      throw std::runtime_error(file + ":" + std::to_string(line) +
                               ": seven numbers with commas are expected");
    Increment& increment = increments.emplace_back();
    for (int i = 0; i < 6; ++i) increment.strain[i] = values[i];
    increment.angle = values[6];
  }
  return increments;
}

}  // namespace material
