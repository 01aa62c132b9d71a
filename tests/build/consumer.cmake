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
  # In batches, as scripts/quickstart builds, and as a user debugs: less to do, and proof that both compile.
  set(configure ${configure_plain} -DCMAKE_BUILD_TYPE=Debug -DTEAMSAN_UNITY_BUILD=ON -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER
      -DTEAMSAN_KOKKOS_PREFIX=${PREFIX})
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
if(said MATCHES "-isystem /usr/include( |$)" OR NOT said MATCHES "-I/usr/include/teamsan/simt/overlay")
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
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
