# One CMake target a room. A room's headers are reached as <teamsan/ROOM/...> and only by targets that link the room:
# each gets an include root of its own under the build tree, so that a wrong include fails to build.
#
# Programs are linked with --wrap for the functions of libc that kernels may call on memory, so that these calls in checked
# code reach the runtime (sim/runtime/MemoryFunctions.cpp). The linker would wrap the calls of sim and simt too; their
# archives therefore name what --wrap leaves of the originals.
set(TEAMSAN_WRAPPED memcpy memmove mempcpy memset bzero memcmp bcmp memchr strlen strcmp strncmp strcpy stpcpy strncpy)

function(teamsan_add_room name directory)
  cmake_parse_arguments(ARG "INTERFACE" "TYPE" "LINK;PRIVATE_LINK" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${root}/teamsan")
  file(CREATE_LINK "${directory}" "${root}/teamsan/${name}" SYMBOLIC)
  if(ARG_INTERFACE)
    add_library(teamsan_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${directory}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/sim/cli/")
    add_library(teamsan_${name} STATIC ${sources})
    set_target_properties(teamsan_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(teamsan_${name} PRIVATE -Wall -Wextra -g1)
    teamsan_in_batches(teamsan_${name})
    if(TEAMSAN_SANITIZE)
      teamsan_sanitize(teamsan_${name})
    endif()
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
  target_include_directories(teamsan_${name} ${scope} $<BUILD_INTERFACE:${root}>
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

# teamsan_in_batches(TARGET): with TEAMSAN_UNITY_BUILD, compiles the files of each of TARGET's folders in batches, so that a
# header is read once a batch: half the work of a build from nothing, more for a change of one file. The callbacks, which run
# per access, stay by themselves, since the compiler weighs inlining by the size of what it is given; so do files that name
# their own things as others do.
function(teamsan_in_batches target)
  if(NOT TEAMSAN_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/model/|/(Callbacks|Atomics|MemoryFunctions|Output|JsonReader)\\.cpp$|:")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH directory)
    cmake_path(GET directory FILENAME directory)
    list(APPEND of_${directory} ${source})
    list(LENGTH of_${directory} length)
    math(EXPR batch "(${length} - 1) / 15")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${directory}${batch})
  endforeach()
endfunction()

# teamsan_sanitize(TARGET): with AddressSanitizer, UndefinedBehaviorSanitizer and what libFuzzer goes by; of a room's options,
# -O2 gives way. Tests that run lanes are left out of such a build: their fibers are not announced to AddressSanitizer.
function(teamsan_sanitize target)
  target_compile_options(${target} PRIVATE -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined
    -fno-sanitize=vptr -fno-omit-frame-pointer)
  target_link_options(${target} PUBLIC -fsanitize=address,undefined)
endfunction()
