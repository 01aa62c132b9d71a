# A compiler that is too old is told in one sentence, before anything else is asked of the machine. It is this one, which says
# of itself that it is older.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
execute_process(COMMAND "${COMPILER}" --version OUTPUT_VARIABLE version)
if(version MATCHES "clang")
  set(older "-U__clang_major__ -D__clang_major__=9")
  set(expected "built with GCC 11 or later, or Clang 14 or later, and .* is Clang 9[.].*: name another")
else()
  set(older "-U__GNUC__ -D__GNUC__=9")
  set(expected "built with GCC 11 or later, or Clang 14 or later, and .* is GCC 9[.].*: name another")
endif()
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND ${configure_plain} "-DCMAKE_CXX_FLAGS=${older}" -DCMAKE_CXX_COMPILER_WORKS=ON -S "${SOURCE}" -B "${WORK}"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
if(status EQUAL 0 OR NOT said MATCHES "${expected}")
  message(FATAL_ERROR "expected \"${expected}\", got status ${status}: ${said}")
endif()
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
