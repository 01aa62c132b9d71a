# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `replay --beside` puts the recorded device and another into one table, with the ratio of what the two move.
# Run as: cmake -D TEAMSAN=... -D PROGRAM=... -D SCRATCH=DIRECTORY -P beside.cmake
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
set(ENV{TEAMSAN_OPTIONS} "trace=${SCRATCH}/trace:report=text=${SCRATCH}/report.txt")
execute_process(COMMAND "${PROGRAM}" OUTPUT_QUIET ERROR_QUIET)
unset(ENV{TEAMSAN_OPTIONS})
execute_process(COMMAND "${TEAMSAN}" replay --no-limits "${SCRATCH}/trace" --check all,perf --device mi250x --beside
  RESULT_VARIABLE status OUTPUT_VARIABLE table ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "replay --beside ended with ${status}: ${errors}")
endif()
foreach(wanted IN ITEMS "as recorded, on h100" "replayed on mi250x" "wavefronts|sectors")
  if(NOT table MATCHES "${wanted}")
    message(FATAL_ERROR "No `${wanted}` in:\n${table}")
  endif()
endforeach()
# Without a device there is nothing to put beside.
execute_process(COMMAND "${TEAMSAN}" replay "${SCRATCH}/trace" --beside RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
if(status EQUAL 0 OR NOT errors MATCHES "name it with --device")
  message(FATAL_ERROR "replay --beside without --device ended with ${status}: ${errors}")
endif()
