# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An installed TeamSan in a project that builds its own Kokkos: the simulated GPU's part that knows Kokkos (backends/simt) is
# compiled against that one here; the rest of TeamSan knows no Kokkos and stays as it was installed.
set(_teamsan_here "${CMAKE_BINARY_DIR}/CMakeFiles/teamsan/libteamsan_simt.a")
if(NOT TARGET teamsan_simt_here)
  get_target_property(_teamsan_includes TeamSan::simt INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(_teamsan_overlay TeamSan::overlay INTERFACE_INCLUDE_DIRECTORIES)
  list(GET _teamsan_includes 0 _teamsan_include)
  file(GLOB_RECURSE _teamsan_sources "${_teamsan_include}/teamsan/backends/simt/*.cpp")
  add_library(teamsan_simt_here STATIC ${_teamsan_sources})
  set_target_properties(teamsan_simt_here PROPERTIES OUTPUT_NAME teamsan_simt POSITION_INDEPENDENT_CODE ON
    ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/CMakeFiles/teamsan" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
    INTERPROCEDURAL_OPTIMIZATION OFF EXCLUDE_FROM_ALL ON)
  target_include_directories(teamsan_simt_here BEFORE PRIVATE "${_teamsan_overlay}" "${_teamsan_include}")
  target_compile_definitions(teamsan_simt_here PRIVATE TEAMSAN_BUILDING_SIMT KOKKOS_IMPL_PUBLIC_INCLUDE)
  target_compile_options(teamsan_simt_here PRIVATE -g1)
  target_link_libraries(teamsan_simt_here PRIVATE TeamSan::sim Kokkos::kokkos)
  add_custom_command(TARGET teamsan_simt_here POST_BUILD VERBATIM COMMAND ${CMAKE_OBJCOPY}
    --redefine-sym memcpy=__real_memcpy --redefine-sym memmove=__real_memmove --redefine-sym memset=__real_memset "${_teamsan_here}")
endif()
get_target_property(_teamsan_configurations TeamSan::simt IMPORTED_CONFIGURATIONS)
foreach(_teamsan_configuration IN LISTS _teamsan_configurations)
  set_target_properties(TeamSan::simt PROPERTIES IMPORTED_LOCATION_${_teamsan_configuration} "${_teamsan_here}")
endforeach()
add_dependencies(TeamSan::simt teamsan_simt_here)
message(STATUS "TeamSan compiles its Kokkos backend for the Kokkos ${Kokkos_VERSION} of this project")
