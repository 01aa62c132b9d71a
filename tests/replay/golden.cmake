# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Replays TRACE (a list: several) with OPTIONS (flags) and fails unless what it reports is EXPECTED, byte for byte.
# Run as: cmake -D TEAMSAN=... -D TRACE=... -D EXPECTED=FILE -D "OPTIONS=--flag value" -D SCRATCH=DIRECTORY -P golden.cmake
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
separate_arguments(options UNIX_COMMAND "${OPTIONS}")
execute_process(COMMAND "${TEAMSAN}" replay ${TRACE} --log-file "${SCRATCH}/report.txt" ${options} RESULT_VARIABLE status
  ERROR_VARIABLE errors)
if(NOT EXISTS "${SCRATCH}/report.txt")
  message(FATAL_ERROR "The replay wrote no report; it ended with ${status}: ${errors}")
endif()
execute_process(COMMAND diff -u "${EXPECTED}" "${SCRATCH}/report.txt" RESULT_VARIABLE differs OUTPUT_VARIABLE difference)
if(differs)
  message(FATAL_ERROR "The replay says something else (traces/samples/accept accepts it):\n${difference}")
endif()
