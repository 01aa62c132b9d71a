// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OneKokkos.hpp"

#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::simt {

void check_one_kokkos() {
  std::vector<std::string> loaded;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        std::string_view const path = info->dlpi_name != nullptr ? info->dlpi_name : "";
        if (path.substr(path.rfind('/') + 1).starts_with("libkokkoscore.so"))
          static_cast<std::vector<std::string>*>(out)->emplace_back(path);
        return 0;
      },
      &loaded);
  if (loaded.size() < 2) return;
  std::fprintf(stderr,
               "teamsan: this program has two Kokkos, %s and %s: build it and all of its libraries with one of them.\n",
               loaded[0].c_str(), loaded[1].c_str());
  std::_Exit(2);  // the destructors of each would take the other's data apart
}

}  // namespace teamsan::simt
