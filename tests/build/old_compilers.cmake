# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A compiler that is too old is told in one sentence, before anything else is asked of the machine. It is this one, which says
# of itself that it is older.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
execute_process(COMMAND "${COMPILER}" --version OUTPUT_VARIABLE version)
if(version MATCHES "clang")
  set(older "-U__clang_major__ -D__clang_major__=9")
  set(expected "is built with GCC 11 or later, or Clang 14 or later, and .* is Clang 9[.].*: name another")
else()
  set(older "-U__GNUC__ -D__GNUC__=9")
  set(expected "is built with GCC 11 or later, or Clang 14 or later, and .* is GCC 9[.].*: name another")
endif()
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND ${configure_plain} "-DCMAKE_CXX_FLAGS=${older}" -DCMAKE_CXX_COMPILER_WORKS=ON -S "${SOURCE}" -B "${WORK}"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
if(status EQUAL 0 OR NOT said MATCHES "${expected}")
  message(FATAL_ERROR "expected \"${expected}\", got status ${status}: ${said}")
endif()

# Where the line is drawn, for both: the version before is refused, the first one that was tried is taken, and so are later ones.
foreach(case IN ITEMS GNU:10.5.0:refused GNU:11.0.0:taken GNU:16.2.0:taken Clang:13.0.1:refused Clang:14.0.0:taken
                      Clang:22.1.8:taken AppleClang:15.0.0:refused Intel:2021.9.0:refused)
  string(REPLACE ":" ";" case "${case}")
  list(GET case 0 id)
  list(GET case 1 number)
  list(GET case 2 outcome)
  execute_process(COMMAND ${CMAKE_COMMAND} -DCMAKE_CXX_COMPILER=the/compiler -DCMAKE_CXX_COMPILER_ID=${id}
                          -DCMAKE_CXX_COMPILER_VERSION=${number} -P "${SOURCE}/cmake/CompilerVersion.cmake"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(outcome STREQUAL "taken" AND NOT "${status}${said}" STREQUAL "0" OR
     outcome STREQUAL "refused" AND (status EQUAL 0 OR NOT said MATCHES "and the/compiler is [A-Z].*: name another"))
    message(FATAL_ERROR "${id} ${number} should be ${outcome}, got status ${status}: ${said}")
  endif()
endforeach()
