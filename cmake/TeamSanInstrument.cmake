# Builds programs for checking. Decides, from the compiler, which flags make it report every access of a target to the
# simulated GPU, and builds a checked twin of an existing target from the same sources. It cannot see into libraries
# that were built elsewhere: their accesses stay unseen, and a Kokkos-based one must be rebuilt with the overlay.
include_guard(GLOBAL)

set(TEAMSAN_TEST_OPTIONS "" CACHE STRING "TEAMSAN_OPTIONS that every test runs with, such as device=mi250x")
set(TEAMSAN_CHECKED_OPTIMISATION "${_teamsan_default_optimisation}" CACHE STRING
    "Optimisation of checked programs, such as -O0; empty: as the project's own")

# teamsan_flags(VARIABLE): the compile options that make every access call the runtime in libteamsan_sim.
# - No vectoriser, no loops turned into memset or memcpy, no such call expanded in line or fortified: accesses arrive as
#   written (tests/fills). Clang leaves instrumented calls of __builtin_memset and the like, GCC needs TeamSanBuiltins.hpp.
# - GCC folds functions of the same code into one, and both fold branches that do the same, with the lines of one of them, or
#   none: a report would name another kernel's line, or another branch's.
# - Clang drops the read of a read-modify-write unless told otherwise; uninitialised reads need it.
# - -g1 is enough for full inline chains, unless the user asked for more.
function(teamsan_flags variable)
  set(flags ${TEAMSAN_CHECKED_OPTIMISATION} -fsanitize=thread -fno-omit-frame-pointer -U_FORTIFY_SOURCE)
  foreach(function IN ITEMS memset memcpy memmove mempcpy bzero memcmp bcmp strcpy stpcpy strncpy)
    list(APPEND flags -fno-builtin-${function})
  endforeach()
  if(NOT CMAKE_CXX_FLAGS MATCHES "(^| )-g")
    list(APPEND flags "$<$<NOT:$<CONFIG:Debug,RelWithDebInfo>>:-g1>")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags -fno-tree-vectorize -fno-tree-slp-vectorize -fno-tree-loop-distribute-patterns -fno-ipa-icf
         -fno-crossjumping -fno-tree-tail-merge -Wno-tsan --param=builtin-string-cmp-inline-length=0
         "SHELL:-include \"${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TeamSanBuiltins.hpp\"")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
      list(APPEND flags -mstringop-strategy=libcall)  # -Os would take an instruction that repeats
    endif()
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags "SHELL:-mllvm -tsan-instrument-read-before-write=1" -fno-vectorize -fno-slp-vectorize
         "SHELL:-mllvm -simplifycfg-sink-common=false" "SHELL:-mllvm -simplifycfg-hoist-common=false")
  else()
    message(FATAL_ERROR "TeamSan instruments with GCC or Clang, and CMAKE_CXX_COMPILER is ${CMAKE_CXX_COMPILER_ID}.")
  endif()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# teamsan_instrument(TARGET...): compiles TARGETs for checking and links the simulated GPU, which becomes their
# Kokkos::DefaultExecutionSpace.
function(teamsan_instrument)
  if("${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-fsanitize=")
    message(FATAL_ERROR "TeamSan brings its own runtime for the compiler's instrumentation: take -fsanitize=... out of "
                        "CMAKE_CXX_FLAGS and CMAKE_EXE_LINKER_FLAGS.")
  endif()
  teamsan_flags(flags)
  foreach(target IN LISTS ARGN)
    get_target_property(done ${target} TEAMSAN_CHECKED)
    if(done)
      continue()
    endif()
    set_target_properties(${target} PROPERTIES TEAMSAN_CHECKED TRUE)
    # BEFORE: an option of the target's own comes later on the command line and wins.
    target_compile_options(${target} BEFORE PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(NOT libraries)
      set(libraries)
    endif()
    # First in the list: the overlay's headers shadow Kokkos' own.
    set_property(TARGET ${target} PROPERTY LINK_LIBRARIES TeamSan::overlay TeamSan::simt ${libraries})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:TeamSan::simt>")
    elseif(type STREQUAL "EXECUTABLE")
      set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)  # names for functions that have no line table
    endif()
  endforeach()
endfunction()

# teamsan_add_checked(APP [NAME NAME] [OPTIONS OPTION...]): beside the target APP (an executable or a library) builds
# NAME, by default APP_teamsan, from the same sources, for checking. OPTIONS are further compile options. Libraries of
# the same project that use Kokkos are built a second time too, since the overlay changes what Kokkos' names mean.
function(teamsan_add_checked app)
  cmake_parse_arguments(ARG "" "NAME" "OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "teamsan_add_checked(${app}): unknown argument ${ARG_UNPARSED_ARGUMENTS}; NAME and OPTIONS are known.")
  endif()
  if(NOT TARGET ${app})
    message(FATAL_ERROR "teamsan_add_checked(${app}): ${app} is not a target; call this after add_executable(${app} ...).")
  endif()
  if(NOT ARG_NAME)
    set(ARG_NAME ${app}_teamsan)
  endif()
  _teamsan_make_twin(${app} ${ARG_NAME})
  target_compile_options(${ARG_NAME} PRIVATE ${ARG_OPTIONS})
  get_target_property(installed TeamSan::launcher IMPORTED)
  if(NOT installed)
    add_dependencies(${ARG_NAME} TeamSan::launcher)  # for the tests
  endif()
  # What APP is made of may still be added after this call: look when this directory is done.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _teamsan_fill_twin ${app} ${ARG_NAME})")
endfunction()

# An empty target TWIN of APP's type.
function(_teamsan_make_twin app twin)
  get_target_property(type ${app} TYPE)
  if(type STREQUAL "EXECUTABLE")
    add_executable(${twin})
  elseif(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    add_library(${twin} ${CMAKE_MATCH_1})
  elseif(type STREQUAL "SHARED_LIBRARY")
    add_library(${twin} STATIC)  # a process has one runtime: it lies in the program
  else()
    message(FATAL_ERROR "teamsan_add_checked(${app}): ${app} is a ${type}; an executable or a library with sources is needed.")
  endif()
  set_target_properties(${twin} PROPERTIES TEAMSAN_TWIN_OF ${app})
  set_property(TARGET ${app} PROPERTY TEAMSAN_TWIN ${twin})
endfunction()

# Gives TWIN the sources, options and libraries of APP.
function(_teamsan_fill_twin app twin)
  get_target_property(directory ${app} SOURCE_DIR)
  get_target_property(sources ${app} SOURCES)
  set(absolute)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "^\\$<")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${directory}" NORMALIZE)
    endif()
    list(APPEND absolute "${source}")
  endforeach()
  target_sources(${twin} PRIVATE ${absolute})
  foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES LINK_OPTIONS
                            LINK_DIRECTORIES CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS
                            POSITION_INDEPENDENT_CODE INTERFACE_INCLUDE_DIRECTORIES INTERFACE_COMPILE_DEFINITIONS
                            INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_FEATURES INTERFACE_LINK_OPTIONS)
    get_target_property(value ${app} ${property})
    if(NOT value MATCHES "NOTFOUND$")
      if(property MATCHES "^(CXX_|POSITION)")
        set_property(TARGET ${twin} PROPERTY ${property} "${value}")
      else()
        set_property(TARGET ${twin} APPEND PROPERTY ${property} "${value}")
      endif()
    endif()
  endforeach()
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${app} ${property})
    if(libraries)
      set(checked)
      foreach(library IN LISTS libraries)
        _teamsan_checked_library("${library}" library)
        list(APPEND checked "${library}")
      endforeach()
      set_property(TARGET ${twin} APPEND PROPERTY ${property} "${checked}")
    endif()
  endforeach()
  teamsan_instrument(${twin})
endfunction()

# The library to link in a checked program in place of LIBRARY: its twin if it is one of this project that uses Kokkos.
function(_teamsan_checked_library library variable)
  set(${variable} "${library}" PARENT_SCOPE)
  if(NOT TARGET "${library}")
    return()
  endif()
  get_target_property(aliased ${library} ALIASED_TARGET)
  if(aliased)
    set(library ${aliased})
  endif()
  get_target_property(imported ${library} IMPORTED)
  get_target_property(type ${library} TYPE)
  _teamsan_uses_kokkos(${library} uses)
  if(imported OR NOT uses OR NOT type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$" OR library MATCHES "^teamsan_")
    return()
  endif()
  get_target_property(twin ${library} TEAMSAN_TWIN)
  if(NOT twin)
    set(twin ${library}_teamsan)
    _teamsan_make_twin(${library} ${twin})
    _teamsan_fill_twin(${library} ${twin})
  endif()
  set(${variable} ${twin} PARENT_SCOPE)
endfunction()

# Whether TARGET links Kokkos, itself or through other targets.
function(_teamsan_uses_kokkos target variable)
  set(${variable} FALSE PARENT_SCOPE)
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${target} ${property})
    foreach(library IN LISTS libraries)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
      if(library MATCHES "^Kokkos::")
        set(${variable} TRUE PARENT_SCOPE)
        return()
      elseif(TARGET "${library}" AND NOT library MATCHES "^(teamsan_|TeamSan::)")
        _teamsan_uses_kokkos(${library} uses)
        if(uses)
          set(${variable} TRUE PARENT_SCOPE)
          return()
        endif()
      endif()
    endforeach()
  endforeach()
endfunction()

# teamsan_add_test(NAME NAME COMMAND APP ARGUMENT... [PROCESSORS N] [TIMEOUT SECONDS] [COST N] [OPTIONS KEY=VALUE...]
#                  [PROPERTIES PROPERTY VALUE...]):
# a CTest test, label teamsan, that runs the checked twin of APP (or APP, if it is one) on N worker threads and fails
# on any error found. OPTIONS are TEAMSAN_OPTIONS; PROPERTIES are the test's further CTest properties (RESOURCE_LOCK,
# RESOURCE_GROUPS, FIXTURES_REQUIRED, ...). The report lies in teamsan-reports/ in the build directory: NAME.txt to read,
# NAME.RANK.json for `teamsan merge`. With the first such test come two that CTest runs before and after all of
# them: teamsan/begin forgets earlier reports, teamsan/end fails if a program left no report, whatever its test said.
function(teamsan_add_test)
  cmake_parse_arguments(ARG "" "NAME;PROCESSORS;TIMEOUT;COST" "COMMAND;OPTIONS;PROPERTIES" ${ARGN})
  if(NOT ARG_NAME OR NOT ARG_COMMAND OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "teamsan_add_test: NAME and COMMAND are needed; PROCESSORS, TIMEOUT, COST, OPTIONS and PROPERTIES "
                        "are known.")
  endif()
  list(POP_FRONT ARG_COMMAND app)
  if(NOT TARGET ${app})
    message(FATAL_ERROR "teamsan_add_test(NAME ${ARG_NAME}): ${app} is not a target of this project.")
  endif()
  get_target_property(twin ${app} TEAMSAN_TWIN)
  get_target_property(checked ${app} TEAMSAN_CHECKED)
  get_target_property(is_twin ${app} TEAMSAN_TWIN_OF)
  if(twin)
    set(app ${twin})
  elseif(NOT checked AND NOT is_twin)
    message(FATAL_ERROR "teamsan_add_test(NAME ${ARG_NAME}): call teamsan_add_checked(${app}) first.")
  endif()
  if(NOT ARG_PROCESSORS)
    set(ARG_PROCESSORS 1)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set(reports "${CMAKE_BINARY_DIR}/teamsan-reports")
  file(MAKE_DIRECTORY "${reports}")
  _teamsan_add_fixture("${reports}")
  string(REPLACE "/" "-" report "${ARG_NAME}")
  set(options num_threads=${ARG_PROCESSORS} report=text=${reports}/${report}.txt report=json=${reports}/${report}.%r.json
              ${TEAMSAN_TEST_OPTIONS} ${ARG_OPTIONS})
  list(JOIN options ":" options)
  add_test(NAME ${ARG_NAME} COMMAND ${app} ${ARG_COMMAND})
  set_tests_properties(${ARG_NAME} PROPERTIES
    LABELS teamsan PROCESSORS ${ARG_PROCESSORS} TIMEOUT ${ARG_TIMEOUT}
    TIMEOUT_SIGNAL_NAME SIGTERM TIMEOUT_SIGNAL_GRACE_PERIOD 10  # from CMake 3.27 on: a report all the same
    ENVIRONMENT "TEAMSAN_OPTIONS=${options}" FIXTURES_REQUIRED teamsan_reports)
  if(ARG_COST)
    set_tests_properties(${ARG_NAME} PROPERTIES COST ${ARG_COST})
  endif()
  while(ARG_PROPERTIES)
    list(POP_FRONT ARG_PROPERTIES property value)
    if(property MATCHES "^(LABELS|ENVIRONMENT|FIXTURES_REQUIRED)$")
      set_property(TEST ${ARG_NAME} APPEND PROPERTY ${property} "${value}")
    else()
      set_property(TEST ${ARG_NAME} PROPERTY ${property} "${value}")
    endif()
  endwhile()
endfunction()

# The two tests around those of teamsan_add_test.
function(_teamsan_add_fixture reports)
  get_property(there GLOBAL PROPERTY TEAMSAN_FIXTURE)
  if(there)
    return()
  endif()
  set_property(GLOBAL PROPERTY TEAMSAN_FIXTURE TRUE)
  set(script "${CMAKE_BINARY_DIR}/CMakeFiles/teamsan-begin.cmake")
  file(WRITE "${script}" "file(REMOVE_RECURSE \"${reports}\")\nfile(MAKE_DIRECTORY \"${reports}\")\n")
  add_test(NAME teamsan/begin COMMAND ${CMAKE_COMMAND} -P "${script}")
  add_test(NAME teamsan/end COMMAND TeamSan::launcher merge --error-exitcode 0 "${reports}")
  set_tests_properties(teamsan/begin PROPERTIES FIXTURES_SETUP teamsan_reports LABELS teamsan)
  set_tests_properties(teamsan/end PROPERTIES FIXTURES_CLEANUP teamsan_reports LABELS teamsan)
endfunction()
