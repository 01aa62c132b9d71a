// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "OverlayCheck.hpp"

#include <cstdio>
#include <cstdlib>

namespace teamsan::simt {
namespace {

// Filled before main(): no constructor may run later than the first note.
constinit char const* unit_with[2] = {nullptr, nullptr};

}  // namespace

int note_translation_unit(Overlay overlay, char const* file) {
  unit_with[overlay == Overlay::present] = file;
  return 1;
}

void check_translation_units() {
  if (!unit_with[0] || !unit_with[1]) return;
  std::fprintf(stderr,
               "teamsan: %s was compiled with TeamSan's overlay and %s without it, so that Kokkos' default "
               "space means "
               "two things in one program; compile all of it with TeamSan::overlay, or none.\n",
               unit_with[1], unit_with[0]);
  std::exit(2);
}

}  // namespace teamsan::simt
