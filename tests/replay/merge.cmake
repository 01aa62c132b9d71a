# Two traces of one program and one of another become one report: the same findings once, with twice the count. A trace
# that is cut off adds what it has, and a note.
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
execute_process(COMMAND "${TEAMSAN}" replay "${SAMPLES}/global-race.trace" --report "json=${SCRATCH}/one.json"
  OUTPUT_QUIET ERROR_QUIET)
execute_process(COMMAND "${TEAMSAN}" replay "${SAMPLES}/global-race.trace" "${SAMPLES}/crash.trace" "${SAMPLES}/global-race.trace"
  --report "json=${SCRATCH}/all.json" RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
if(NOT status EQUAL 66)
  message(FATAL_ERROR "The replay of three traces ended with ${status}: ${errors}")
endif()
file(READ "${SCRATCH}/one.json" one)
file(READ "${SCRATCH}/all.json" all)
string(JSON alone LENGTH "${one}" findings)
string(JSON together LENGTH "${all}" findings)
math(EXPR expected "${alone} + 1")
if(NOT together EQUAL expected)
  message(FATAL_ERROR "${together} findings, not ${expected}")
endif()
string(JSON count GET "${one}" findings 0 count)
string(JSON counts GET "${all}" findings 0 count)
math(EXPR twice "2 * ${count}")
if(NOT counts EQUAL twice)
  message(FATAL_ERROR "The finding of two traces counts ${counts}, not twice ${count}")
endif()

# Cut off in the middle: dd is everywhere; the size does not matter.
file(SIZE "${SAMPLES}/deadlock.trace" size)
math(EXPR half "${size} / 2")
execute_process(COMMAND dd "if=${SAMPLES}/deadlock.trace" "of=${SCRATCH}/cut.trace" bs=1 count=${half} OUTPUT_QUIET ERROR_QUIET)
execute_process(COMMAND "${TEAMSAN}" replay "${SAMPLES}/global-race.trace" "${SCRATCH}/cut.trace" RESULT_VARIABLE status
  ERROR_VARIABLE errors)
execute_process(COMMAND "${TEAMSAN}" trace "${SCRATCH}/cut.trace" ERROR_VARIABLE damage OUTPUT_QUIET)
if(NOT "${errors}${damage}" MATCHES "cut off")
  message(FATAL_ERROR "Nobody says that the trace is cut off: ${errors}${damage}")
endif()
