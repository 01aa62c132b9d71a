int stands_for_kokkos() { return 0; }
