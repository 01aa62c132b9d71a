#include <teamsan/sim/places/KokkosNames.hpp>

namespace teamsan {

bool is_kokkos_own(std::string_view label) {
  return label.starts_with("Kokkos::") && !label.ends_with("_api_default");
}

bool is_kernel(std::string_view label) {
  for (std::string_view const upkeep : {"Kokkos::View::", "Kokkos::ViewFill", "Kokkos::ViewCopy", "Kokkos::Impl::"})
    if (label.starts_with(upkeep)) return false;
  return true;
}

}  // namespace teamsan
