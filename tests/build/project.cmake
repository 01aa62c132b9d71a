# A project that has never heard of TeamSan (project/), built for checking without an edit: its own ctest fails on what its
# programs hold, also where a test looks at the output alone, and leaves one page.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
install_teamsan()
set(included -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${WORK}/moved/lib/cmake/TeamSan/project.cmake)
step(${configure_plain} ${included} -S "${SOURCE}/tests/build/project" -B "${WORK}/b")
if(NOT said MATCHES "TeamSan checks 5 targets of stranger, 3 of them programs")
  message(FATAL_ERROR "configuring said: ${said}")
endif()
step(${CMAKE_COMMAND} --build "${WORK}/b")
step(${NM} "${WORK}/b/library/libkernels.so")
if(NOT said MATCHES " U __tsan_func_entry" OR said MATCHES " [TW] __tsan_")
  message(FATAL_ERROR "libkernels.so is not instrumented, or has a runtime of its own: ${said}")
endif()
step(${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/b" -R clean --output-on-failure)
if(NOT EXISTS "${WORK}/b/teamsan-reports/all.html" OR NOT said MATCHES "no findings in 1 kernel")
  message(FATAL_ERROR "a clean test: ${said}")
endif()
set(rule_racy global-race)
set(rule_prints global-race)
set(rule_compares uninit-global)  # by a function of the C library, called in the shared library
foreach(test IN ITEMS compares racy prints)
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/b" -R "^${test}$" --output-on-failure
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status EQUAL 0 OR NOT said MATCHES "${rule_${test}}")
    message(FATAL_ERROR "${test}: status ${status}: ${said}")
  endif()
endforeach()
file(STRINGS "${WORK}/b/teamsan-reports/all.html" page REGEX "global-race" LIMIT_COUNT 1)
if(NOT page)
  message(FATAL_ERROR "the page of all tests does not hold the race.")
endif()
# Listing tests is no run of them.
step(${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/b" -N)
if(NOT EXISTS "${WORK}/b/teamsan-reports/all.html" OR said MATCHES "TeamSan")
  message(FATAL_ERROR "ctest -N takes reports away, or talks of them: ${said}")
endif()
# Once more: configuring again changes nothing.
step(${CMAKE_COMMAND} -S "${SOURCE}/tests/build/project" -B "${WORK}/b")

function(refused_project sentence)
  execute_process(COMMAND ${configure_plain} ${included} ${ARGN} -S "${SOURCE}/tests/build/project" -B "${WORK}/refused"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(status EQUAL 0 OR NOT said MATCHES "${sentence}")
    message(FATAL_ERROR "expected \"${sentence}\", got status ${status}: ${said}")
  endif()
  file(REMOVE_RECURSE "${WORK}/refused")
endfunction()
refused_project("No target of stranger links Kokkos" -DPLAIN=ON)
set(included -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${SOURCE}/cmake/project.cmake)
refused_project("lies among TeamSan's sources: install TeamSan")
set(included -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${WORK}/moved/lib/cmake/TeamSan/project.cmake)

# Checked under a backend's name: the project finds a Kokkos that has it, TeamSan the one that is there. Its build folder is a
# directory of its own as well.
file(WRITE "${WORK}/as/CMakeLists.txt" "message(STATUS \"a case\")\n")
step(${configure_plain} ${included} -DTEAMSAN_AS=SYCL -S "${SOURCE}/tests/build/project" -B "${WORK}/as")
if(NOT said MATCHES "stranger is for GPUs: .* and SYCL" OR NOT said MATCHES "TeamSan checks 5 targets of stranger"
   OR NOT said MATCHES "TeamSan cannot see the targets of ${WORK}/as,")
  message(FATAL_ERROR "configuring as SYCL said: ${said}")
endif()

# So does a project with a Kokkos in its tree, whose options ask for the backend: that Kokkos is built without it, each time.
cmake_path(SET installed NORMALIZE "${KOKKOS}/../../../..")
set(in_tree -DOWN_KOKKOS=ON -DVERSION=50200 -DINSTALLED_KOKKOS=${installed} -DTEAMSAN_AS=SYCL -DKokkos_ENABLE_SYCL=ON)
foreach(again RANGE 1)
  step(${configure_plain} ${included} ${in_tree} -S "${SOURCE}/tests/build/project" -B "${WORK}/own_as")
  if(NOT said MATCHES "stranger is for GPUs" OR NOT said MATCHES "TeamSan checks 5 targets of stranger")
    message(FATAL_ERROR "configuring a Kokkos in the tree as SYCL said: ${said}")
  endif()
  set(in_tree)
endforeach()

# With a Kokkos in its tree, of a version that nobody has tried: the build says whether TeamSan works with it.
step(${configure_plain} ${included} -DOWN_KOKKOS=ON -DVERSION=50300 -DINSTALLED_KOKKOS=${installed} -DCMAKE_CXX_FLAGS=-g1 -S "${SOURCE}/tests/build/project" -B "${WORK}/own")
if(NOT said MATCHES "TeamSan checks 5 targets of stranger" OR NOT said MATCHES "Kokkos backend for the Kokkos 5.3.0"
   OR NOT said MATCHES "this is 5.3.0: a self-test")
  message(FATAL_ERROR "configuring with a Kokkos in the tree said: ${said}")
endif()
step(${CMAKE_COMMAND} --build "${WORK}/own" --target racy deeper)
foreach(program IN ITEMS racy library/deeper)
  execute_process(COMMAND "${WORK}/own/${program}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 66 OR NOT said MATCHES "global-race")
    message(FATAL_ERROR "${program} on a Kokkos in the tree: status ${status}: ${said}")
  endif()
endforeach()
# `teamsan doctor` does not ask that Kokkos' own sources be checked.
step("${WORK}/moved/bin/teamsan" doctor "${WORK}/own/racy")
if(NOT said MATCHES "nothing: run it" OR said MATCHES "Kokkos_Core.cpp")
  message(FATAL_ERROR "teamsan doctor said: ${said}")
endif()
step(${CMAKE_COMMAND} --build "${WORK}/own" --target teamsan_self_test)
if(NOT said MATCHES "self-test with Kokkos 5.3.0 passed")
  message(FATAL_ERROR "the self-test said: ${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -DPROGRAM=/bin/true -DVERSION=5.3.0 -P "${SOURCE}/cmake/self_test/verdict.cmake"
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0 OR NOT said MATCHES "self-test with Kokkos 5.3.0 failed")
  message(FATAL_ERROR "a program that finds nothing passed the self-test: ${said}")
endif()
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
