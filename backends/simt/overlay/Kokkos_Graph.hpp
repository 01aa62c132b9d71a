// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name: adds what it asks of a backend, and keeps it the host's (as/).
#pragma once
#pragma GCC system_header

#include <Kokkos_Core.hpp>

#include "../as/Hide.hpp"
#include_next <Kokkos_Graph.hpp>
#include "../as/Show.hpp"

#include "../libraries/Graph.hpp"
