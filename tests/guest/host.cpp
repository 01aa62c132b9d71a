// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads plug-ins one after the other, runs each, and lets go of it: host PLUGIN...
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <dlfcn.h>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos;
  for (int i = 1; i != argc; ++i) {
    void* const plugin = ::dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
      std::printf("%s\n", ::dlerror());
      return 9;
    }
    reinterpret_cast<void (*)()>(::dlsym(plugin, "run_plugin"))();
    ::dlclose(plugin);
    std::printf("%s\n", ::dlopen(argv[i], RTLD_NOW | RTLD_NOLOAD) == nullptr ? "gone" : "still there");
  }
}
