/// Overlay over Kokkos' header of this name: adds what it asks of a backend.
#pragma once

#include <teamsan/simt/libraries/SIMD.hpp>

#include_next <Kokkos_SIMD.hpp>
