# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Four ranks write four reports; merged, the bug of all ranks stands there once with the count of all, the bug of rank 2 once.
include("${CMAKE_CURRENT_LIST_DIR}/ranks.cmake")
run_ranks(4 --oversubscribe "${PROGRAM}")
if(NOT said MATCHES "4 ranks, sum 256")
  message(FATAL_ERROR "mpirun ended with status ${status}: ${said}")
endif()
function(findings file variable)
  file(READ "${file}" json)
  string(JSON count LENGTH "${json}" findings)
  set(${variable} ${count} PARENT_SCOPE)
endfunction()
foreach(rank RANGE 3)
  findings("${WORK}/${rank}.json" count)
  set(expected 1)
  if(rank EQUAL 2)
    set(expected 2)
  endif()
  if(NOT count EQUAL expected)
    message(FATAL_ERROR "rank ${rank} reports ${count} findings instead of ${expected}")
  endif()
endforeach()

execute_process(COMMAND "${TEAMSAN}" merge "${WORK}" --report "json=${WORK}/all.json"
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
findings("${WORK}/all.json" count)
if(NOT status EQUAL 66 OR NOT count EQUAL 2 OR NOT said MATCHES "in 4 of 4 reports" OR NOT said MATCHES "in 1 of 4 reports")
  message(FATAL_ERROR "teamsan merge ended with status ${status} and ${count} findings: ${said}")
endif()

# A rank that was killed is no clean rank.
file(WRITE "${WORK}/killed.json" "{\"format\": \"teamsan-rep")
execute_process(COMMAND "${TEAMSAN}" merge "${WORK}/0.json" "${WORK}/killed.json"
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 3 OR NOT said MATCHES "killed.json\" is no JSON" OR NOT said MATCHES "1 error")
  message(FATAL_ERROR "teamsan merge with half a report ended with status ${status}: ${said}")
endif()
