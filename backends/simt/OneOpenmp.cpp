// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OneOpenmp.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace teamsan::simt {

namespace {

/// Intel's is LLVM's by another name.
bool is_llvms(std::string_view library) {
  library.remove_prefix(library.rfind('/') + 1);
  return library.starts_with("libomp.so") || library.starts_with("libiomp5.so");
}

/// By its own link line, not by a library's.
bool program_takes_llvms() {
  void* const program = dlopen(nullptr, RTLD_LAZY);
  link_map* map = nullptr;
  if (program == nullptr || dlinfo(program, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_ld == nullptr) return false;
  char const* names = nullptr;
  for (ElfW(Dyn) const* d = map->l_ld; d->d_tag != DT_NULL; ++d)
    if (d->d_tag == DT_STRTAB) names = reinterpret_cast<char const*>(d->d_un.d_ptr);
  if (names == nullptr) return false;
  for (ElfW(Dyn) const* d = map->l_ld; d->d_tag != DT_NULL; ++d)
    if (d->d_tag == DT_NEEDED && is_llvms(names + d->d_un.d_val)) return true;
  return false;
}

/// The library that has the function, for whoever calls it; nullptr: none.
char const* library_of(char const* function) {
  void* const at = dlsym(RTLD_DEFAULT, function);
  Dl_info info;
  return at != nullptr && dladdr(at, &info) != 0 ? info.dli_fname : nullptr;
}

}  // namespace

void check_one_openmp() {
  char const *const makes = library_of("__kmpc_fork_call"), *const answers = library_of("omp_get_thread_num");
  if (makes == nullptr || answers == nullptr || std::string_view(makes) == answers || !program_takes_llvms()) return;
  std::fprintf(stderr,
               "teamsan: this program has two OpenMP runtimes, and threads of %s would ask %s who they are: link the first one "
               "ahead of the other.\n",
               makes, answers);
  std::_Exit(2);
}

}  // namespace teamsan::simt
