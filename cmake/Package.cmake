# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts where: archives and headers of the rooms (Rooms.cmake), the `teamsan` command, and the
# package that find_package(TeamSan CONFIG) reads. It is good for the Kokkos and the compiler family it was built with.
if(NOT TEAMSAN_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(_teamsan_package "${CMAKE_INSTALL_LIBDIR}/cmake/TeamSan")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TeamSanConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/TeamSanConfig.cmake" INSTALL_DESTINATION "${_teamsan_package}" NO_SET_AND_CHECK_MACRO
  PATH_VARS TEAMSAN_PACKAGED_KOKKOS)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TeamSanConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/TeamSanConfig.cmake" "${PROJECT_BINARY_DIR}/TeamSanConfigVersion.cmake"
  cmake/KokkosPrefix.cmake cmake/KokkosInTree.cmake cmake/KokkosSelfTest.cmake cmake/TeamSanSimtHere.cmake cmake/TeamSanInstrument.cmake
  cmake/TeamSanTwin.cmake cmake/TeamSanBuiltins.options cmake/CompilerVersion.cmake
  cmake/WrappedFunctions.cmake DESTINATION "${_teamsan_package}")
install(PROGRAMS cmake/as-cxx20 cmake/as-host DESTINATION "${_teamsan_package}")
install(DIRECTORY cmake/self_test cmake/make DESTINATION "${_teamsan_package}")
install(DIRECTORY backends/mpi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/teamsan/backends)
install(DIRECTORY sim/entry/pass/gcc sim/entry/pass/llvm DESTINATION "${_teamsan_package}/plugin")
install(PROGRAMS sim/entry/pass/build DESTINATION "${_teamsan_package}/plugin")
install(FILES sim/entry/pass/Abi.h sim/entry/pass/Bounded.h sim/entry/pass/Words.hpp sim/entry/pass/Records.hpp
        sim/entry/pass/Roots.hpp sim/entry/pass/Telling.hpp
  DESTINATION "${_teamsan_package}/plugin")
install(DIRECTORY "${PROJECT_BINARY_DIR}/teamsan-plugin/" DESTINATION "${_teamsan_package}/plugin/built" OPTIONAL
  USE_SOURCE_PERMISSIONS)
# For a project that builds its own Kokkos.
install(DIRECTORY backends/simt/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/teamsan/backends/simt FILES_MATCHING PATTERN "*.cpp")
set(TEAMSAN_PROJECT_KOKKOS)
if(TEAMSAN_KOKKOS_IS_PRIVATE)
  set(TEAMSAN_PROJECT_KOKKOS "${TEAMSAN_KOKKOS_PREFIX}/usr")
  # `cmake --install BUILD --component kokkos`, and cpack: the installed tree then needs nothing of this one.
  install(DIRECTORY "${TEAMSAN_KOKKOS_PREFIX}/" DESTINATION "${TEAMSAN_PACKAGED_KOKKOS}" USE_SOURCE_PERMISSIONS
    COMPONENT kokkos EXCLUDE_FROM_ALL)
endif()
cmake_path(SET _teamsan_here "/${_teamsan_package}")
cmake_path(SET _teamsan_there "/${TEAMSAN_PACKAGED_KOKKOS}/usr")
cmake_path(RELATIVE_PATH _teamsan_there BASE_DIRECTORY "${_teamsan_here}" OUTPUT_VARIABLE TEAMSAN_PROJECT_PACKAGED_KOKKOS)
configure_file(cmake/project.cmake "${PROJECT_BINARY_DIR}/installed/project.cmake" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/installed/project.cmake" cmake/merge_reports.cmake cmake/KokkosInTreeAs.cmake
  DESTINATION "${_teamsan_package}")
install(EXPORT TeamSanTargets NAMESPACE TeamSan:: DESTINATION "${_teamsan_package}")
