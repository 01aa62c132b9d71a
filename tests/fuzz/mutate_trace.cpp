// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// mutate_trace TRACE SEED OUTPUT: writes the trace with one change, the same for the same seed. Checksums fit.
#include "TraceMutation.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char** words) {
  using namespace teamsan::fuzz;
  if (count != 4) {
    std::cerr << "mutate_trace takes TRACE SEED OUTPUT\n";
    return 2;
  }
  std::ifstream input(words[1], std::ios::binary);
  Bytes const trace{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
  Bytes const changed =
      mutated_trace(trace, static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10)), change_somewhere);
  std::ofstream output(words[3], std::ios::binary);
  output.write(reinterpret_cast<char const*>(changed.data()), static_cast<std::streamsize>(changed.size()));
  output.close();
  if (input.bad() || !output) {
    std::cerr << "mutate_trace: cannot read " << words[1] << " or write " << words[3] << '\n';
    return 3;
  }
}
