// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KokkosNames.hpp"

#include "Symbolizer.hpp"

#include <algorithm>

namespace teamsan {

namespace {

constexpr KokkosName names[] = {
#define TEAMSAN_KOKKOS_CODE(code, file, function) {KokkosCode::code, file, function},
#include "KokkosNames.def"
#undef TEAMSAN_KOKKOS_CODE
};

}  // namespace

std::span<KokkosName const> kokkos_names() { return names; }

bool is_code(KokkosCode code, Frame const& frame) {
  return std::ranges::any_of(names, [&](KokkosName const& name) {
    return name.code == code && frame.file.find(name.file) != std::string::npos &&
           frame.function.find(name.function) != std::string::npos;
  });
}

bool has_code(KokkosCode code, Site site) {
  return std::ranges::any_of(frames_of(site), [&](Frame const& frame) { return is_code(code, frame); });
}

bool is_kokkos_own(std::string_view label) {
  return label.starts_with("Kokkos::") && !label.ends_with("_api_default");
}

bool is_kernel(std::string_view label) {
  for (std::string_view const upkeep : {"Kokkos::View::", "Kokkos::ViewFill", "Kokkos::ViewCopy", "Kokkos::Impl::"})
    if (label.starts_with(upkeep)) return false;
  return true;
}

}  // namespace teamsan
