# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One CMake target a room. Sources name each other's headers by where they lie, so that any reader or
# tool follows them without a build; which room may include which is said in sim/CMakeLists.txt and held by tests/style/rooms.
# What programs include is <teamsan/...>: installed, or a folder of links under the build tree.
#
# The linker's --wrap, by which calls in checked code reach the runtime, would wrap the calls of sim and simt too; their
# archives therefore name what it leaves of the originals.
include("${CMAKE_CURRENT_LIST_DIR}/WrappedFunctions.cmake")

set(TEAMSAN_INCLUDE "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${TEAMSAN_INCLUDE}/teamsan")
foreach(folder IN ITEMS sim model traces backends backends/native)
  cmake_path(GET folder FILENAME name)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${TEAMSAN_INCLUDE}/teamsan/${name}" SYMBOLIC)
endforeach()

# teamsan_add_room(NAME DIRECTORY ...):
# A room may be made of rooms within it (ROOMS; those of ROOM, if that has another name), which teamsan_add_inner_room has
# added: these are libraries of objects.
#
# SEALED names what the room's archive holds besides itself, unseen (seal/seal.cmake): it becomes part of users' programs, which
# may link other versions of the same libraries. Of HEADERS_OF a room takes the headers alone. Under sanitizers nothing is
# sealed.
function(teamsan_add_room name directory)
  cmake_parse_arguments(ARG "INTERFACE" "ROOM" "LINK;PRIVATE_LINK;ROOMS;SEALED;HEADERS_OF" ${ARGN})
  if(NOT ARG_ROOM)
    set(ARG_ROOM ${name})
  endif()
  if(ARG_INTERFACE)
    add_library(teamsan_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    set(compiled teamsan_${name})  # where the room's files are compiled
    set(renamed)
    if(name MATCHES "^sim")
      set(renamed ${TEAMSAN_WRAPPED})
    endif()
    if(ARG_SEALED AND NOT TEAMSAN_SANITIZE)
      if(NOT ARG_ROOMS)
        set(compiled teamsan_${name}_objects)
        add_library(${compiled} OBJECT)
        set(rooms ${compiled})
        target_link_libraries(${compiled} PRIVATE ${ARG_LINK})
      else()
        list(TRANSFORM ARG_ROOMS PREPEND teamsan_${ARG_ROOM}_ OUTPUT_VARIABLE rooms)
      endif()
      string(COMPARE EQUAL "${ARG_ROOMS}" "" library)
      teamsan_seal(object ${library} "${rooms}" "${ARG_SEALED}" "${renamed}")
      add_library(teamsan_${name} STATIC "${object}")
    else()
      add_library(teamsan_${name} STATIC)
      foreach(room IN LISTS ARG_ROOMS)
        target_sources(teamsan_${name} PRIVATE $<TARGET_OBJECTS:teamsan_${ARG_ROOM}_${room}>)
      endforeach()
      if(renamed)
        list(TRANSFORM renamed REPLACE "(.+)" "--redefine-sym;\\1=__real_\\1" OUTPUT_VARIABLE redefined)
        add_custom_command(TARGET teamsan_${name} POST_BUILD VERBATIM
          COMMAND ${CMAKE_OBJCOPY} ${redefined} $<TARGET_FILE:teamsan_${name}>)
      endif()
    endif()
    set_target_properties(teamsan_${name} PROPERTIES LINKER_LANGUAGE CXX)
    if(NOT ARG_ROOMS)
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${directory}/*.cpp")
      target_sources(${compiled} PRIVATE ${sources})
      teamsan_room_options(${compiled})
      target_compile_features(${compiled} PRIVATE cxx_std_20)
    endif()
    target_link_libraries(teamsan_${name} PRIVATE ${ARG_PRIVATE_LINK})
    if(name MATCHES "^sim")
      list(JOIN TEAMSAN_WRAPPED ",--wrap=" wrapped)
      target_link_options(teamsan_${name} INTERFACE "LINKER:--undefined=__wrap_memcpy,--wrap=${wrapped}")
    endif()
    foreach(library IN LISTS ARG_HEADERS_OF)
      target_include_directories(${compiled} SYSTEM PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
      target_compile_definitions(${compiled} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
    endforeach()
    set(scope PUBLIC)
  endif()
  target_compile_features(teamsan_${name} ${scope} cxx_std_20)
  target_include_directories(teamsan_${name} ${scope} $<BUILD_INTERFACE:${TEAMSAN_INCLUDE}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(teamsan_${name} ${scope} ${ARG_LINK})
  set_target_properties(teamsan_${name} PROPERTIES EXPORT_NAME ${name})
  add_library(TeamSan::${name} ALIAS teamsan_${name})
  if(TEAMSAN_INSTALL AND ARG_ROOM STREQUAL name)
    install(TARGETS teamsan_${name} EXPORT TeamSanTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    cmake_path(RELATIVE_PATH directory BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE folder)
    install(DIRECTORY "${directory}/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/teamsan/${folder}
      FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.def" PATTERN cli EXCLUDE PATTERN html EXCLUDE PATTERN explanations EXCLUDE
      PATTERN hardware EXCLUDE)
  endif()
endfunction()

# teamsan_may_be_copied(TARGET): where TEAMSAN_ROOMS_OF names a build of these sources, by any compiler, TARGET's objects are copied
# out of it: to test programs of another compiler, no runtime is compiled by that.
set(TEAMSAN_ROOMS_OF "" CACHE PATH "A build of these sources, as this one in batches or not, whose objects are the rooms of this one")
mark_as_advanced(TEAMSAN_ROOMS_OF)
function(teamsan_may_be_copied target)
  if(TEAMSAN_ROOMS_OF)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/copied;${TEAMSAN_ROOMS_OF}")
  endif()
endfunction()

# teamsan_hide(TARGET): what does not say otherwise cannot be seen from outside the program. GCC's unique symbols always can.
# Under sanitizers nothing is sealed, and nothing hidden.
function(teamsan_hide target)
  if(TEAMSAN_SANITIZE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-gnu-unique)
  endif()
endfunction()

# teamsan_seal(VARIABLE LIBRARY ROOMS INSIDE RENAMED): one object of the libraries of objects ROOMS and of what they need of the
# libraries and files INSIDE. LIBRARY: is it one by itself? RENAMED: names of libc's functions.
find_program(TEAMSAN_LD NAMES ${CMAKE_LIBRARY_ARCHITECTURE}-ld.bfd ld.bfd ld DOC "GNU ld")
mark_as_advanced(TEAMSAN_LD)
function(teamsan_seal variable library rooms inside renamed)
  if(NOT TEAMSAN_LD OR NOT CMAKE_OBJCOPY)
    message(FATAL_ERROR "GNU ld and objcopy were not found: install binutils.")
  endif()
  set(objects)
  foreach(room IN LISTS rooms)
    list(APPEND objects $<TARGET_OBJECTS:${room}>)
  endforeach()
  set(within)
  foreach(one IN LISTS inside)
    if(TARGET "${one}")
      get_target_property(type ${one} TYPE)
      if(type STREQUAL "OBJECT_LIBRARY")
        set(one $<TARGET_OBJECTS:${one}>)
      else()
        set(one $<TARGET_FILE:${one}>)
      endif()
    endif()
    list(APPEND within "${one}")
  endforeach()
  set(script "${PROJECT_SOURCE_DIR}/cmake/seal/seal.cmake")
  set(object "${CMAKE_CURRENT_BINARY_DIR}/sealed.o")
  file(GENERATE OUTPUT "${object}.txt" CONTENT "$<JOIN:${objects},\n>\n")
  add_custom_command(OUTPUT "${object}" VERBATIM COMMENT "Sealing ${object}"
    COMMAND "${CMAKE_COMMAND}" "-DOBJECT=${object}" "-DLIBRARY=${library}" "-DINSIDE=${within}" "-DRENAMED=${renamed}" "-DNM=${CMAKE_NM}"
      "-DLD=${TEAMSAN_LD}" "-DOBJCOPY=${CMAKE_OBJCOPY}" -P "${script}"
    DEPENDS ${objects} ${within} "${object}.txt" "${script}")
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${variable} "${object}" PARENT_SCOPE)
endfunction()

# teamsan_add_inner_room(ROOM NAME DIRECTORY LINK library...): a room within ROOM.
function(teamsan_add_inner_room room name directory)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  set(target teamsan_${room}_${name})
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*.cpp")
  add_library(${target} OBJECT ${sources})
  teamsan_room_options(${target})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE ${ARG_LINK})
endfunction()

function(teamsan_room_options target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT target STREQUAL "teamsan_simt")  # of Kokkos' own inline functions, which differ with the compiler
    teamsan_may_be_copied(${target})
  endif()
  if(NOT target MATCHES "^teamsan_simt$")  # Kokkos' own inline functions are one for program and shared libraries
    teamsan_hide(${target})
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(NOT TEAMSAN_UNITY_BUILD)  # three quarters of a checked program's file are line tables of the runtime's own
    target_compile_options(${target} PRIVATE -g1)
  endif()
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
  list(FILTER sources EXCLUDE REGEX
    "/model/|(^|/)(Callbacks|FromChecks|Atomics|MemoryFunctions|Output|JsonReader)\\.cpp$|[$]")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # a batch includes its files: unnamed namespaces of headers, variants in what is in line
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-maybe-uninitialized)
  endif()
  list(LENGTH sources count)
  math(EXPR batches "(${count} + 29) / 30")  # as few as may be, of one size: a last one of a file or two reads all headers for these
  set(before 0)
  foreach(source IN LISTS sources)
    math(EXPR batch "${before} * ${batches} / ${count}")
    math(EXPR before "${before} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP batch${batch})
  endforeach()
endfunction()

# How rooms are compiled, whatever the build type: a project in its debug build is checked by a runtime as fast.
set(TEAMSAN_OPTIMISATION -O2 CACHE STRING "The runtime's level of optimisation")
mark_as_advanced(TEAMSAN_OPTIMISATION)
# And those that work once in a program's time; for a build in batches by what takes least itself.
set(TEAMSAN_OPTIMISATION_OF_REPORTS ${TEAMSAN_OPTIMISATION})
if(TEAMSAN_UNITY_BUILD AND TEAMSAN_OPTIMISATION STREQUAL "-O2")
  set(TEAMSAN_OPTIMISATION_OF_REPORTS -O1)
endif()

# teamsan_sanitize(TARGET): with AddressSanitizer and UndefinedBehaviorSanitizer; what the readers of files run through counts
# where it comes to, too, for libFuzzer to go by (a quarter of what it takes to compile). Of a room's options,
# -O2 gives way, since optimising what they add takes most of the time. The arena lies where AddressSanitizer puts nothing
# (base/Arena.hpp), and lanes' stacks are announced to it (machine/AnnouncedStack.hpp), so that lanes run under it as they
# always do. Programs are large then, and linked by lld where there is one, in a third of the time.
find_program(TEAMSAN_LLD ld.lld)
mark_as_advanced(TEAMSAN_LLD)
function(teamsan_sanitize target)
  target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-sanitize=vptr -fno-omit-frame-pointer)
  if(target MATCHES "^(fuzz_.*|teamsan_(model|traces|sim_(base|places|findings|report)))$")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_link_options(${target} PUBLIC -fsanitize=address,undefined $<$<BOOL:${TEAMSAN_LLD}>:-fuse-ld=lld>)
endfunction()
