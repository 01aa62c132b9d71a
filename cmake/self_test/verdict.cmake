# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the self-test's program as it is right and as it is wrong, and says whether TeamSan works with this Kokkos. A verdict
# that it does not ends the build.
set(ENV{TEAMSAN_OPTIONS} "")
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
set(failed "TeamSan's self-test with Kokkos ${VERSION} failed, so that it cannot be trusted with this Kokkos")
if(NOT status STREQUAL "0" OR NOT said MATCHES "no findings")
  message(FATAL_ERROR "${failed}: kernels that are right ended with status ${status}.\n${said}")
endif()
execute_process(COMMAND "${PROGRAM}" wrong RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
foreach(expected IN ITEMS "scratch-race" "global-race" "cells\\(2, 3\\): int\\[4\\]\\[8\\] LayoutRight")
  if(NOT status STREQUAL "66" OR NOT said MATCHES "${expected}")
    message(FATAL_ERROR "${failed}: kernels with two races ended with status ${status}, and ${expected} is not in their report.\n${said}")
  endif()
endforeach()
message(STATUS "TeamSan's self-test with Kokkos ${VERSION} passed: 6 kernels gave the right results without a finding, both "
               "races were found")
