/// Overlay over Kokkos' header of this name: adds what it asks of a backend.
#pragma once

#include_next <Kokkos_ScatterView.hpp>

#include <teamsan/simt/libraries/ScatterView.hpp>
