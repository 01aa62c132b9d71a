# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Around ctest: BEGIN forgets the reports of the last run; afterwards those of all programs are put together, as text and as a
# page, and fail ctest if they hold an error. `ctest -N` starts both as well, and runs no test: its command line tells.
file(READ "/proc/self/stat" stat)
if(stat MATCHES "\\) [A-Z] ([0-9]+)" AND EXISTS "/proc/${CMAKE_MATCH_1}/cmdline")
  file(READ "/proc/${CMAKE_MATCH_1}/cmdline" words HEX)
  if(words MATCHES "002d4e00|002d2d73686f772d6f6e6c79")  # -N, --show-only
    return()
  endif()
endif()
if(BEGIN)
  file(REMOVE_RECURSE "${REPORTS}")
  file(MAKE_DIRECTORY "${REPORTS}")
  return()
endif()
file(GLOB reports "${REPORTS}/*.json")
if(NOT reports)
  message(STATUS "TeamSan: no test ran a program that was built for checking")
  return()
endif()
execute_process(COMMAND "${TEAMSAN}" merge --report "text=${REPORTS}/all.txt" --report "html=${REPORTS}/all.html" "${REPORTS}"
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "TeamSan: see above, ${REPORTS}/all.txt and ${REPORTS}/all.html")
endif()
