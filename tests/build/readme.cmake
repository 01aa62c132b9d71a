# The report that README.md shows is the one that its command gives, byte for byte, for a build in build/.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=TEAMSAN_OPTIONS "${BUILD}/examples/pitfall_neighbour_exchange"
  WORKING_DIRECTORY "${SOURCE}" OUTPUT_QUIET ERROR_VARIABLE report RESULT_VARIABLE status)
if(NOT status EQUAL 66)
  message(FATAL_ERROR "the program that README.md names ended with status ${status}: ${report}")
endif()
string(REPLACE "${BUILD}/" "build/" report "${report}")
string(REPLACE "${SOURCE}/" "" report "${report}")
file(READ "${SOURCE}/README.md" readme)
# Kokkos' own remark about OpenMP binding comes and goes with the machine's settings.
string(REGEX REPLACE "Kokkos::OpenMP::initialize WARNING[^\n]*\n(  [^\n]*\n)*" "" report "${report}")
string(STRIP "${report}" report)
string(FIND "${readme}" "${report}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "README.md does not show what build/examples/pitfall_neighbour_exchange reports:\n${report}")
endif()
if(NOT readme MATCHES "scripts/quickstart" OR NOT readme MATCHES "scripts/test")
  message(FATAL_ERROR "README.md does not name the two commands.")
endif()
