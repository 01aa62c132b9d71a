// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// material_generate FILE [POINTS]: writes strain increments for POINTS integration points (100,000), the same
// ones on every machine: a generator of fixed seed, and numbers with all their digits. Neighbouring points
// are strained alike, as those of one element are.
#include "Increments.hpp"
#include "Parameters.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

/// Numbers from -1 to 1 (SplitMix64).
class Dice {
 public:
  double operator()() {
    std::uint64_t z = m_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ z >> 31) >> 11) / 4503599627370496.0 - 1;
  }

 private:
  std::uint64_t m_state = 20240611;
};

}  // namespace

int main(int argc, char* argv[]) {
  long const points = argc > 2 ? std::atol(argv[2]) : 100000;
  if (argc < 2 || points <= 0) {
    std::fputs("material_generate FILE [POINTS]: writes a file of strain increments\n", stderr);
    return 2;
  }
  std::FILE* const file = std::fopen(argv[1], "w");
  if (file == nullptr) {
    std::fprintf(stderr, "material_generate: cannot write %s\n", argv[1]);
    return 2;
  }
  Dice dice;
  std::fprintf(file, "%s\n", material::increments_header);
  double element[6] = {}, angle = 0;
  for (long point = 0; point < points; ++point) {
    if (point % material::num_ip == 0) {
      double const chance = dice(), size = 8e-4 * (0.05 + chance * chance);
      for (double& component : element) component = size * dice();
      angle = 1.5 * dice();
    }
    for (double const component : element) std::fprintf(file, "%.17g,", component + 4e-5 * dice());
    std::fprintf(file, "%.17g\n", angle);
  }
  return std::fclose(file) == 0 ? 0 : 2;
}
