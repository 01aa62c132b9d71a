# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The libraries that TeamSan stands on, each found or named in one sentence with the package that brings it.
# GLOBAL: a project that adds TeamSan as a subdirectory links them through TeamSan's targets.

# teamsan_find(PACKAGE DEBIAN_PACKAGE [ARGUMENT...]): find_package(PACKAGE ARGUMENT...).
macro(teamsan_find package debian_package)
  find_package(${package} ${ARGN} QUIET GLOBAL)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found: run scripts/setup, or install ${debian_package}.")
  endif()
endmacro()

find_package(Threads REQUIRED)
teamsan_find(TBB libtbb-dev CONFIG)
teamsan_find(fmt libfmt-dev CONFIG)
teamsan_find(CLI11 libcli11-dev CONFIG)
teamsan_find(nlohmann_json nlohmann-json3-dev CONFIG)
teamsan_find(pugixml libpugixml-dev CONFIG)
find_library(TEAMSAN_LIBDW dw DOC "elfutils' libdw")
find_path(TEAMSAN_LIBDW_HEADERS elfutils/libdwfl.h)
if(NOT TEAMSAN_LIBDW OR NOT TEAMSAN_LIBDW_HEADERS)
  message(FATAL_ERROR "elfutils' libdw was not found: run scripts/setup, or install libdw-dev.")
endif()
find_library(TEAMSAN_LIBZSTD zstd DOC "Zstandard's library")
find_path(TEAMSAN_LIBZSTD_HEADERS zstd.h)
if(NOT TEAMSAN_LIBZSTD OR NOT TEAMSAN_LIBZSTD_HEADERS)
  message(FATAL_ERROR "zstd was not found: run scripts/setup, or install libzstd-dev.")
endif()
