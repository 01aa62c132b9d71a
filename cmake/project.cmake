# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A whole project built for checking, without an edit:
#   cmake -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=<where TeamSan is installed>/lib/cmake/TeamSan/project.cmake ...
# CMake (3.24 and later) reads this file in the project's first project() call; once the project is read, every target that
# Kokkos kernels can run in is instrumented: what links Kokkos, and the libraries linked with it. Not Kokkos itself, whether
# it was installed or lies in the project's tree. Each program then leaves a report in teamsan-reports/ of the build
# directory, whoever starts it, and ctest ends with what all of them found: teamsan-reports/all.txt, all.html, and a failure.
# It cannot see programs that are built by other means (ExternalProject, custom commands).
if(CMAKE_VERSION VERSION_LESS 3.24)
  message(FATAL_ERROR "TeamSan's project.cmake needs CMake 3.24 or later; this is ${CMAKE_VERSION}.")
endif()
if(NOT EXISTS "${CMAKE_CURRENT_LIST_DIR}/TeamSanConfig.cmake")
  message(FATAL_ERROR "This project.cmake lies among TeamSan's sources: install TeamSan (cmake --install build --prefix P) and "
                      "name P/lib/cmake/TeamSan/project.cmake.")
endif()
include_guard(GLOBAL)
set(_teamsan_project_files "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "")
# What a directory finds, TeamSan has to see from the top.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
# Where no other Kokkos is found, the one that TeamSan has.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/@TEAMSAN_PROJECT_PACKAGED_KOKKOS@")
  list(APPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}/@TEAMSAN_PROJECT_PACKAGED_KOKKOS@")
elseif(EXISTS "@TEAMSAN_PROJECT_KOKKOS@")
  list(APPEND CMAKE_PREFIX_PATH "@TEAMSAN_PROJECT_KOKKOS@")
endif()

# A project that is checked as CUDA, HIP or SYCL finds a Kokkos that says it has that backend; TeamSan finds it as it is.
if(TEAMSAN_AS)
  macro(_teamsan_provide method package)  # a macro: what is found, the caller is to see. Under the project's policies.
    if(_teamsan_looks)
      _teamsan_find(${package} ${ARGN})
    else()
      find_package(${package} ${ARGN} BYPASS_PROVIDER)
      if("x${package}" STREQUAL "xKokkos" AND Kokkos_FOUND)
        list(APPEND Kokkos_DEVICES ${TEAMSAN_AS})
        set(Kokkos_ENABLE_${TEAMSAN_AS} ON)
        # What kokkos_check(OPTIONS ...) asks of such a Kokkos, and what goes without saying on the simulated GPU.
        list(APPEND Kokkos_OPTIONS ${TEAMSAN_AS}_RELOCATABLE_DEVICE_CODE)
        if("${TEAMSAN_AS}" STREQUAL "CUDA")
          list(APPEND Kokkos_OPTIONS CUDA_CONSTEXPR CUDA_LAMBDA)
        endif()
      endif()
    endif()
  endmacro()
  cmake_language(SET_DEPENDENCY_PROVIDER _teamsan_provide SUPPORTED_METHODS FIND_PACKAGE)
  set(CMAKE_PROJECT_Kokkos_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/KokkosInTreeAs.cmake")
endif()

# From here on TeamSan's own policies, not the project's, which may have none yet: project() before cmake_minimum_required().
# A function keeps those that it was made under, and gives them to what it includes.
cmake_policy(PUSH)
cmake_policy(VERSION 3.24)

macro(_teamsan_find)
  find_package(${ARGN} BYPASS_PROVIDER)
endmacro()

# The targets of DIRECTORY and of all below it. Where DIRECTORY is the build folder of another one, CMake means that one.
function(_teamsan_targets_below directory variable)
  get_directory_property(meant DIRECTORY "${directory}" SOURCE_DIR)
  if(NOT meant STREQUAL directory)
    message(STATUS "TeamSan cannot see the targets of ${directory}, which is a build folder too: if they have kernels, compile "
                   "with CXX=teamsan-c++ instead")
    set(${variable} "" PARENT_SCOPE)
    return()
  endif()
  get_directory_property(targets DIRECTORY "${directory}" BUILDSYSTEM_TARGETS)
  get_directory_property(below DIRECTORY "${directory}" SUBDIRECTORIES)
  foreach(subdirectory IN LISTS below)
    _teamsan_targets_below("${subdirectory}" more)
    list(APPEND targets ${more})
  endforeach()
  set(${variable} "${targets}" PARENT_SCOPE)
endfunction()

# Adds LIBRARY... and what they link, as far as this project compiles it, to the list of the property TEAMSAN_TO_CHECK.
function(_teamsan_check_with)
  _teamsan_names_in(names ${ARGN})
  foreach(library IN LISTS names)
    if(NOT TARGET "${library}")
      continue()
    endif()
    _teamsan_original(${library} library)
    get_property(known GLOBAL PROPERTY TEAMSAN_TO_CHECK)
    get_target_property(imported ${library} IMPORTED)
    get_target_property(type ${library} TYPE)
    _teamsan_is_kokkos(${library} is_kokkos)
    if(imported OR is_kokkos OR library IN_LIST known OR type STREQUAL "UTILITY")
      continue()
    endif()
    set_property(GLOBAL APPEND PROPERTY TEAMSAN_TO_CHECK ${library})
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(further ${library} ${property})
      if(further)
        _teamsan_check_with(${further})
      endif()
    endforeach()
  endforeach()
endfunction()

# A program that says by itself where its report goes: who starts it, need not know.
function(_teamsan_report_by_default program reports)
  set(source "${CMAKE_BINARY_DIR}/CMakeFiles/teamsan/${program}.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "extern \"C\" char const* __teamsan_default_options();
extern \"C\" char const* __teamsan_default_options() { return \"report=json='${reports}/${program}.%p.%r.json'\"; }
")
  target_sources(${program} PRIVATE "${source}")
  # GENERATED: where the project's policies are those of CMake before 3.20, only this directory would know (CMP0118).
  set_source_files_properties("${source}" TARGET_DIRECTORY ${program}
    PROPERTIES GENERATED TRUE SKIP_PRECOMPILE_HEADERS TRUE SKIP_UNITY_BUILD_INCLUSION TRUE SKIP_AUTOGEN TRUE)
endfunction()

# ctest runs these around all tests, whoever added them; a failure of the latter is a failure of ctest.
function(_teamsan_merge_after_ctest reports)
  set(own "${CMAKE_BINARY_DIR}/CMakeFiles/teamsan/CTestCustom.cmake")
  set(command "\"${CMAKE_COMMAND}\" -D \"REPORTS=${reports}\"")
  set(script "-P \"${_teamsan_project_files}/merge_reports.cmake\"")
  file(GENERATE OUTPUT "${own}" CONTENT "list(APPEND CTEST_CUSTOM_PRE_TEST [[${command} -D BEGIN=ON ${script}]])
list(APPEND CTEST_CUSTOM_POST_TEST [[${command} -D \"TEAMSAN=$<TARGET_FILE:TeamSan::launcher>\" ${script}]])
")
  # The project may have a file of that name of its own.
  set(custom "${CMAKE_BINARY_DIR}/CTestCustom.cmake")
  set(text "")
  if(EXISTS "${custom}")
    file(READ "${custom}" text)
  endif()
  if(NOT text MATCHES "CMakeFiles/teamsan/CTestCustom.cmake")
    file(APPEND "${custom}" "include(\"${own}\")\n")
  endif()
endfunction()

# The project is read. TeamSan comes last: its Kokkos is the project's.
function(_teamsan_check_project)
  _teamsan_targets_below("${CMAKE_SOURCE_DIR}" targets)
  include("${_teamsan_project_files}/TeamSanTwin.cmake")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    _teamsan_is_kokkos(${target} is_kokkos)
    _teamsan_uses_kokkos(${target} uses)
    get_target_property(directory ${target} SOURCE_DIR)
    set(in_kokkos FALSE)  # its tests and examples
    if(Kokkos_SOURCE_DIR)
      cmake_path(IS_PREFIX Kokkos_SOURCE_DIR "${directory}" NORMALIZE in_kokkos)
    endif()
    if(uses AND NOT is_kokkos AND NOT in_kokkos AND NOT type STREQUAL "UTILITY")
      _teamsan_check_with(${target})
    endif()
  endforeach()
  # A program that links a library which calls the runtime needs it too.
  set(before -1)
  get_property(to_check GLOBAL PROPERTY TEAMSAN_TO_CHECK)
  while(NOT "${to_check}" STREQUAL "${before}")
    set(before "${to_check}")
    foreach(target IN LISTS targets)
      get_target_property(libraries ${target} LINK_LIBRARIES)
      get_target_property(objects ${target} SOURCES)
      list(FILTER objects INCLUDE REGEX "TARGET_OBJECTS")
      _teamsan_names_in(names ${libraries} ${objects})
      foreach(library IN LISTS names)
        if(TARGET "${library}")
          _teamsan_original(${library} library)
        endif()
        if(library IN_LIST to_check)
          _teamsan_check_with(${target})
        endif()
      endforeach()
    endforeach()
    get_property(to_check GLOBAL PROPERTY TEAMSAN_TO_CHECK)
  endwhile()
  if(NOT to_check)
    message(FATAL_ERROR "No target of ${CMAKE_PROJECT_NAME} links Kokkos, so that there is nothing for TeamSan to check: it "
                        "needs target_link_libraries(... Kokkos::kokkos) somewhere.")
  endif()
  set(_teamsan_looks TRUE)
  find_package(TeamSan CONFIG REQUIRED GLOBAL PATHS "${_teamsan_project_files}" NO_DEFAULT_PATH)
  set(reports "${CMAKE_BINARY_DIR}/teamsan-reports")
  file(MAKE_DIRECTORY "${reports}")
  set(programs 0)
  foreach(target IN LISTS to_check)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
      continue()
    endif()
    teamsan_instrument_in_place(${target})
    if(type STREQUAL "EXECUTABLE")
      math(EXPR programs "${programs} + 1")
      _teamsan_report_by_default(${target} "${reports}")
    endif()
  endforeach()
  list(LENGTH to_check count)
  message(STATUS "TeamSan checks ${count} targets of ${CMAKE_PROJECT_NAME}, ${programs} of them programs; reports in ${reports}")
  _teamsan_merge_after_ctest("${reports}")
endfunction()

cmake_language(DEFER CALL _teamsan_check_project)
cmake_policy(POP)
