# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What tests of a whole project need: TeamSan installed, and moved since; steps that must succeed; projects that must be
# refused.

# step(COMMAND ARGUMENT...): fails the test unless the command succeeds; what it said is in `said`.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

# refused(SENTENCE PROJECT [ARGUMENT...]): configuring a project of that text, in ${WORK}/refused, must fail and say SENTENCE.
function(refused sentence project)
  file(WRITE "${WORK}/refused/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(refused LANGUAGES CXX)\n${project}\n")
  execute_process(COMMAND ${configure} ${ARGN} -S "${WORK}/refused" -B "${WORK}/refused/build"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(status EQUAL 0 OR NOT said MATCHES "${sentence}")
    message(FATAL_ERROR "expected \"${sentence}\", got status ${status}: ${said}")
  endif()
  file(REMOVE_RECURSE "${WORK}/refused/build")
endfunction()

set(configure_plain ${CMAKE_COMMAND} -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

# TeamSan in ${WORK}/moved; `configure` configures a project that finds it there.
macro(install_teamsan)
  file(REMOVE_RECURSE "${WORK}")
  file(MAKE_DIRECTORY "${WORK}")
  step(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/installed")
  file(RENAME "${WORK}/installed" "${WORK}/moved")
  set(configure ${configure_plain} -DCMAKE_PREFIX_PATH=${WORK}/moved)
endmacro()

# Where the Kokkos at hand lies as in an installed tree, and where not, empty.
if(KOKKOS MATCHES "^(.*)/(lib[^/]*(/[^/]+)?)/cmake/Kokkos$")
  set(prefix "${CMAKE_MATCH_1}")
  set(libdir "${CMAKE_MATCH_2}")
endif()
# fake_kokkos(NAME FILE PATTERN REPLACEMENT): a Kokkos as the true one, but for a text in a file of its package.
function(fake_kokkos name file pattern replacement)
  file(GLOB libraries "${prefix}/${libdir}/libkokkos*")
  file(MAKE_DIRECTORY "${WORK}/${name}/${libdir}/cmake")
  foreach(library IN LISTS libraries)
    cmake_path(GET library FILENAME file_name)
    file(CREATE_LINK "${library}" "${WORK}/${name}/${libdir}/${file_name}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK "${prefix}/include" "${WORK}/${name}/include" SYMBOLIC)
  file(COPY "${KOKKOS}/" DESTINATION "${WORK}/${name}/${libdir}/cmake/Kokkos")
  file(READ "${KOKKOS}/${file}" text)
  string(REPLACE "${pattern}" "${replacement}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${file} has no ${pattern}")
  endif()
  file(WRITE "${WORK}/${name}/${libdir}/cmake/Kokkos/${file}" "${changed}")
endfunction()

# Each shared library of the launcher's is in a package that one of the -dev packages of the line Depends brings, if Debian
# has it at all.
function(needs_are_named info)
  string(REGEX MATCH "Depends: ([^\n]*)" line "${info}")
  string(REGEX MATCHALL "[a-z0-9.+-]+-dev" named "${CMAKE_MATCH_1}")
  step(dpkg-query -W -f "\${Depends} " ${named} libc6-dev g++)
  set(brought "${said}")
  step(readelf -d "${WORK}/unpacked/usr/bin/teamsan")
  string(REGEX MATCHALL "lib(tbb|dw|elf|zstd|fmt|pugixml)\\.so[.0-9]*" libraries "${said}")
  list(LENGTH libraries count)
  if(count LESS 3)
    message(FATAL_ERROR "the launcher links few libraries: ${said}")
  endif()
  foreach(library IN LISTS libraries)
    step(dpkg-query -S "*/${library}")
    string(REGEX MATCH "^[^:,]+" owner "${said}")
    if(NOT brought MATCHES "(^| )${owner}[ ,]")
      message(FATAL_ERROR "${library} is of ${owner}, which none of ${named} brings: ${brought}")
    endif()
  endforeach()
endfunction()

# The same out of a Debian package: a tree that needs nothing of this one, its private Kokkos neither.
macro(unpack_teamsan)
  file(REMOVE_RECURSE "${WORK}")
  file(MAKE_DIRECTORY "${WORK}")
  step(${CPACK} --config "${BUILD}/CPackConfig.cmake" -G DEB -B "${WORK}/packages")
  file(GLOB package "${WORK}/packages/*.deb")
  step(dpkg-deb --info "${package}")
  foreach(line IN ITEMS "Package: teamsan" "Section: devel" "Depends: libtbb-dev, libdw-dev, libelf-dev, libzstd-dev")
    if(NOT said MATCHES "${line}")
      message(FATAL_ERROR "${package} lacks \"${line}\": ${said}")
    endif()
  endforeach()
  set(info "${said}")
  step(dpkg-deb -x "${package}" "${WORK}/unpacked")
  needs_are_named("${info}")
  file(RENAME "${WORK}/unpacked/usr" "${WORK}/moved")
  set(configure ${configure_plain} -DCMAKE_PREFIX_PATH=${WORK}/moved)
endmacro()
