# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails when FILE is not what GENERATOR prints for PAGE.
execute_process(COMMAND "${GENERATOR}" ${PAGE} OUTPUT_FILE "${WORK}/${PAGE}.md" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the generator ended with ${status}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${FILE}" "${WORK}/${PAGE}.md" RESULT_VARIABLE differs)
if(differs)
  execute_process(COMMAND diff -u "${FILE}" "${WORK}/${PAGE}.md")
  message(FATAL_ERROR "${FILE} is out of date: cmake --build build --target teamsan-docs")
endif()
