# A checked twin is made of all that its original is made of, in twins/; what it cannot take over is refused in a sentence.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
install_teamsan()
step(${configure} -S "${SOURCE}/tests/build/twins" -B "${WORK}/twins")
step(${CMAKE_COMMAND} --build "${WORK}/twins" --target app app_teamsan elsewhere elsewhere_teamsan)
foreach(program IN ITEMS program program_teamsan sub/elsewhere elsewhere_teamsan)
  step("${WORK}/twins/${program}")
endforeach()
# Instrumented are both programs and the libraries that use Kokkos, also the one that came last.
step(${NM} "${WORK}/twins/liblate_teamsan.a" "${WORK}/twins/libshared_teamsan.a")
if(NOT said MATCHES "__tsan_init.*__tsan_init")
  message(FATAL_ERROR "not instrumented: ${said}")
endif()

set(find "find_package(TeamSan CONFIG REQUIRED)\nadd_executable(app main.cpp)\ntarget_link_libraries(app PRIVATE Kokkos::kokkos)\n")
file(WRITE "${WORK}/refused/main.cpp" "int main() {}\n")
file(WRITE "${WORK}/refused/kernel.cu" "\n")
refused("kernel.cu is CUDA or HIP" "${find}target_sources(app PRIVATE kernel.cu)\nteamsan_add_checked(app)")
refused("Kokkos::kokkoscore was built elsewhere" "${find}teamsan_add_checked(Kokkos::kokkoscore)")
refused("-static leaves it out" "${find}target_link_options(app PRIVATE -static)\nteamsan_add_checked(app)")
refused("-static leaves it out" "${find}teamsan_add_checked(app)" -DCMAKE_EXE_LINKER_FLAGS=-static)
refused("typeid, which -fno-rtti takes away" "${find}teamsan_add_checked(app)" "-DCMAKE_CXX_FLAGS=-Wall -fno-rtti")
refused("brings its own runtime" "${find}target_compile_options(app PRIVATE -fsanitize=address)\nteamsan_add_checked(app)")
refused("--offload-arch=... is for a device" "${find}target_compile_options(app PRIVATE --offload-arch=gfx90a)\nteamsan_add_checked(app)")
# A directory that was done before TeamSan came has found what nobody else sees.
file(COPY "${SOURCE}/tests/build/twins/FindThing.cmake" DESTINATION "${WORK}/refused")
file(WRITE "${WORK}/refused/sub/CMakeLists.txt" "find_package(Thing REQUIRED)\nadd_executable(sub ../main.cpp)\n"
  "target_link_libraries(sub PRIVATE Thing::thing)\n")
refused("Thing::thing, which sub links, is known in .*/sub alone: call"
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
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
