# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A Kokkos of a version that TeamSan has not been tried with: the build ends with a test of it, five kinds of kernels and two
# races (self_test/), and fails where that does. Included when TeamSan's targets are there.
if(NOT TEAMSAN_KOKKOS_IS_UNTRIED OR TARGET teamsan_self_test)
  return()
endif()
message(STATUS "TeamSan has been tested with Kokkos ${TEAMSAN_KOKKOS_OLDEST} to versions below ${TEAMSAN_KOKKOS_UNTRIED}, and this is "
               "${Kokkos_VERSION}: a self-test at the end of the build (target teamsan_self_test) says whether it works")
add_executable(teamsan_self_test_kernels EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/self_test/kernels.cpp")
target_link_libraries(teamsan_self_test_kernels PRIVATE Kokkos::kokkos)
target_compile_features(teamsan_self_test_kernels PRIVATE cxx_std_20)
teamsan_instrument(teamsan_self_test_kernels)
add_custom_command(OUTPUT teamsan_self_test.passed VERBATIM
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:teamsan_self_test_kernels> -DVERSION=${Kokkos_VERSION}
          -P "${CMAKE_CURRENT_LIST_DIR}/self_test/verdict.cmake"
  COMMAND ${CMAKE_COMMAND} -E touch teamsan_self_test.passed
  DEPENDS teamsan_self_test_kernels "${CMAKE_CURRENT_LIST_DIR}/self_test/verdict.cmake")
add_custom_target(teamsan_self_test ALL DEPENDS teamsan_self_test.passed)
