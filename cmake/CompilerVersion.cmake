# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compilers that TeamSan is not built with, nor programs for checking, each in one sentence. docs/distributions.md says which have
# been tried.
set(_teamsan_sentence
    "TeamSan, and what it checks, is built with GCC 11 or later, or Clang 14 or later, and ${CMAKE_CXX_COMPILER} is")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
  message(FATAL_ERROR "${_teamsan_sentence} GCC ${CMAKE_CXX_COMPILER_VERSION}, which lacks parts of C++20: name another one by "
                      "-DCMAKE_CXX_COMPILER.")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "${_teamsan_sentence} Clang ${CMAKE_CXX_COMPILER_VERSION}, which lacks parts of C++20 and options that make "
                      "it report each access: name another one by -DCMAKE_CXX_COMPILER.")
elseif(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  message(FATAL_ERROR "${_teamsan_sentence} ${CMAKE_CXX_COMPILER_ID}: name another one by -DCMAKE_CXX_COMPILER.")
endif()
