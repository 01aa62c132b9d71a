# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# examples/consumer, a project that uses TeamSan: it configures, builds both programs and passes. The native program runs
# on the host, its twin on the simulated GPU. TeamSan comes from its sources, or, with INSTALLED, from an installed tree
# that has been moved since; INSTALLED=deb: from a Debian package that was unpacked somewhere.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
if(INSTALLED)
  if(INSTALLED STREQUAL "deb")
    unpack_teamsan()
  else()
    install_teamsan()
  endif()
  list(APPEND configure -DTEAMSAN_SOURCE=${WORK}/no-sources)
else()
  # In batches, as scripts/quickstart builds: less to do, and proof that they compile. What this build has compiled so is not
  # compiled again.
  set(configure ${configure_plain} -DTEAMSAN_UNITY_BUILD=ON -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER
      -DTEAMSAN_KOKKOS_PREFIX=${PREFIX})
  if(GENERATOR STREQUAL "Ninja")
    file(MAKE_DIRECTORY "${WORK}")
    step(${MAKE_PROGRAM} -C "${BUILD}" -t commands teamsan teamsan_sim teamsan_simt)
    if(LAUNCHER)
      string(REPLACE "${LAUNCHER} " "" said "${said}")
    endif()
    string(REGEX REPLACE "[\\\"]" "" said "${said}")
    file(WRITE "${WORK}/commands" "${said}")
    file(WRITE "${WORK}/launcher" "#!/bin/sh\nexec '${CMAKE_CURRENT_LIST_DIR}/reuse' '${WORK}/commands' '${BUILD}' \\
  '${WORK}/_deps/teamsan-build' _deps/teamsan-build/ \"$@\"\n")
    file(CHMOD "${WORK}/launcher" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    list(APPEND configure -DCMAKE_CXX_COMPILER_LAUNCHER=${WORK}/launcher)
  endif()
endif()
step(${configure} -S "${SOURCE}/examples/consumer" -B "${WORK}")
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
if(NOT said MATCHES "100% tests passed.* out of 3")
  message(FATAL_ERROR "ctest said: ${said}")
endif()
if(NOT INSTALLED)
  return()
endif()

# The package says in a sentence what it cannot do.
refused("TeamSan has no component gpu; its components are" "find_package(TeamSan CONFIG REQUIRED COMPONENTS gpu)")
refused("requested version \"9.0\"" "find_package(TeamSan 9.0 CONFIG REQUIRED)")
refused("no Kokkos is there" "find_package(TeamSan CONFIG REQUIRED)" -DKokkos_ROOT=${WORK}/no-kokkos)
execute_process(COMMAND "${COMPILER}" --version OUTPUT_VARIABLE version)
if(version MATCHES "clang")
  set(older "-U__clang_major__ -D__clang_major__=9")
else()
  set(older "-U__GNUC__ -D__GNUC__=9")
endif()
refused("with GCC 11 or later, or Clang 14 or later, and .* is (GCC|Clang) 9[.].*: name another"
        "find_package(TeamSan CONFIG REQUIRED)\nadd_executable(app empty.cpp)\nteamsan_add_checked(app)"
        "-DCMAKE_CXX_FLAGS=${older}" -DCMAKE_CXX_COMPILER_WORKS=ON)
if(libdir)
  file(STRINGS "${KOKKOS}/KokkosConfigVersion.cmake" version REGEX "PACKAGE_VERSION \"[0-9.]+\"")
  string(REGEX MATCH "PACKAGE_VERSION \"[0-9.]+\"" version "${version}")
  fake_kokkos(another KokkosConfigVersion.cmake "${version}" "PACKAGE_VERSION \"4.7.77\"")
  refused("this TeamSan was built with Kokkos .*, and Kokkos 4.7.77 in .* is used here: build TeamSan with that one"
          "find_package(TeamSan CONFIG REQUIRED)" -DKokkos_ROOT=${WORK}/another)
endif()
step("${WORK}/moved/bin/teamsan" run -- "${WORK}/app_teamsan" 1000)
# Every target that the documentation names is one of the package's, with headers that compile.
file(GLOB pages "${SOURCE}/docs/*.md" "${SOURCE}/README.md" "${SOURCE}/cmake/TeamSanConfig.cmake.in")
set(documented)
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  string(REGEX MATCHALL "TeamSan::[a-z_]+" names "${text}")
  list(APPEND documented ${names})
endforeach()
list(REMOVE_DUPLICATES documented)
list(LENGTH documented count)
if(count LESS 6)
  message(FATAL_ERROR "the documentation names few targets: ${documented}")
endif()
file(MAKE_DIRECTORY "${WORK}/targets")
file(WRITE "${WORK}/targets/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(targets LANGUAGES C CXX)
find_package(TeamSan CONFIG REQUIRED)
foreach(target IN ITEMS ${documented})
  if(NOT TARGET \${target})
    message(FATAL_ERROR \"\${target} is not in the package\")
  endif()
endforeach()
add_library(vocabulary OBJECT vocabulary.cpp)
target_link_libraries(vocabulary PRIVATE TeamSan::model_workgroup)
foreach(target IN ITEMS model_usm model_patterns)
  add_library(\${target} OBJECT \${target}.cpp)
  target_link_libraries(\${target} PRIVATE TeamSan::\${target} Kokkos::kokkos)
endforeach()
add_executable(native native.cpp)
target_link_libraries(native PRIVATE TeamSan::native Kokkos::kokkos)
add_executable(model model.cpp)
target_link_libraries(model PRIVATE TeamSan::model TeamSan::traces)
")
file(WRITE "${WORK}/targets/model_usm.cpp" "#include <teamsan/model/usm/Usm.hpp>\n")
file(WRITE "${WORK}/targets/model_patterns.cpp" "#include <teamsan/model/patterns/Patterns.hpp>\n")
file(WRITE "${WORK}/targets/native.cpp" "#include <teamsan/native/Backend.hpp>
#include <teamsan/native/Checkpoint.hpp>
int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  teamsan::checkpoint(\"nothing\", 1.0);
  return teamsan::native::backend() == teamsan::native::Backend::host ? 0 : 1;
}
")
file(WRITE "${WORK}/targets/model.cpp" "#include <teamsan/model/device/Device.hpp>
int main() { return teamsan::model::find_device(\"h100\") == nullptr; }
")
file(WRITE "${WORK}/targets/vocabulary.cpp" "#include <teamsan/model/workgroup/workgroup.hpp>
using Layout = teamsan::workgroup_layout<teamsan::variable<\"tile\", float[256]>, unsigned>;
static_assert(Layout::bytes == 1040);
")
step(${configure} -S "${WORK}/targets" -B "${WORK}/targets/build")
step(${CMAKE_COMMAND} --build "${WORK}/targets/build")
step("${WORK}/targets/build/native")
step("${WORK}/targets/build/model")
# Lines to paste name the `teamsan` that was installed with the headers, not the one of the folder that it was built in.
step(${CMAKE_COMMAND} -E env "TEAMSAN_OPTIONS=report=json=${WORK}/launcher.json" "${WORK}/app_teamsan" 1000)
file(READ "${WORK}/launcher.json" report)
string(JSON launcher GET "${report}" program launcher)
cmake_path(ABSOLUTE_PATH launcher BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
file(REAL_PATH "${launcher}" launcher)
file(REAL_PATH "${WORK}/moved/bin/teamsan" installed)
if(NOT launcher STREQUAL installed)
  message(FATAL_ERROR "a program of the TeamSan in ${installed} names ${launcher}")
endif()

foreach(file IN ITEMS man/man1/teamsan.1 man/man1/teamsan-c++.1 bash-completion/completions/teamsan zsh/site-functions/_teamsan
                      fish/vendor_completions.d/teamsan.fish doc/teamsan/LICENSE doc/teamsan/NOTICE)
  string(REPLACE "/teamsan/" "/TeamSan/" upper "${file}")
  if(NOT EXISTS "${WORK}/moved/share/${file}" AND NOT EXISTS "${WORK}/moved/share/${upper}")
    message(FATAL_ERROR "share/${file} was not installed.")
  endif()
endforeach()
file(WRITE "${WORK}/empty.cpp" "int main() {}\n")
# In /usr it names the compiler's own directory of headers to nobody.
file(READ "${WORK}/moved/bin/teamsan-c++" wrapper)
string(REGEX REPLACE "\nroot=[^\n]*" "\nroot=/usr" wrapper "${wrapper}")
file(WRITE "${WORK}/in-usr" "${wrapper}")
step(bash "${WORK}/in-usr" --show -c "${WORK}/empty.cpp")
if(said MATCHES "-isystem /usr/include( |$)" OR NOT said MATCHES "-I/usr/include/teamsan/backends/simt/overlay")
  message(FATAL_ERROR "in /usr, teamsan-c++ --show says: ${said}")
endif()

if(NOT INSTALLED STREQUAL "deb" OR NOT KOKKOS MATCHES "^${PREFIX}/")
  return()
endif()

# The private Kokkos went along, and nothing looks for the one of the tree that the package was made in.
file(STRINGS "${WORK}/CMakeCache.txt" found REGEX "^Kokkos_DIR:")
step(readelf -l -d "${WORK}/app_teamsan")
set(program "${said}")
step("${WORK}/moved/bin/teamsan-c++" --show "${WORK}/empty.cpp")
foreach(text IN ITEMS found program said)
  if("${${text}}" MATCHES "${PREFIX}/" OR NOT "${${text}}" MATCHES "${WORK}/moved/lib")
    message(FATAL_ERROR "${text}: not the package's own Kokkos: ${${text}}")
  endif()
endforeach()
