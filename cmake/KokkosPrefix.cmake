# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Kokkos and makes every program that links Kokkos::kokkos start. Decides from, in this order: the user's own
# installation (Kokkos_ROOT, CMAKE_PREFIX_PATH, a module), then the private prefix that scripts/get-kokkos fills
# (TEAMSAN_KOKKOS_PREFIX). The only file that knows of that prefix, of its loader, and of which OpenMP runtime a
# process gets. It cannot see whether a user's Kokkos was built by a compiler whose C++ library is older than this one's.
set(TEAMSAN_KOKKOS_OLDEST 4.5)
set(TEAMSAN_KOKKOS_UNTRIED 5.3)  # from here on, a self-test decides (KokkosSelfTest.cmake)
set(TEAMSAN_KOKKOS_BEYOND 6)
if(NOT DEFINED _teamsan_default_prefix)  # the installed package brings the one that it was built with
  set(_teamsan_default_prefix "${PROJECT_SOURCE_DIR}/.deps/kokkos")
endif()
set(TEAMSAN_KOKKOS_PREFIX "${_teamsan_default_prefix}" CACHE PATH
    "Where scripts/get-kokkos put Kokkos; used when no other Kokkos is found")
option(TEAMSAN_ANY_KOKKOS "Go on with a Kokkos of any version; a self-test says whether it works" OFF)

# A sentence, without a semicolon, ends the configuration; within find_package(TeamSan), it says why TeamSan was not found.
macro(_teamsan_refuse)
  if(DEFINED CMAKE_FIND_PACKAGE_NAME)
    string(CONCAT ${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE ${ARGN})
    set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
    return()
  endif()
  message(FATAL_ERROR ${ARGN})
endmacro()

# The target of the project's own that TARGET is another name of; empty if there is none.
function(_teamsan_in_tree_of target variable)
  set(${variable} "" PARENT_SCOPE)
  if(TARGET ${target})
    get_target_property(aliased ${target} ALIASED_TARGET)
    get_target_property(imported ${target} IMPORTED)
    if(aliased AND NOT imported)
      set(${variable} ${aliased} PARENT_SCOPE)
    endif()
  endif()
endfunction()
_teamsan_in_tree_of(Kokkos::kokkoscore _teamsan_in_tree)

# The user's own. GLOBAL: a project that adds TeamSan as a subdirectory sees the same targets.
set(_teamsan_range ${TEAMSAN_KOKKOS_OLDEST}...<${TEAMSAN_KOKKOS_BEYOND})
if(TEAMSAN_ANY_KOKKOS)
  set(_teamsan_range)
endif()
set(_teamsan_named "${Kokkos_ROOT}$ENV{Kokkos_ROOT}")
set(_teamsan_there_alone)
# Who names the prefix of scripts/get-kokkos names the Kokkos in it, which lies in usr there and needs that prefix' loader.
set(_teamsan_prefix_named)
if(NOT _teamsan_named STREQUAL "" AND NOT _teamsan_in_tree)
  # As typed: relative to where cmake was started, or to the project.
  cmake_path(ABSOLUTE_PATH _teamsan_named BASE_DIRECTORY "$ENV{PWD}" NORMALIZE OUTPUT_VARIABLE _teamsan_folder)
  cmake_path(ABSOLUTE_PATH _teamsan_named BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE _teamsan_of_project)
  foreach(_teamsan_one IN ITEMS "${_teamsan_folder}" "${_teamsan_folder}/.." "${_teamsan_of_project}" "${_teamsan_of_project}/..")
    if(EXISTS "${_teamsan_one}/.complete" AND EXISTS "${_teamsan_one}/usr")
      cmake_path(NORMAL_PATH _teamsan_one OUTPUT_VARIABLE _teamsan_prefix_named)
      string(REGEX REPLACE "/$" "" _teamsan_prefix_named "${_teamsan_prefix_named}")
      set(TEAMSAN_KOKKOS_PREFIX "${_teamsan_prefix_named}" CACHE PATH "Where scripts/get-kokkos put Kokkos" FORCE)
      break()
    endif()
  endforeach()
endif()
if(NOT _teamsan_named STREQUAL "")
  set(_teamsan_built_with_kokkos)  # the installed package knows of another
  # Were the named one too old, the next best would be taken without a word.
  set(_teamsan_there_alone NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH
      NO_CMAKE_PACKAGE_REGISTRY NO_CMAKE_SYSTEM_PACKAGE_REGISTRY)
endif()
if(_teamsan_in_tree)
  include("${CMAKE_CURRENT_LIST_DIR}/KokkosInTree.cmake")
  set(Kokkos_FOUND TRUE)
  set(Kokkos_CONSIDERED_VERSIONS ${Kokkos_VERSION})
  if(NOT TEAMSAN_ANY_KOKKOS AND (Kokkos_VERSION VERSION_LESS TEAMSAN_KOKKOS_OLDEST OR
                                 Kokkos_VERSION VERSION_GREATER_EQUAL TEAMSAN_KOKKOS_BEYOND))
    set(Kokkos_FOUND FALSE)
  endif()
elseif(_teamsan_prefix_named)
  find_package(Kokkos ${_teamsan_range} QUIET CONFIG GLOBAL PATHS "${TEAMSAN_KOKKOS_PREFIX}/usr" NO_DEFAULT_PATH)
else()
  find_package(Kokkos ${_teamsan_range} QUIET CONFIG GLOBAL PATHS ${_teamsan_built_with_kokkos} ${_teamsan_there_alone})
endif()
if(NOT Kokkos_FOUND)
  set(_teamsan_seen "${Kokkos_CONSIDERED_VERSIONS}")
  set(_teamsan_reason "${Kokkos_NOT_FOUND_MESSAGE}")
  if(EXISTS "${TEAMSAN_KOKKOS_PREFIX}/.complete" AND _teamsan_named STREQUAL "" AND NOT _teamsan_in_tree)
    find_package(Kokkos ${_teamsan_range} QUIET CONFIG GLOBAL PATHS "${TEAMSAN_KOKKOS_PREFIX}/usr" NO_DEFAULT_PATH)
    list(APPEND _teamsan_seen ${Kokkos_CONSIDERED_VERSIONS})
    string(APPEND _teamsan_reason "${Kokkos_NOT_FOUND_MESSAGE}")
  endif()
endif()
if(NOT Kokkos_FOUND)
  list(REMOVE_DUPLICATES _teamsan_seen)
  list(REMOVE_ITEM _teamsan_seen unknown)
  set(_teamsan_do "run scripts/get-kokkos .deps/kokkos, or install Kokkos 4.5 to 5.2 and pass -DKokkos_ROOT=<where it is>")
  foreach(version IN LISTS _teamsan_seen)
    if(version VERSION_LESS TEAMSAN_KOKKOS_OLDEST)
      _teamsan_refuse("Kokkos ${version} is too old, TeamSan needs 4.5 to 5.2: ${_teamsan_do}.")
    elseif(version VERSION_GREATER_EQUAL TEAMSAN_KOKKOS_BEYOND)
      _teamsan_refuse("Kokkos ${version} is newer than TeamSan knows (4.5 to 5.2): ${_teamsan_do}, "
                      "or try this one with -DTEAMSAN_ANY_KOKKOS=ON.")
    endif()
  endforeach()
  if(NOT _teamsan_named STREQUAL "" AND NOT _teamsan_reason)
    _teamsan_refuse("Kokkos_ROOT is ${_teamsan_named}, and no Kokkos is there: ${_teamsan_do}.")
  endif()
  if(_teamsan_reason)
    _teamsan_refuse("Kokkos was found but cannot be used: ${_teamsan_reason}")
  endif()
  _teamsan_refuse("Kokkos was not found: ${_teamsan_do}.")
endif()
message(STATUS "Kokkos ${Kokkos_VERSION} (${Kokkos_DEVICES}) in ${Kokkos_DIR}")
set(TEAMSAN_KOKKOS_IS_UNTRIED FALSE)
if(Kokkos_VERSION VERSION_LESS TEAMSAN_KOKKOS_OLDEST OR Kokkos_VERSION VERSION_GREATER_EQUAL TEAMSAN_KOKKOS_UNTRIED)
  set(TEAMSAN_KOKKOS_IS_UNTRIED TRUE)
endif()
if(Kokkos_DEVICES MATCHES "(CUDA|HIP|SYCL|OPENACC)" AND NOT TEAMSAN_FOR_PRODUCTION)
  _teamsan_refuse("The Kokkos in ${Kokkos_DIR} was built for ${CMAKE_MATCH_1}, and a checked program is a host program: "
                  "take one without it, such as the one of scripts/get-kokkos, with -DKokkos_ROOT=<where it is>.")
endif()
if(NOT Kokkos_DEVICES MATCHES "OPENMP|SERIAL|THREADS")
  _teamsan_refuse("The Kokkos in ${Kokkos_DIR} has no host execution space (${Kokkos_DEVICES}), "
                  "and TeamSan needs one built with OpenMP, Threads or Serial.")
endif()

# A program's code may lie anywhere, and so must a static Kokkos in it.
get_target_property(_teamsan_type Kokkos::kokkoscore TYPE)
if(_teamsan_type STREQUAL "STATIC_LIBRARY" AND NOT _teamsan_in_tree AND NOT DEFINED TEAMSAN_KOKKOS_IS_PIC)
  get_target_property(_teamsan_library Kokkos::kokkoscore LOCATION)
  execute_process(COMMAND "${CMAKE_READELF}" --relocs --wide "${_teamsan_library}" OUTPUT_VARIABLE _teamsan_relocations ERROR_QUIET)
  set(TEAMSAN_KOKKOS_IS_PIC TRUE CACHE INTERNAL "")
  if(_teamsan_relocations MATCHES "R_X86_64_32S? ")
    unset(TEAMSAN_KOKKOS_IS_PIC CACHE)
    _teamsan_refuse("${_teamsan_library} is static and was built without -fPIC, so that it cannot be part of a program with "
                    "the simulated GPU: build Kokkos with -DCMAKE_POSITION_INDEPENDENT_CODE=ON or -DBUILD_SHARED_LIBS=ON.")
  endif()
endif()

# An option goes to Kokkos::kokkoscore once, however often a superproject includes this file.
function(_teamsan_link_kokkos_with)
  _teamsan_in_tree_of(Kokkos::kokkoscore core)
  if(NOT core)
    set(core Kokkos::kokkoscore)
  endif()
  get_target_property(present ${core} INTERFACE_LINK_OPTIONS)
  foreach(option IN LISTS ARGN)
    if(NOT option IN_LIST present)
      set_property(TARGET ${core} APPEND PROPERTY INTERFACE_LINK_OPTIONS "${option}")
    endif()
  endforeach()
endfunction()

# What the backend's headers refuse unless told (versions/Supported.hpp).
if(TEAMSAN_KOKKOS_IS_UNTRIED)
  _teamsan_in_tree_of(Kokkos::kokkoscore _teamsan_core)
  if(NOT _teamsan_core)
    set(_teamsan_core Kokkos::kokkoscore)
  endif()
  get_target_property(_teamsan_definitions ${_teamsan_core} INTERFACE_COMPILE_DEFINITIONS)
  if(NOT "TEAMSAN_ANY_KOKKOS" IN_LIST _teamsan_definitions)
    set_property(TARGET ${_teamsan_core} APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS TEAMSAN_ANY_KOKKOS)
  endif()
endif()

# Clang's -fopenmp brings LLVM's OpenMP runtime; a Kokkos that GCC built asks for libgomp.so.1. Two runtimes in a process
# would oversubscribe the machine and disagree about thread numbers. LLVM's has GNU's entry points under GNU's symbol
# versions, so it is offered under GNU's name too, ahead of any other directory; the loader sees the same file and
# loads it once. Directories must come first: DT_RPATH lists them in the order of the link line.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND Kokkos_CXX_COMPILER_ID STREQUAL "GNU" AND Kokkos_DEVICES MATCHES "OPENMP")
  foreach(name IN LISTS OpenMP_CXX_LIB_NAMES)
    if(name MATCHES "omp" AND EXISTS "${OpenMP_${name}_LIBRARY}")
      file(REAL_PATH "${OpenMP_${name}_LIBRARY}" _teamsan_openmp)
    endif()
  endforeach()
  if(NOT _teamsan_openmp OR _teamsan_openmp MATCHES "gomp")
    _teamsan_refuse("LLVM's OpenMP runtime was not found for ${CMAKE_CXX_COMPILER}: install libomp-dev.")
  endif()
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/one-openmp")
  file(CREATE_LINK "${_teamsan_openmp}" "${PROJECT_BINARY_DIR}/one-openmp/libgomp.so.1" SYMBOLIC)
  _teamsan_link_kokkos_with("LINKER:-rpath,${PROJECT_BINARY_DIR}/one-openmp" "LINKER:--disable-new-dtags")
endif()

# The private prefix brings its own C and C++ library, newer than the system's: programs start under its loader. DT_RPATH,
# not DT_RUNPATH: libraries that the program pulls in must find the prefix's libm and libstdc++ too.
cmake_path(IS_PREFIX TEAMSAN_KOKKOS_PREFIX "${Kokkos_DIR}" NORMALIZE TEAMSAN_KOKKOS_IS_PRIVATE)
if(TEAMSAN_KOKKOS_IS_PRIVATE)
  get_target_property(_teamsan_library Kokkos::kokkoscore LOCATION)
  cmake_path(GET _teamsan_library PARENT_PATH _teamsan_library_directory)
  file(GLOB _teamsan_loader "${_teamsan_library_directory}/ld-linux*.so.*")
  if(NOT _teamsan_loader)
    _teamsan_refuse("${TEAMSAN_KOKKOS_PREFIX} has no loader: remove it and run scripts/get-kokkos .deps/kokkos again.")
  endif()
  _teamsan_link_kokkos_with(
    "LINKER:--dynamic-linker=${_teamsan_loader}" "LINKER:-rpath,${_teamsan_library_directory}"
    "LINKER:--disable-new-dtags" "LINKER:--allow-shlib-undefined")
  # GCC's own libgomp in the link line would make CMake warn that the prefix hides it, which is what it is there for.
  get_target_property(_teamsan_needs Kokkos::kokkoscore INTERFACE_LINK_LIBRARIES)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND "OpenMP::OpenMP_CXX" IN_LIST _teamsan_needs)
    list(REMOVE_ITEM _teamsan_needs OpenMP::OpenMP_CXX)
    set_target_properties(Kokkos::kokkoscore PROPERTIES
      INTERFACE_LINK_LIBRARIES "${_teamsan_needs};${_teamsan_library_directory}/libgomp.so.1")
    set_property(TARGET Kokkos::kokkoscore APPEND PROPERTY
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>")
  endif()
endif()
