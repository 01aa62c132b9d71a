# A Kokkos that is too old, too new, or not there: configuring fails with a sentence that says what to do.
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
]])
file(READ "${KOKKOS}/KokkosConfigVersion.cmake" version_file)
foreach(version IN ITEMS 4.7.1 5.3.0)
  set(fake "${WORK}/kokkos-${version}/lib/cmake/Kokkos")
  file(COPY "${KOKKOS}/" DESTINATION "${fake}")
  string(REGEX REPLACE "PACKAGE_VERSION \"[0-9.]+\"" "PACKAGE_VERSION \"${version}\"" text "${version_file}")
  file(WRITE "${fake}/KokkosConfigVersion.cmake" "${text}")
endforeach()
expect_failure("too old" "Kokkos 4.7.1 is too old, TeamSan needs 5.0 to 5.2: run scripts/get-kokkos"
               "-DKokkos_ROOT=${WORK}/kokkos-4.7.1")
expect_failure("too new" "Kokkos 5.3.0 is newer than TeamSan knows .*-DTEAMSAN_ANY_KOKKOS=ON"
               "-DKokkos_ROOT=${WORK}/kokkos-5.3.0")
if(KOKKOS MATCHES "^${PREFIX}")
  expect_failure("absent" "Kokkos was not found: run scripts/get-kokkos" "-DTEAMSAN_KOKKOS_PREFIX=${WORK}/nowhere")
endif()
