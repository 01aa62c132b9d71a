// Owner of the precompiled Kokkos_Core.hpp of the kernel tests.
