# After ctest: the reports of all programs put together, as text and as a page, and a failure if they hold an error.
file(GLOB reports "${REPORTS}/*.json")
if(NOT reports)
  message(STATUS "TeamSan: no test ran a program that was built for checking")
  return()
endif()
execute_process(COMMAND "${TEAMSAN}" merge --report "text=${REPORTS}/all.txt" --report "html=${REPORTS}/all.html" "${REPORTS}"
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "TeamSan: see above, ${REPORTS}/all.txt and ${REPORTS}/all.html")
endif()
