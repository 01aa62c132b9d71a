# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A checked twin is made of all that its original is made of, in twins/; what it cannot take over is refused in a sentence.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
install_teamsan()
set(twins "${WORK}/a folder of twins")
step(${configure} -S "${SOURCE}/tests/build/twins" -B "${twins}")
step(${CMAKE_COMMAND} --build "${twins}" --target app app_teamsan elsewhere elsewhere_teamsan)
foreach(program IN ITEMS program program_teamsan sub/elsewhere elsewhere_teamsan)
  step("${twins}/${program}")
endforeach()
# Instrumented are both programs and the libraries that use Kokkos, also the one that came last.
step(${NM} "${twins}/liblate_teamsan.a" "${twins}/libshared_teamsan.a")
if(NOT said MATCHES "__tsan_init.*__tsan_init")
  message(FATAL_ERROR "not instrumented: ${said}")
endif()
# So are the objects of a library, whose kernel races.
execute_process(COMMAND ${CMAKE_COMMAND} -E env TWINS_RACE=1 "${twins}/program_teamsan"
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 66 OR NOT said MATCHES "global-race")
  message(FATAL_ERROR "objects of a library in a twin: status ${status}: ${said}")
endif()
# Blanks in the names of the folder and of the test.
step(${CMAKE_CTEST_COMMAND} --test-dir "${twins}" -R "named in two words" --output-on-failure)
if(NOT EXISTS "${twins}/teamsan-reports/named in two words.txt")
  message(FATAL_ERROR "the test left no report: ${said}")
endif()
# What ctest is started with holds for its tests, beside what these ask for: the report again, and a mistake told.
step(${CMAKE_COMMAND} -E env "TEAMSAN_OPTIONS=report=json=${WORK}/more.json"
     ${CMAKE_CTEST_COMMAND} --test-dir "${twins}" -R "named in two words" --output-on-failure)
if(NOT EXISTS "${WORK}/more.json" OR NOT EXISTS "${twins}/teamsan-reports/named in two words.txt")
  message(FATAL_ERROR "TEAMSAN_OPTIONS of ctest: ${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env TEAMSAN_OPTIONS=baseline=/nowhere
  ${CMAKE_CTEST_COMMAND} --test-dir "${twins}" -R "named in two words" --output-on-failure
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0 OR NOT said MATCHES "/nowhere")
  message(FATAL_ERROR "a baseline that is not there: status ${status}: ${said}")
endif()
# A budget holds where the project says so, and in no build that leaves budgets out.
foreach(left_out IN ITEMS OFF ON)
  step(${configure} -S "${SOURCE}/tests/build/twins" -B "${twins}" -DTEAMSAN_WITHOUT_BUDGETS=${left_out})
  step(${CMAKE_CTEST_COMMAND} --test-dir "${twins}" -R within_a_budget --output-on-failure)
  file(GLOB report "${twins}/teamsan-reports/within_a_budget.*.json")
  file(READ "${report}" report)
  string(JSON chosen_by GET "${report}" program chosen_by)
  set(wanted "budget=2x")
  if(left_out)
    set(wanted)
  endif()
  if(NOT "${chosen_by}" STREQUAL "${wanted}")
    message(FATAL_ERROR "TEAMSAN_WITHOUT_BUDGETS=${left_out}: launches are chosen by \"${chosen_by}\"")
  endif()
endforeach()

set(find "find_package(TeamSan CONFIG REQUIRED)\nadd_executable(app main.cpp)\ntarget_link_libraries(app PRIVATE Kokkos::kokkos)\n")
file(WRITE "${WORK}/refused/main.cpp" "int main() {}\n")
file(WRITE "${WORK}/refused/kernel.cu" "\n")
refused("BUDGET is how many times .* and not twice"
  "${find}teamsan_add_checked(app)\nteamsan_add_test(NAME app COMMAND app BUDGET twice)")
refused("kernel.cu is CUDA or HIP" "${find}target_sources(app PRIVATE kernel.cu)\nteamsan_add_checked(app)")
refused("Kokkos::kokkoscore was built elsewhere" "${find}teamsan_add_checked(Kokkos::kokkoscore)")
refused("-static leaves it out" "${find}target_link_options(app PRIVATE -static)\nteamsan_add_checked(app)")
refused("-static leaves it out" "${find}teamsan_add_checked(app)" -DCMAKE_EXE_LINKER_FLAGS=-static)
refused("typeid, which -fno-rtti takes away" "${find}teamsan_add_checked(app)" "-DCMAKE_CXX_FLAGS=-Wall -fno-rtti")
refused("brings its own runtime" "${find}target_compile_options(app PRIVATE -fsanitize=address)\nteamsan_add_checked(app)")
foreach(bad IN ITEMS "-fsanitize=address|brings its own runtime" "-flto|and libraries bring it" "-static|-static leaves it out")
  string(REPLACE "|" ";" bad "${bad}")
  list(POP_FRONT bad option)
  refused("${bad}" "${find}add_library(brings INTERFACE)\ntarget_compile_options(brings INTERFACE ${option})
    target_link_options(brings INTERFACE ${option})\ntarget_link_libraries(app PRIVATE brings)\nteamsan_add_checked(app)")
endforeach()
refused("brings its own runtime" "${find}teamsan_add_checked(app)" -DCMAKE_CXX_FLAGS_RELEASE=-fsanitize=address)
refused("--offload-arch=... is for a device" "${find}target_compile_options(app PRIVATE --offload-arch=gfx90a)\nteamsan_add_checked(app)")
# A compiler of the other family.
if(COMPILER MATCHES "clang")
  find_program(other g++)
else()
  find_program(other clang++)
endif()
if(other)
  refused("and this TeamSan was built for" "${find}teamsan_add_checked(app)" -DCMAKE_CXX_COMPILER=${other})
else()
  message("skipped: no compiler of another family is installed")
endif()
# A directory that was done before TeamSan came has found what nobody else sees.
file(COPY "${SOURCE}/tests/build/twins/FindThing.cmake" DESTINATION "${WORK}/refused")
file(WRITE "${WORK}/refused/sub/CMakeLists.txt" "find_package(Thing REQUIRED)\nadd_executable(sub ../main.cpp)\n"
  "target_link_libraries(sub PRIVATE Thing::thing)\n")
refused("Thing::thing, which sub links, is known in .*/sub alone: call .* GLOBAL"
  "list(APPEND CMAKE_MODULE_PATH \${PROJECT_SOURCE_DIR})\nadd_subdirectory(sub)\n${find}teamsan_add_checked(sub)")

# Link-time optimisation is left out, and said so.
file(WRITE "${WORK}/refused/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(lto LANGUAGES CXX)\n${find}"
  "set_target_properties(app PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)\nteamsan_add_checked(app)\n")
step(${configure} -S "${WORK}/refused" -B "${WORK}/lto" -DCMAKE_CXX_FLAGS=-flto)
if(NOT said MATCHES "without -flto")
  message(FATAL_ERROR "nothing said of -flto: ${said}")
endif()
step(${CMAKE_COMMAND} --build "${WORK}/lto" --target app_teamsan)
step("${WORK}/lto/app_teamsan")
