# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs PROGRAM under --explore 4: its exit status must be STATUS, and all of MATCH (@ between) must be in what comes out.
string(REPLACE "@" ";" MATCH "${MATCH}")
execute_process(COMMAND "${TEAMSAN}" run --explore 4 -- "${PROGRAM}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL STATUS)
  message(FATAL_ERROR "${output}\nexit status ${status} instead of ${STATUS}")
endif()
foreach(regex IN LISTS MATCH)
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${output}\nnothing printed matches: ${regex}")
  endif()
endforeach()
message(STATUS "as expected:\n${output}")
