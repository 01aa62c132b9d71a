// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What a device lacks is refused with a sentence, before anything is wrong: this one has device memory alone, as WebGPU.
// OPTIONS: usm_aspects=-host,-shared
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

#include <stdexcept>
#include <string>

namespace usm = teamsan::usm;

int refused(usm::Kind kind) {
  try {
    usm::free(usm::malloc<int>(10, kind));
  } catch (std::runtime_error const& error) {
    return std::string(error.what()).find(std::string("the aspect usm_") + usm::name(kind)) != std::string::npos;
  }
  return 0;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  usm::free(usm::malloc_device<int>(10));
  usm::free(usm::malloc_system<int>(10));  // the host's own memory is always there
  return refused(usm::Kind::host) + refused(usm::Kind::shared) == 2 ? 0 : 1;
}
