# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs PROGRAM with a trace, replays the trace, and fails unless both reports and the exit status are the same, byte for
# byte. WHAT_IF, a device: a second run on it asks the machine model, too; the replay of the first trace with
# --check all,perf --device WHAT_IF must say the same as that run, which is judged as a replay is, team by team. PAGE: the HTML
# report, too.
# Run as: cmake -D PROGRAM=... -D TEAMSAN=... -D OPTIONS=KEY=VALUE:... -D SCRATCH=DIRECTORY [-D ARGUMENTS=...]
#               [-D WHAT_IF=DEVICE] [-D PAGE=ON] -P same.cmake
set(ENV{TEAMSAN_LAUNCHER} teamsan)  # a trace does not know it
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}/live" "${SCRATCH}/replay")
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
set(reports report.txt report.json)
set(page)
set(live_page)
if(PAGE)
  set(page --report html=report.html)
  set(live_page ":report=html=report.html")
  list(APPEND reports report.html)
endif()
set(ENV{TEAMSAN_OPTIONS} "${OPTIONS}:report=json=report.json:report=text=report.txt${live_page}:trace=${SCRATCH}/trace")
execute_process(COMMAND "${PROGRAM}" ${arguments} WORKING_DIRECTORY "${SCRATCH}/live" RESULT_VARIABLE live_status
  OUTPUT_FILE "${SCRATCH}/live/stdout.txt" ERROR_FILE "${SCRATCH}/live/stderr.txt")
unset(ENV{TEAMSAN_OPTIONS})
if(NOT EXISTS "${SCRATCH}/trace" OR NOT EXISTS "${SCRATCH}/live/report.json")
  file(READ "${SCRATCH}/live/stderr.txt" errors)
  message(FATAL_ERROR "${PROGRAM} wrote no trace or no report: ${errors}")
endif()
set(flags)
if(WHAT_IF)
  set(ENV{TEAMSAN_OPTIONS} "${OPTIONS}:check=all,perf:device=${WHAT_IF}:report=json=report.json:report=text=report.txt:trace=${SCRATCH}/trace-on-device")
  execute_process(COMMAND "${PROGRAM}" ${arguments} WORKING_DIRECTORY "${SCRATCH}/live" RESULT_VARIABLE live_status
    OUTPUT_FILE "${SCRATCH}/live/stdout.txt" ERROR_FILE "${SCRATCH}/live/stderr.txt")
  unset(ENV{TEAMSAN_OPTIONS})
  set(flags --check all,perf --device ${WHAT_IF})
endif()
execute_process(COMMAND "${TEAMSAN}" replay --no-limits "${SCRATCH}/trace" ${flags} --report json=report.json --report text=report.txt
          ${page}
  WORKING_DIRECTORY "${SCRATCH}/replay" RESULT_VARIABLE replay_status
  OUTPUT_FILE "${SCRATCH}/replay/stdout.txt" ERROR_FILE "${SCRATCH}/replay/stderr.txt")
foreach(report IN LISTS reports)
  if(NOT EXISTS "${SCRATCH}/replay/${report}")
    file(READ "${SCRATCH}/replay/stderr.txt" errors)
    message(FATAL_ERROR "The replay wrote no ${report}: ${errors}")
  endif()
  file(SHA256 "${SCRATCH}/live/${report}" live)
  file(SHA256 "${SCRATCH}/replay/${report}" replayed)
  if(NOT live STREQUAL replayed)
    execute_process(COMMAND diff -a "${SCRATCH}/live/${report}" "${SCRATCH}/replay/${report}" OUTPUT_VARIABLE difference)
    message(FATAL_ERROR "${report} of the run (<) and of the replay (>) differ:\n${difference}")
  endif()
endforeach()
# The status of a crash is the signal's where nothing was found; a replay has no signal.
if(NOT live_status STREQUAL replay_status AND NOT live_status MATCHES "^(1[0-9][0-9]|[A-Z])")
  message(FATAL_ERROR "The run ended with ${live_status}, the replay with ${replay_status}.")
endif()
