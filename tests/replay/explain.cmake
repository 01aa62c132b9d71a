# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The life of the racing word of golden traces: as tables, and in the JSON report of a replay that draws the page.
# Run as: cmake -D TEAMSAN=... -D SAMPLES=traces/samples -D EXPECTED=FILE -D SCRATCH=DIRECTORY -P explain.cmake
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
set(trace "${SAMPLES}/global-race.trace")
execute_process(COMMAND "${TEAMSAN}" replay "${trace}" --report "json=${SCRATCH}/race.json" --report
  "html=${SCRATCH}/race.html" OUTPUT_QUIET ERROR_QUIET)
file(READ "${SCRATCH}/race.json" report)
string(JSON id GET "${report}" findings 0 id)
string(JSON touches LENGTH "${report}" findings 0 life touches)
if(NOT touches EQUAL 2)
  message(FATAL_ERROR "The race's word was touched ${touches} times, not twice")
endif()
foreach(side IN ITEMS 0 1)
  string(JSON of_finding GET "${report}" findings 0 life touches ${side} side)
  if(NOT of_finding EQUAL side)
    message(FATAL_ERROR "Access ${side} of the word is side ${of_finding} of the finding")
  endif()
endforeach()
foreach(sample IN ITEMS global-race scratch-race)
  execute_process(COMMAND "${TEAMSAN}" replay "${SAMPLES}/${sample}.trace" --report "json=${SCRATCH}/sample.json"
    OUTPUT_QUIET ERROR_QUIET)
  file(READ "${SCRATCH}/sample.json" report)
  string(JSON id GET "${report}" findings 0 id)
  execute_process(COMMAND "${TEAMSAN}" explain-finding ${id} "${SAMPLES}/${sample}.trace" OUTPUT_VARIABLE life
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0 OR NOT errors STREQUAL "")
    message(FATAL_ERROR "explain-finding ended with ${status}: ${errors}")
  endif()
  file(APPEND "${SCRATCH}/life.txt" "${life}")
endforeach()
execute_process(COMMAND diff -u "${EXPECTED}" "${SCRATCH}/life.txt" RESULT_VARIABLE differs OUTPUT_VARIABLE difference)
if(differs)
  message(FATAL_ERROR "The word's life reads otherwise:\n${difference}")
endif()

# A crash in a kernel ends the replay too; an id that is not there names those that are.
execute_process(COMMAND "${TEAMSAN}" explain-finding TS-000000 "${SAMPLES}/crash.trace" RESULT_VARIABLE status
  ERROR_VARIABLE errors OUTPUT_QUIET)
if(NOT status EQUAL 2 OR NOT errors MATCHES "no finding TS-000000; it has TS-")
  message(FATAL_ERROR "An unknown id ended with ${status}: ${errors}")
endif()
