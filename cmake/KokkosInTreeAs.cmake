# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake reads this in the project() call of a Kokkos in the project's tree, where a project is checked as TEAMSAN_AS
# (project.cmake): Kokkos is built without that backend, and what comes after it finds Kokkos_ENABLE_... on.
set(Kokkos_ENABLE_${TEAMSAN_AS} OFF CACHE BOOL "" FORCE)  # as an earlier run, or the user's options for a GPU, left it
cmake_language(EVAL CODE "cmake_language(DEFER CALL set Kokkos_ENABLE_${TEAMSAN_AS} ON CACHE BOOL [[For the project; Kokkos
  itself is built without (TEAMSAN_AS)]] FORCE)")
