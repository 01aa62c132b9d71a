# examples/consumer, a project that adds TeamSan as a subdirectory: it configures, builds both programs and passes.
# The native program runs on the host, its twin on the simulated GPU.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

step(${CMAKE_COMMAND} -S "${SOURCE}/examples/consumer" -B "${WORK}" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
     -DTEAMSAN_KOKKOS_PREFIX=${PREFIX})
step(${CMAKE_COMMAND} --build "${WORK}" --target app app_teamsan)
step("${WORK}/app" 1000)
if(said MATCHES "Simt" OR NOT said MATCHES "add up to 499500")
  message(FATAL_ERROR "the native program said: ${said}")
endif()
step("${WORK}/app_teamsan" 1000)
if(NOT said MATCHES "Simt" OR NOT said MATCHES "add up to 499500")
  message(FATAL_ERROR "the checked program said: ${said}")
endif()
step(${CMAKE_CTEST_COMMAND} --test-dir "${WORK}" --output-on-failure)
if(NOT said MATCHES "100% tests passed.* out of 1")
  message(FATAL_ERROR "ctest said: ${said}")
endif()
