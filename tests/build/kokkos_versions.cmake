# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A Kokkos that is too old, too new, or not there: configuring fails with a sentence that says what to do.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
function(expect_failure what sentence)
  file(REMOVE_RECURSE "${WORK}/build")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S "${WORK}" -B "${WORK}/build" -G "${GENERATOR}" -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
            -DCMAKE_CXX_COMPILER=${COMPILER} -DTEAMSAN_SOURCE=${SOURCE} ${ARGN}
    OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE status)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(status EQUAL 0 OR NOT said MATCHES "${sentence}")
    message(FATAL_ERROR "${what}: status ${status}, said: ${said}")
  endif()
endfunction()

file(WRITE "${WORK}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES CXX)
include("${TEAMSAN_SOURCE}/cmake/KokkosPrefix.cmake")
get_target_property(definitions Kokkos::kokkoscore INTERFACE_COMPILE_DEFINITIONS)
message(STATUS "untried: ${TEAMSAN_KOKKOS_IS_UNTRIED}, with ${definitions}")
]])
file(READ "${KOKKOS}/KokkosConfigVersion.cmake" version_file)
foreach(version IN ITEMS 4.4.1 6.0.0)
  set(fake "${WORK}/kokkos-${version}/lib/cmake/Kokkos")
  file(COPY "${KOKKOS}/" DESTINATION "${fake}")
  string(REGEX REPLACE "PACKAGE_VERSION \"[0-9.]+\"" "PACKAGE_VERSION \"${version}\"" text "${version_file}")
  file(WRITE "${fake}/KokkosConfigVersion.cmake" "${text}")
endforeach()
expect_failure("too old" "Kokkos 4.4.1 is too old, TeamSan needs 4.5 to 5.2: run scripts/get-kokkos"
               "-DKokkos_ROOT=${WORK}/kokkos-4.4.1")
expect_failure("too new" "Kokkos 6.0.0 is newer than TeamSan knows .*-DTEAMSAN_ANY_KOKKOS=ON"
               "-DKokkos_ROOT=${WORK}/kokkos-6.0.0")
expect_failure("too old beside another" "Kokkos 4.4.1 is too old, TeamSan needs 4.5 to 5.2: run scripts/get-kokkos"
               "-DKokkos_ROOT=${WORK}/kokkos-4.4.1" "-DCMAKE_PREFIX_PATH=${KOKKOS}/../../..")
if(KOKKOS MATCHES "^${PREFIX}")
  expect_failure("absent" "Kokkos was not found: run scripts/get-kokkos" "-DTEAMSAN_KOKKOS_PREFIX=${WORK}/nowhere")
  # Kokkos_ROOT may name what scripts/get-kokkos was told, also relative to the project.
  cmake_path(RELATIVE_PATH PREFIX BASE_DIRECTORY "${WORK}" OUTPUT_VARIABLE relative)
  foreach(named IN ITEMS "${PREFIX}" "${PREFIX}/" "${PREFIX}/usr" "${relative}")
    file(REMOVE_RECURSE "${WORK}/build")
    execute_process(
      COMMAND ${CMAKE_COMMAND} -S "${WORK}" -B "${WORK}/build" -G "${GENERATOR}" -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
              -DCMAKE_CXX_COMPILER=${COMPILER} -DTEAMSAN_SOURCE=${SOURCE} -DKokkos_ROOT=${named}
              -DTEAMSAN_KOKKOS_PREFIX=${WORK}/nowhere
      OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
    if(NOT status EQUAL 0 OR NOT said MATCHES "in ${PREFIX}/usr/")
      message(FATAL_ERROR "Kokkos_ROOT=${named}: status ${status}, said: ${said}")
    endif()
  endforeach()
endif()

# One that is there and of no use: built for a device, for none at all, or static and of code that must lie at fixed addresses.
if(NOT libdir)
  message(STATUS "not tried: ${KOKKOS} does not lie as in an installed tree")
  return()
endif()
fake_kokkos(sycl KokkosConfigCommon.cmake "set(Kokkos_DEVICES " "set(Kokkos_DEVICES SYCL;")
expect_failure("for a device" "was built for SYCL, and a checked program is a host program" "-DKokkos_ROOT=${WORK}/sycl")
fake_kokkos(nowhere-to-run KokkosConfigCommon.cmake "set(Kokkos_DEVICES " "set(Kokkos_DEVICES HPX) #")
expect_failure("for no host" "has no host execution space .HPX., and TeamSan needs one built with OpenMP, Threads or Serial"
               "-DKokkos_ROOT=${WORK}/nowhere-to-run")
fake_kokkos(static KokkosTargets.cmake "Kokkos::kokkoscore SHARED" "Kokkos::kokkoscore STATIC")
file(GLOB core "${WORK}/static/${libdir}/libkokkoscore.so*")
file(REMOVE ${core})
file(WRITE "${WORK}/fixed.cpp" "int here;\nint* where() { return &here; }\n")
execute_process(COMMAND "${COMPILER}" -fno-pic -c fixed.cpp -o fixed.o WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
foreach(file IN LISTS core)
  execute_process(COMMAND "${AR}" rcs "${file}" fixed.o WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
expect_failure("static" "is static and was built without -fPIC" "-DKokkos_ROOT=${WORK}/static")

# Versions that nobody has tried: a newer minor one is taken, any with TEAMSAN_ANY_KOKKOS; a self-test follows.
string(REGEX MATCH "PACKAGE_VERSION \"[0-9.]+\"" version_line "${version_file}")
foreach(taken IN ITEMS "5.3.0" "4.4.1;-DTEAMSAN_ANY_KOKKOS=ON" "6.0.0;-DTEAMSAN_ANY_KOKKOS=ON")
  list(POP_FRONT taken version)
  fake_kokkos(taken-${version} KokkosConfigVersion.cmake "${version_line}" "PACKAGE_VERSION \"${version}\"")
  file(REMOVE_RECURSE "${WORK}/build")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S "${WORK}" -B "${WORK}/build" -G "${GENERATOR}" -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
            -DCMAKE_CXX_COMPILER=${COMPILER} -DTEAMSAN_SOURCE=${SOURCE} -DKokkos_ROOT=${WORK}/taken-${version} ${taken}
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT said MATCHES "untried: TRUE, with [^\n]*TEAMSAN_ANY_KOKKOS")
    message(FATAL_ERROR "Kokkos ${version} is not taken to be tried: status ${status}, said: ${said}")
  endif()
endforeach()
