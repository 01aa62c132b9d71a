# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
option(TEAMSAN_TESTS_IN_BATCHES "Compile tests in batches: a third of the work or less, for a build from nothing" OFF)

# Programs that belong to tests are run for what they say, not for their speed: what users run natively is hardly optimised, and
# of what GCC does behind the passes that instrument accesses the part for speed alone is left out: an eighth of the work, and the
# instrumented code is the same up to there.
if(TEAMSAN_TESTS_IN_BATCHES AND NOT TEAMSAN_SANITIZE)
  string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-schedule-insns2;-fno-gcse;-fno-cse-follow-jumps;-fno-rerun-cse-after-loop;\
-fno-peephole2;-fno-if-conversion2;-fno-if-conversion;-fno-forward-propagate;-fno-ipa-ra;-fno-dse;-fno-ree;-fno-cprop-registers>")
  endif()
endif()

# teamsan_may_be_in_batch(RESULT SOURCE): what a directive changes in it would hold for others, too, and a namespace that it
# names would be another one inside its own. Its own macros end with it, but those that are for what it includes.
function(teamsan_may_be_in_batch result source)
  file(STRINGS "${source}" reasons REGEX "^ *#[^id]|^ *#if|^namespace [A-Za-z_:]+ {")
  file(STRINGS "${source}" directives REGEX "^ *#(include|define) ")
  set(${result} FALSE PARENT_SCOPE)
  if(TEAMSAN_TESTS_IN_BATCHES AND NOT reasons AND NOT directives MATCHES "#define .*#include ")
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# teamsan_compile_quickly(TARGET): a test that does little and has much to compile is hardly optimised then.
function(teamsan_compile_quickly target)
  if(TEAMSAN_TESTS_IN_BATCHES AND NOT TEAMSAN_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# teamsan_compile_together(TARGET): a program of several files that read much the same headers: eight of them at a time.
function(teamsan_compile_together target)
  if(TEAMSAN_TESTS_IN_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# teamsan_batches(RESULT KIND SIZE TARGETS SOURCES): for each SIZE of the lists TARGETS and SOURCES, a program of these sources, and
# for each of these targets a link to it, by whose name it knows which to run (write.cmake). The programs are listed in RESULT.
function(teamsan_batches result kind size listed_targets listed_sources)
  set(all_targets ${${listed_targets}})
  set(all_sources ${${listed_sources}})
  set(programs)
  list(LENGTH all_targets count)
  foreach(first RANGE 0 ${count} ${size})
    if(first EQUAL count)
      break()
    endif()
    list(SUBLIST all_targets ${first} ${size} targets)
    list(SUBLIST all_sources ${first} ${size} sources)
    list(GET targets 0 program)
    string(APPEND program "_and_more")
    foreach(target IN LISTS targets)
      add_executable(${target} IMPORTED GLOBAL)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${CMAKE_CURRENT_BINARY_DIR}/${target}")
      add_dependencies(${target} ${program})
    endforeach()
    list(JOIN targets "," names)
    list(JOIN sources "," files)
    set(script "${PROJECT_SOURCE_DIR}/tests/batches/write.cmake")
    set(link "${PROJECT_SOURCE_DIR}/tests/batches/link.cmake")
    add_custom_command(OUTPUT ${program}.cpp DEPENDS ${script} ${sources} VERBATIM
      COMMAND ${CMAKE_COMMAND} -DOUT=${program}.cpp -DKIND=${kind} -DNAMES=${names} -DSOURCES=${files} -P ${script})
    add_executable(${program} "${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp")
    add_custom_command(TARGET ${program} POST_BUILD WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" VERBATIM
      COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${program}> -DNAMES=${names} -P ${link})
    list(APPEND programs ${program})
  endforeach()
  set(${result} ${programs} PARENT_SCOPE)
endfunction()

# teamsan_add_program(TARGET SOURCE): a program of one file, compiled for checking as all tests are; in a batch with those that its
# folder adds besides.
function(teamsan_add_program target source)
  cmake_path(ABSOLUTE_PATH source)
  teamsan_may_be_in_batch(in_batch ${source})
  if(NOT in_batch)
    add_executable(${target} ${source})
    teamsan_instrument(${target})
    target_precompile_headers(${target} REUSE_FROM kernel_headers)
    return()
  endif()
  get_property(begun DIRECTORY PROPERTY TEAMSAN_PROGRAMS SET)
  set_property(DIRECTORY APPEND PROPERTY TEAMSAN_PROGRAMS ${target})
  set_property(DIRECTORY APPEND PROPERTY TEAMSAN_PROGRAM_SOURCES ${source})
  if(NOT begun)
    cmake_language(DEFER CALL _teamsan_add_programs)
  endif()
endfunction()

function(_teamsan_add_programs)
  get_property(targets DIRECTORY PROPERTY TEAMSAN_PROGRAMS)
  get_property(sources DIRECTORY PROPERTY TEAMSAN_PROGRAM_SOURCES)
  teamsan_batches(programs programs 30 targets sources)
  foreach(program IN LISTS programs)
    teamsan_instrument(${program})
    target_precompile_headers(${program} REUSE_FROM kernel_headers)
  endforeach()
endfunction()
