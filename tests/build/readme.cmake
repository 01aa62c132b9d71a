# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The report that README.md shows is the one that its command gives, byte for byte but for where the program lies.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=TEAMSAN_OPTIONS "${BUILD}/examples/pitfall_neighbour_exchange"
  WORKING_DIRECTORY "${SOURCE}" OUTPUT_QUIET ERROR_VARIABLE report RESULT_VARIABLE status)
if(NOT status EQUAL 66)
  message(FATAL_ERROR "the program that README.md names ended with status ${status}: ${report}")
endif()
file(READ "${SOURCE}/README.md" readme)
foreach(text IN ITEMS report readme)
  string(REGEX REPLACE "\n Rerun .*\n Id " "\n Id " ${text} "${${text}}")
endforeach()
# Kokkos' own remark about OpenMP binding comes before it, or not, with the machine's settings.
string(FIND "${report}" "==== teamsan" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "no report: ${report}")
endif()
string(SUBSTRING "${report}" ${begin} -1 report)
string(STRIP "${report}" report)
string(FIND "${readme}" "${report}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "README.md does not show what build/examples/pitfall_neighbour_exchange reports:\n${report}")
endif()
foreach(command IN ITEMS scripts/quickstart scripts/test)
  if(NOT readme MATCHES "${command}" OR NOT EXISTS "${SOURCE}/${command}")
    message(FATAL_ERROR "README.md does not name ${command}, or it is not there.")
  endif()
endforeach()
