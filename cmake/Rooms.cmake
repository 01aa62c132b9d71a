# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One CMake target a room. A room's headers are reached as <teamsan/ROOM/...> and only by targets that link the room:
# each gets an include root of its own under the build tree, so that a wrong include fails to build.
#
# Programs are linked with --wrap for the functions of libc that kernels may call on memory, so that these calls in checked
# code reach the runtime (sim/runtime/MemoryFunctions.cpp). The linker would wrap the calls of sim and simt too; their
# archives therefore name what --wrap leaves of the originals.
set(TEAMSAN_WRAPPED memcpy memmove mempcpy memset bzero memcmp bcmp memchr strlen strcmp strncmp strcpy stpcpy strncpy)

#
# A room may be made of rooms within it (ROOMS), which teamsan_add_inner_room has added: these are libraries of objects, each
# compiled with the headers that it may include.
function(teamsan_add_room name directory)
  cmake_parse_arguments(ARG "INTERFACE" "TYPE" "LINK;PRIVATE_LINK;ROOMS" ${ARGN})
  set(roots)
  foreach(room IN LISTS ARG_ROOMS)
    list(APPEND roots $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/rooms/${name}_${room}>)
  endforeach()
  if(NOT ARG_ROOMS)
    set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
    file(MAKE_DIRECTORY "${root}/teamsan")
    file(CREATE_LINK "${directory}" "${root}/teamsan/${name}" SYMBOLIC)
    set(roots $<BUILD_INTERFACE:${root}>)
  endif()
  if(ARG_INTERFACE)
    add_library(teamsan_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(teamsan_${name} STATIC)
    if(ARG_ROOMS)
      foreach(room IN LISTS ARG_ROOMS)
        target_sources(teamsan_${name} PRIVATE $<TARGET_OBJECTS:teamsan_${name}_${room}>)
      endforeach()
      set_target_properties(teamsan_${name} PROPERTIES LINKER_LANGUAGE CXX)
    else()
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${directory}/*.cpp")
      target_sources(teamsan_${name} PRIVATE ${sources})
    endif()
    teamsan_room_options(teamsan_${name})
    target_link_libraries(teamsan_${name} PRIVATE ${ARG_PRIVATE_LINK})
    if(name MATCHES "^(sim|simt)$")
      set(renamed)
      set(wrapped LINKER:--undefined=__wrap_memcpy)
      foreach(function IN LISTS TEAMSAN_WRAPPED)
        list(APPEND renamed --redefine-sym ${function}=__real_${function})
        string(APPEND wrapped ",--wrap=${function}")
      endforeach()
      add_custom_command(TARGET teamsan_${name} POST_BUILD VERBATIM
        COMMAND ${CMAKE_OBJCOPY} ${renamed} $<TARGET_FILE:teamsan_${name}>)
      target_link_options(teamsan_${name} INTERFACE "${wrapped}")
    endif()
    set(scope PUBLIC)
  endif()
  target_compile_features(teamsan_${name} ${scope} cxx_std_20)
  target_include_directories(teamsan_${name} ${scope} ${roots}
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(teamsan_${name} ${scope} ${ARG_LINK})
  set_target_properties(teamsan_${name} PROPERTIES EXPORT_NAME ${name})
  add_library(TeamSan::${name} ALIAS teamsan_${name})
  if(TEAMSAN_INSTALL)
    install(TARGETS teamsan_${name} EXPORT TeamSanTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY "${directory}/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/teamsan/${name}
      FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def" PATTERN cli EXCLUDE PATTERN html EXCLUDE PATTERN explanations EXCLUDE
      PATTERN hardware EXCLUDE)
  endif()
endfunction()

# teamsan_add_inner_room(ROOM NAME DIRECTORY MAY_INCLUDE name... LINK library...): a room within ROOM. Its headers are
# <teamsan/ROOM/NAME/...>; it sees those of the rooms that MAY_INCLUDE names, besides its own and the libraries'.
function(teamsan_add_inner_room room name directory)
  cmake_parse_arguments(ARG "" "" "MAY_INCLUDE;LINK" ${ARGN})
  set(target teamsan_${room}_${name})
  set(root "${PROJECT_BINARY_DIR}/rooms/${room}_${name}")
  file(MAKE_DIRECTORY "${root}/teamsan/${room}")
  file(CREATE_LINK "${directory}" "${root}/teamsan/${room}/${name}" SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*.cpp")
  add_library(${target} OBJECT ${sources})
  teamsan_room_options(${target})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_include_directories(${target} PRIVATE "${root}")
  foreach(below IN LISTS ARG_MAY_INCLUDE)
    if(NOT TARGET teamsan_${room}_${below})
      message(FATAL_ERROR "${room}/${name} may not include ${room}/${below}, which stands above it: rooms depend one way.")
    endif()
    target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/rooms/${room}_${below}")
  endforeach()
  target_link_libraries(${target} PRIVATE ${ARG_LINK})
endfunction()

function(teamsan_room_options target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -g1)
  teamsan_in_batches(${target})
  if(TEAMSAN_SANITIZE)
    teamsan_sanitize(${target})
  endif()
endfunction()

# teamsan_in_batches(TARGET): with TEAMSAN_UNITY_BUILD, and under sanitizers, compiles TARGET's files in batches, so that a
# header is read once a batch: half the work of a build from nothing, more for a change of one file. The callbacks, which run
# per access, stay by themselves, since the compiler weighs inlining by the size of what it is given; so do files that name
# their own things as others do.
function(teamsan_in_batches target)
  if(NOT TEAMSAN_UNITY_BUILD AND NOT TEAMSAN_SANITIZE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/model/|/(Callbacks|Atomics|MemoryFunctions|Output|JsonReader)\\.cpp$|[$]")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(before 0)
  foreach(source IN LISTS sources)
    math(EXPR batch "${before} / 15")
    math(EXPR before "${before} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP batch${batch})
  endforeach()
endfunction()

# teamsan_sanitize(TARGET): with AddressSanitizer, UndefinedBehaviorSanitizer and what libFuzzer goes by; of a room's options,
# -O2 gives way, since optimising what they add takes most of the time. The arena lies where AddressSanitizer puts nothing
# (base/Arena.hpp), and lanes' stacks are announced to it (machine/AnnouncedStack.hpp), so that lanes run under it as they
# always do. Programs are large then, and linked by lld where there is one, in a third of the time.
find_program(TEAMSAN_LLD ld.lld)
mark_as_advanced(TEAMSAN_LLD)
function(teamsan_sanitize target)
  target_compile_options(${target} PRIVATE -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined
    -fno-sanitize=vptr -fno-omit-frame-pointer)
  target_link_options(${target} PUBLIC -fsanitize=address,undefined $<$<BOOL:${TEAMSAN_LLD}>:-fuse-ld=lld>)
endfunction()
