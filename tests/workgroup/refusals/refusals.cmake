# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SOURCE does not compile with COMPILER, and each of its sentences is said.
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "${SOURCE}" RESULT_VARIABLE status OUTPUT_VARIABLE said
  ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "it compiles")
endif()
file(STRINGS "${SOURCE}" sentences REGEX "// REFUSED: ")
list(LENGTH sentences count)
foreach(line IN LISTS sentences)
  string(REGEX REPLACE ".*// REFUSED: " "" sentence "${line}")
  string(FIND "${said}" "${sentence}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "not said: ${sentence}\n${said}")
  endif()
endforeach()
string(REGEX MATCHALL "(error|static assertion failed): [^\n]*" errors "${said}")
list(LENGTH errors errors)
message(STATUS "${count} sentences in ${errors} errors")
