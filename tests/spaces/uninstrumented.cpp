#include "uninstrumented.hpp"

int uninstrumented(Kokkos::Stranger) { return 1; }
