// Owner of the precompiled Kokkos_Core.hpp of the checked programs here and in tests/.
