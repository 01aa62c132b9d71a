# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds programs for checking. Decides, from the compiler, which flags make it report every access of a target to the
# simulated GPU; refuses what a program cannot be checked with; adds tests. It cannot see into libraries that were built
# elsewhere: their accesses stay unseen, and a Kokkos-based one must be rebuilt with the overlay.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/TeamSanTwin.cmake")

set(TEAMSAN_TEST_OPTIONS "" CACHE STRING "TEAMSAN_OPTIONS that every test runs with, such as device=mi250x")
option(TEAMSAN_WITHOUT_BUDGETS "Tests check all launches, whatever their BUDGET" OFF)
set(TEAMSAN_CHECKED_OPTIMISATION "${_teamsan_default_optimisation}" CACHE STRING
    "Optimisation of checked programs, such as -O0; empty: as the project's own")

set(TEAMSAN_AS "" CACHE STRING "CUDA, HIP or SYCL: checked programs find that backend's macro defined, its names are the simulated GPU's")
if(TEAMSAN_AS AND NOT TEAMSAN_AS MATCHES "^(CUDA|HIP|SYCL)$")
  message(FATAL_ERROR "TEAMSAN_AS is ${TEAMSAN_AS}, and a program can be checked as CUDA, HIP or SYCL.")
endif()

set(TEAMSAN_PLUGIN AUTO CACHE STRING "Compile what is checked with TeamSan's plug-in for GCC or Clang, if it can be built: what is not checked
  then runs at native speed, and with GCC flat kernels are checked in line. ON, OFF, or AUTO: with the versions that it was tested with")
set_property(CACHE TEAMSAN_PLUGIN PROPERTY STRINGS AUTO ON OFF)
set_property(GLOBAL PROPERTY TEAMSAN_PLUGIN_TESTED_WITH GNU-12 Clang-14)

# teamsan_plugin(VARIABLE): the plug-in's file for this compiler (sim/entry/pass), built while CMake configures; empty: there is
# none, and all runs through the compiler's callbacks, which is said once.
function(teamsan_plugin variable)
  set(file)
  set(reason "TEAMSAN_PLUGIN is OFF")
  set(wanted "${TEAMSAN_PLUGIN}")
  if(wanted STREQUAL "AUTO")
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_CXX_COMPILER_VERSION}")
    get_property(tested_with GLOBAL PROPERTY TEAMSAN_PLUGIN_TESTED_WITH)
    if(NOT "${CMAKE_CXX_COMPILER_ID}-${major}" IN_LIST tested_with)
      set(wanted OFF)
      list(JOIN tested_with ", " tested_with)
      set(reason "the plug-in was tested with ${tested_with}, and this is ${CMAKE_CXX_COMPILER_ID}-${major}; -DTEAMSAN_PLUGIN=ON takes it")
    endif()
  endif()
  if(wanted STREQUAL "AUTO" OR wanted)
    set(wanted ON)
    get_property(file GLOBAL PROPERTY TEAMSAN_PLUGIN_FILE)
    get_property(asked GLOBAL PROPERTY TEAMSAN_PLUGIN_FILE SET)
    if(asked)
      set(${variable} "${file}" PARENT_SCOPE)
      return()
    endif()
    set(builder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../sim/entry/pass/build")
    set(folders "${CMAKE_BINARY_DIR}/teamsan-plugin")
    if(EXISTS "${builder}")
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../sim/entry/pass/*")
      list(FILTER sources EXCLUDE REGEX "/pass/calls/")  # no part of it
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    else()  # installed
      set(builder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin/build")
      list(PREPEND folders "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin/built")
    endif()
    execute_process(COMMAND "${builder}" "${CMAKE_CXX_COMPILER}" ${folders}
      RESULT_VARIABLE status OUTPUT_VARIABLE file ERROR_VARIABLE errors OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status STREQUAL "0")
      set(reason "${file}${errors}")
      set(file)
    endif()
  endif()
  get_property(said GLOBAL PROPERTY TEAMSAN_SAID_PLUGIN)
  if(NOT said)
    set_property(GLOBAL PROPERTY TEAMSAN_SAID_PLUGIN TRUE)
    if(file)
      message(STATUS "TeamSan: launches that are not checked run bodies of their own, by a plug-in for ${CMAKE_CXX_COMPILER}")
    else()
      message(STATUS "TeamSan: launches that are not checked run the same instrumented code as others: ${reason}")
    endif()
  endif()
  if(wanted)
    set_property(GLOBAL PROPERTY TEAMSAN_PLUGIN_FILE "${file}")
  endif()
  if(NOT file)
    set_property(GLOBAL PROPERTY TEAMSAN_NO_PLUGIN "${reason}")
  endif()
  set(${variable} "${file}" PARENT_SCOPE)
endfunction()

# teamsan_flags(VARIABLE): the compile options that make every access call the runtime in libteamsan_sim.
# - No vectoriser, no loops turned into memset or memcpy, no such call expanded in line or fortified: accesses arrive as
#   written (tests/fills). Clang leaves instrumented calls of __builtin_memset and the like. GCC expands them in line when it
#   knows how many bytes there are, behind the pass that instruments accesses; -fno-builtin-memset does not reach a name that
#   begins so, and std::fill, std::copy and std::equal are made of these names. TeamSanBuiltins.options makes macros of them
#   in which the number of bytes is one that GCC cannot know: a call is left, and goes to entry/libc/MemoryFunctions.cpp. Constant
#   evaluation has the builtins themselves. It holds options, since a header that comes first would bar every precompiled one.
# - Each page of a large frame is touched when a function takes it: one that exceeds the lane's stack meets the guard pages,
#   which it would otherwise step over. A function that wrote past the end of a local array tells itself, at its own line.
# - GCC folds functions of the same code into one, and both fold branches that do the same, with the lines of one of them, or
#   none: a report would name another kernel's line, or another branch's.
# - Clang keeps a word that a loop updates in a register: what remains, an access before and one behind the loop, has no line.
#   A read that it takes out of a loop has none either, and would get the one of the code before it: it is marked, and the line
#   table's next row stands for it (sim/places/DwarfIndex.cpp).
# - Accesses through pointers to volatile arrive as such: on a GPU they are more than plain ones (sim/check/Atomics.hpp).
# - Clang drops the read of a read-modify-write unless told otherwise; uninitialised reads need it.
# - Clang looks through a file's whole module for calls of OpenMP once a function: of checked code, up to a third of all it does.
# - -g1 is enough for full inline chains, unless the user asked for more.
# - The plug-in, where there is one: second bodies for what is not checked, and with GCC checks in line.
function(teamsan_flags variable)
  set(flags ${TEAMSAN_CHECKED_OPTIMISATION} -fsanitize=thread -fno-omit-frame-pointer -fstack-clash-protection
            -fstack-protector-strong -U_FORTIFY_SOURCE)
  foreach(function IN ITEMS memset memcpy memmove mempcpy bzero memcmp bcmp strcpy stpcpy strncpy)
    list(APPEND flags -fno-builtin-${function})
  endforeach()
  if(NOT CMAKE_CXX_FLAGS MATCHES "(^| )-g")
    list(APPEND flags "$<$<NOT:$<CONFIG:Debug,RelWithDebInfo>>:-g1>")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags -fno-tree-vectorize -fno-tree-slp-vectorize -fno-tree-loop-distribute-patterns -fno-ipa-icf
         -fno-crossjumping -fno-tree-tail-merge -Wno-tsan --param=builtin-string-cmp-inline-length=0
         --param=tsan-distinguish-volatile=1
         "SHELL:\"@${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TeamSanBuiltins.options\"")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
      list(APPEND flags -mstringop-strategy=libcall)  # -Os would take an instruction that repeats
    endif()
    teamsan_plugin(plugin)
    if(plugin)
      list(APPEND flags "-fplugin=${plugin}")
    endif()
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags "SHELL:-mllvm -tsan-instrument-read-before-write=1"
         "SHELL:-mllvm -tsan-distinguish-volatile=1"
         "SHELL:-mllvm -simplifycfg-sink-common=false" "SHELL:-mllvm -simplifycfg-hoist-common=false"
         "SHELL:-mllvm -disable-licm-promotion" "SHELL:-mllvm -jump-threading-threshold=0"
         "SHELL:-mllvm -use-unknown-locations=Enable" "SHELL:-mllvm -openmp-opt-disable")
    teamsan_plugin(plugin)
    if(plugin)  # it keeps the vectorisers from what is instrumented, and tells of lanes' arrays by their names
      list(APPEND flags "-fpass-plugin=${plugin}" -DTEAMSAN_PLUGIN_FOR_CLANG -fno-discard-value-names)
    else()
      list(APPEND flags -fno-vectorize -fno-slp-vectorize)
    endif()
  endif()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# The commands that reports give need it: one that is built here is built with what is checked. Not so with TeamSan's own
# programs, whose first report would wait for it (scripts/quickstart).
function(_teamsan_needs_launcher target)
  if(NOT TARGET TeamSan::launcher OR PROJECT_NAME STREQUAL "TeamSan")
    return()
  endif()
  get_target_property(installed TeamSan::launcher IMPORTED)
  if(NOT installed)
    add_dependencies(${target} TeamSan::launcher)
  endif()
endfunction()

# teamsan_instrument(TARGET...): compiles TARGETs for checking and links the simulated GPU, which becomes their
# Kokkos::DefaultExecutionSpace.
function(teamsan_instrument)
  foreach(target IN LISTS ARGN)
    get_target_property(done ${target} TEAMSAN_CHECKED)
    if(done)
      continue()
    endif()
    _teamsan_compile_for_checking(${target})
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(NOT libraries)
      set(libraries)
    endif()
    set(simulated TeamSan::simt)
    _teamsan_kokkos_standard(standard)
    if(standard EQUAL 17)
      # All of it but its C++20, which the headers that are seen here do not need. By way of a library: said of a program, LINK_ONLY
      # holds only where the project's policies are those of CMake 3.24 (CMP0131); and it leaves out options of the linker.
      if(NOT TARGET teamsan_simt_to_link)
        add_library(teamsan_simt_to_link INTERFACE IMPORTED GLOBAL)
        set_target_properties(teamsan_simt_to_link PROPERTIES INTERFACE_LINK_LIBRARIES $<LINK_ONLY:TeamSan::simt>
          INTERFACE_LINK_OPTIONS "$<TARGET_PROPERTY:TeamSan::simt,INTERFACE_LINK_OPTIONS>")
      endif()
      set(simulated teamsan_simt_to_link)
      target_include_directories(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:$<TARGET_PROPERTY:TeamSan::simt,INTERFACE_INCLUDE_DIRECTORIES>>")
      target_compile_definitions(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:$<TARGET_PROPERTY:TeamSan::simt,INTERFACE_COMPILE_DEFINITIONS>>")
    endif()
    set_property(TARGET ${target} PROPERTY LINK_LIBRARIES ${simulated} ${libraries})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:TeamSan::simt>")
    elseif(type STREQUAL "EXECUTABLE")
      set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)  # names for functions that have no line table
      _teamsan_needs_launcher(${target})
    endif()
  endforeach()
endfunction()

# teamsan_check_mpi(TARGET...): what checked TARGETs hand to MPI is looked at (missing-fence). Functions that stand in for MPI's
# are compiled from the MPI that find_package(MPI) finds, once for all of them, and linked.
function(teamsan_check_mpi)
  set(sources "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../backends/mpi")
  if(NOT EXISTS "${sources}/MpiCalls.cpp")  # installed
    get_target_property(includes TeamSan::sim INTERFACE_INCLUDE_DIRECTORIES)
    list(GET includes 0 include)
    set(sources "${include}/teamsan/backends/mpi")
  endif()
  if(NOT TARGET teamsan_mpi_calls)
    find_package(MPI QUIET COMPONENTS CXX)
    if(NOT MPI_CXX_FOUND)
      message(FATAL_ERROR "teamsan_check_mpi(${ARGN}): find_package(MPI COMPONENTS CXX) finds no MPI.")
    endif()
    add_library(teamsan_mpi_calls OBJECT "${sources}/MpiCalls.cpp")
    target_compile_features(teamsan_mpi_calls PRIVATE cxx_std_20)
    set_target_properties(teamsan_mpi_calls PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(teamsan_mpi_calls PRIVATE $<TARGET_PROPERTY:TeamSan::sim,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(teamsan_mpi_calls PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(teamsan_mpi_calls PRIVATE MPI::MPI_CXX)
  endif()
  if(TARGET MPI::MPI_Fortran AND NOT TARGET teamsan_mpi_fortran_calls)
    add_library(teamsan_mpi_fortran_calls OBJECT "${sources}/FortranCalls.cpp")
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX MPI::MPI_Fortran)
    check_cxx_source_compiles("#define TEAMSAN_NAMES_ONLY
#include \"${sources}/FortranCalls08.cpp\"
extern \"C\" void TEAMSAN_TOOLS_BUFFERS(send)();
extern \"C\" void TEAMSAN_TOOLS_REQUESTS(wait)();
int main() { TEAMSAN_TOOLS_BUFFERS(send)(); TEAMSAN_TOOLS_REQUESTS(wait)(); }" TEAMSAN_MPI_HAS_F08)
    if(TEAMSAN_MPI_HAS_F08)
      target_sources(teamsan_mpi_fortran_calls PRIVATE "${sources}/FortranCalls08.cpp")
    endif()
    target_compile_features(teamsan_mpi_fortran_calls PRIVATE cxx_std_20)
    set_target_properties(teamsan_mpi_fortran_calls PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(teamsan_mpi_fortran_calls PRIVATE $<TARGET_PROPERTY:TeamSan::sim,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(teamsan_mpi_fortran_calls PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(teamsan_mpi_fortran_calls PRIVATE MPI::MPI_CXX)
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(checked ${target} TEAMSAN_CHECKED)
    if(NOT checked)
      message(FATAL_ERROR "teamsan_check_mpi(${target}): it is not compiled for checking; name the twin, or call "
                          "teamsan_instrument(${target}) first.")
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:teamsan_mpi_calls>)
    target_link_libraries(${target} PRIVATE MPI::MPI_CXX)
    if(TARGET MPI::MPI_Fortran)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:teamsan_mpi_fortran_calls>)
      target_link_libraries(${target} PRIVATE MPI::MPI_Fortran)
    endif()
  endforeach()
endfunction()

# teamsan_instrument_in_place(TARGET...): the same for all targets of a project, which keeps its shared libraries and plug-ins.
# These hold no runtime: they call the one in their program, which therefore holds it as a whole.
function(teamsan_instrument_in_place)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/WrappedFunctions.cmake")
  list(JOIN TEAMSAN_WRAPPED ",--wrap=" wrapped)
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      teamsan_instrument(${target})
      target_link_options(${target} PRIVATE
        "LINKER:--whole-archive,$<TARGET_FILE:TeamSan::simt>,$<TARGET_FILE:TeamSan::sim>,--no-whole-archive")
      continue()
    endif()
    _teamsan_compile_for_checking(${target})
    if(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
      # Not -z undefs, which takes back a project's -z defs likewise: gold does not know it.
      target_link_options(${target} PRIVATE
        "LINKER:--wrap=${wrapped}" "LINKER:--unresolved-symbols=ignore-all")
    endif()
  endforeach()
endfunction()

# The part of TARGET's that is compiling.
function(_teamsan_compile_for_checking target)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CompilerVersion.cmake")
  get_property(family GLOBAL PROPERTY TEAMSAN_BUILT_WITH)
  if(family AND NOT CMAKE_CXX_COMPILER_ID STREQUAL family)
    message(FATAL_ERROR "${target} is compiled by ${CMAKE_CXX_COMPILER_ID}, and this TeamSan was built for ${family}: build one with "
                        "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}.")
  endif()
  teamsan_flags(flags)
  set_target_properties(${target} PROPERTIES TEAMSAN_CHECKED TRUE)
  _teamsan_refuse_unfit(${target})
  _teamsan_without_lto(${target})
  if(TEAMSAN_AS)
    target_compile_definitions(${target} PRIVATE TEAMSAN_AS_${TEAMSAN_AS})
    # Headers of the vendor's names.
    string(TOLOWER "${TEAMSAN_AS}" vendor)
    target_include_directories(${target} BEFORE PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:$<TARGET_PROPERTY:TeamSan::as_${vendor},INTERFACE_INCLUDE_DIRECTORIES>>")
    # Options of the vendor's compiler.
    foreach(launcher IN ITEMS CXX_COMPILER_LAUNCHER CXX_LINKER_LAUNCHER)
      _teamsan_launch_by(${target} ${launcher} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/as-host")
    endforeach()
  endif()
  # Before the target's own, among which Kokkos' may be by name: the overlay's headers shadow Kokkos' own.
  target_include_directories(${target} BEFORE PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:$<TARGET_PROPERTY:TeamSan::overlay,INTERFACE_INCLUDE_DIRECTORIES>>")
  _teamsan_uses_kokkos(${target} uses)
  if(uses)  # the overlay's headers are content with what Kokkos asks for: with a Kokkos 4 that may be C++17
    _teamsan_kokkos_standard(standard)
    if(NOT standard EQUAL 17)
      _teamsan_say_why_not_older(${target})  # before its standard is another
    endif()
    target_compile_features(${target} PRIVATE cxx_std_${standard})
  endif()
  # BEFORE: an option of the target's own comes later on the command line and wins.
  target_compile_options(${target} BEFORE PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
endfunction()

# The C++ that Kokkos' own targets ask of those that use them.
function(_teamsan_kokkos_standard variable)
  set(standard 20)
  if(TARGET Kokkos::kokkoscore)
    get_target_property(features Kokkos::kokkoscore INTERFACE_COMPILE_FEATURES)
    if(features MATCHES "cxx_std_(17|20|23|26)")
      set(standard ${CMAKE_MATCH_1})
    endif()
  endif()
  set(${variable} ${standard} PARENT_SCOPE)
endfunction()

# A target that asks for an older standard than it is compiled with: if that fails, the compiler's errors do not say why.
function(_teamsan_say_why_not_older target)
  get_target_property(standard ${target} CXX_STANDARD)
  if(NOT standard MATCHES "^(98|11|14|17)$")
    return()
  endif()
  _teamsan_launch_by(${target} CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/as-cxx20" "C++${standard}")
endfunction()

# Puts WORD... before what TARGET's compiler or linker is started by; PROPERTY says which of the two.
function(_teamsan_launch_by target property)
  get_target_property(launcher ${target} ${property})
  if(NOT launcher)
    set(launcher)
  endif()
  set_property(TARGET ${target} PROPERTY ${property} ${ARGN} ${launcher})
endfunction()

# The options that TARGET is compiled and linked with, and those of them that libraries bring which it links.
function(_teamsan_options_of target variable brought)
  set(all "${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}")
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
    string(TOUPPER "${configuration}" configuration)
    string(APPEND all " ${CMAKE_CXX_FLAGS_${configuration}} ${CMAKE_EXE_LINKER_FLAGS_${configuration}}")
  endforeach()
  foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_FLAGS LINK_OPTIONS LINK_FLAGS LINK_LIBRARIES)
    get_target_property(value ${target} ${property})
    if(value)
      string(APPEND all " ${value}")
    endif()
  endforeach()
  set(from_libraries "")
  set(known)
  get_target_property(queue ${target} LINK_LIBRARIES)
  while(queue)
    _teamsan_names_in(names ${queue})
    set(queue)
    foreach(library IN LISTS names)
      if(NOT TARGET "${library}" OR library IN_LIST known OR library MATCHES "^(Kokkos|TeamSan)::")
        continue()
      endif()
      list(APPEND known ${library})
      foreach(property IN ITEMS INTERFACE_COMPILE_OPTIONS INTERFACE_LINK_OPTIONS INTERFACE_LINK_LIBRARIES)
        get_target_property(value ${library} ${property})
        if(value)
          string(APPEND from_libraries " ${value}")
        endif()
      endforeach()
      get_target_property(further ${library} INTERFACE_LINK_LIBRARIES)
      if(further)
        list(APPEND queue ${further})
      endif()
    endforeach()
  endwhile()
  set(${variable} "${all}${from_libraries}" PARENT_SCOPE)
  set(${brought} "${from_libraries}" PARENT_SCOPE)
endfunction()

# What a program cannot be checked with, wherever TARGET has it from.
function(_teamsan_refuse_unfit target)
  _teamsan_uses_kokkos(${target} uses)
  _teamsan_options_of(${target} all brought)
  set(take "take it out of CMAKE_CXX_FLAGS, CMAKE_EXE_LINKER_FLAGS and the options of ${target} and of what it links.")
  if(all MATCHES "-fsanitize=")
    message(FATAL_ERROR "TeamSan brings its own runtime for the compiler's instrumentation, and -fsanitize=... another: ${take}")
  elseif(all MATCHES "(^|[ ;])-static(-pie)?($|[ ;])")
    message(FATAL_ERROR "TeamSan asks the dynamic loader where a program's code and data lie, and -static leaves it out: ${take}")
  elseif(all MATCHES "(^|[ ;])-fno-rtti($|[ ;])" AND uses)
    message(FATAL_ERROR "Kokkos names kernels by typeid, which -fno-rtti takes away: ${take}")
  elseif(NOT TEAMSAN_AS AND all MATCHES "(^|[ ;:])(--offload-arch=|--cuda-gpu-arch=|-arch=sm_|-gencode|-fsycl)")
    message(FATAL_ERROR "A checked program is a host program, and ${CMAKE_MATCH_2}... is for a device: ${take}")
  elseif(brought MATCHES "(^|[ ;:>])-flto")
    message(FATAL_ERROR "With -flto the linker could not give memcpy and its like to TeamSan, and libraries bring it: ${take}")
  endif()
endfunction()

# Calls of memcpy and the like reach the runtime by the linker's --wrap, which link-time optimisation goes past.
function(_teamsan_without_lto target)
  set(configurations "")
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
    string(TOUPPER "_${configuration}" configuration)
    list(APPEND configurations INTERPROCEDURAL_OPTIMIZATION${configuration})
  endforeach()
  foreach(property IN ITEMS INTERPROCEDURAL_OPTIMIZATION LISTS configurations)
    set_property(TARGET ${target} PROPERTY ${property} FALSE)
  endforeach()
  _teamsan_options_of(${target} all brought)
  if(all MATCHES "-flto")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fno-lto>")
    target_link_options(${target} PRIVATE -fno-lto)
    get_property(said GLOBAL PROPERTY TEAMSAN_SAID_LTO)
    if(NOT said)
      set_property(GLOBAL PROPERTY TEAMSAN_SAID_LTO TRUE)
      message(STATUS "TeamSan builds checked programs without -flto: the linker could not give their calls to the runtime")
    endif()
  endif()
endfunction()

# teamsan_add_test(NAME NAME COMMAND APP ARGUMENT... [PROCESSORS N] [TIMEOUT SECONDS] [COST N] [BUDGET 2x|10min]
#                  [OPTIONS KEY=VALUE...] [PROPERTIES PROPERTY VALUE...]):
# a CTest test, label teamsan, that runs the checked twin of APP (or APP, if it is one) on N worker threads and fails
# on any error found. BUDGET: not all launches are checked, but as many as that buys (--budget; docs/ci.md); a build with
# -DTEAMSAN_WITHOUT_BUDGETS=ON checks all, a nightly one, say. OPTIONS are TEAMSAN_OPTIONS, and those that ctest itself is started
# with come behind them; PROPERTIES are the test's further CTest properties (RESOURCE_LOCK, RESOURCE_GROUPS,
# FIXTURES_REQUIRED, ...). The report lies in teamsan-reports/ in the build directory: NAME.txt to read,
# NAME.RANK.json for `teamsan merge`. With the first such test come two that CTest runs before and after all of
# them: teamsan/begin forgets earlier reports, teamsan/end fails if a program left no report, whatever its test said.
function(teamsan_add_test)
  cmake_parse_arguments(ARG "" "NAME;PROCESSORS;TIMEOUT;COST;BUDGET" "COMMAND;OPTIONS;PROPERTIES" ${ARGN})
  if(NOT ARG_NAME OR NOT ARG_COMMAND OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "teamsan_add_test: NAME and COMMAND are needed; PROCESSORS, TIMEOUT, COST, BUDGET, OPTIONS and "
                        "PROPERTIES are known.")
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
  set(budget)
  if(ARG_BUDGET AND NOT ARG_BUDGET MATCHES "^[0-9.]+(x|s|min|h)$")
    message(FATAL_ERROR "teamsan_add_test(NAME ${ARG_NAME}): BUDGET is how many times what a run costs unchecked (2x), or a "
                        "time (10min), and not ${ARG_BUDGET}.")
  elseif(ARG_BUDGET AND NOT TEAMSAN_WITHOUT_BUDGETS)
    set(budget "budget=${ARG_BUDGET}")
  endif()
  set(reports "${CMAKE_BINARY_DIR}/teamsan-reports")
  file(MAKE_DIRECTORY "${reports}")
  _teamsan_add_fixture("${reports}")
  string(REPLACE "/" "-" report "${ARG_NAME}")
  set(options "num_threads=${ARG_PROCESSORS}" "report=text='${reports}/${report}.txt'"
              "report=json='${reports}/${report}.%r.json'" ${budget} ${TEAMSAN_TEST_OPTIONS} ${ARG_OPTIONS})
  list(JOIN options ":" options)
  add_test(NAME ${ARG_NAME} COMMAND ${app} ${ARG_COMMAND})
  set_tests_properties(${ARG_NAME} PROPERTIES
    LABELS teamsan PROCESSORS ${ARG_PROCESSORS} TIMEOUT ${ARG_TIMEOUT}
    TIMEOUT_SIGNAL_NAME SIGTERM TIMEOUT_SIGNAL_GRACE_PERIOD 10  # from CMake 3.27 on: a report all the same
    ENVIRONMENT "TEAMSAN_TEST=${ARG_NAME}" FIXTURES_REQUIRED teamsan_reports
    # What ctest itself is started with comes behind, and wins: TEAMSAN_OPTIONS=baseline=... ctest.
    ENVIRONMENT_MODIFICATION "TEAMSAN_OPTIONS=path_list_prepend:${options}")
  if(ARG_COST)
    set_tests_properties(${ARG_NAME} PROPERTIES COST ${ARG_COST})
  endif()
  while(ARG_PROPERTIES)
    list(POP_FRONT ARG_PROPERTIES property value)
    if(property MATCHES "^(LABELS|ENVIRONMENT|ENVIRONMENT_MODIFICATION|FIXTURES_REQUIRED)$")
      set_property(TEST ${ARG_NAME} APPEND PROPERTY ${property} "${value}")
    else()
      set_property(TEST ${ARG_NAME} PROPERTY ${property} "${value}")
    endif()
  endwhile()
endfunction()

# Without it ctest says that there is no test, and passes. BUILD_TESTING=OFF asks for none.
function(_teamsan_look_for_testing)
  if(NOT CMAKE_TESTING_ENABLED AND (NOT DEFINED BUILD_TESTING OR BUILD_TESTING))
    message(WARNING "teamsan_add_test: ctest will know of no test: call enable_testing() or include(CTest) in "
                    "${CMAKE_SOURCE_DIR}/CMakeLists.txt.")
  endif()
endfunction()

# The two tests around those of teamsan_add_test.
function(_teamsan_add_fixture reports)
  get_property(there GLOBAL PROPERTY TEAMSAN_FIXTURE)
  if(there)
    return()
  endif()
  set_property(GLOBAL PROPERTY TEAMSAN_FIXTURE TRUE)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _teamsan_look_for_testing)  # it may be called after this
  set(script "${CMAKE_BINARY_DIR}/CMakeFiles/teamsan-begin.cmake")
  file(WRITE "${script}" "file(REMOVE_RECURSE \"${reports}\")\nfile(MAKE_DIRECTORY \"${reports}\")\n")
  add_test(NAME teamsan/begin COMMAND ${CMAKE_COMMAND} -P "${script}")
  add_test(NAME teamsan/end COMMAND TeamSan::launcher merge --error-exitcode 0 "${reports}")
  set_tests_properties(teamsan/begin PROPERTIES FIXTURES_SETUP teamsan_reports LABELS teamsan)
  set_tests_properties(teamsan/end PROPERTIES FIXTURES_CLEANUP teamsan_reports LABELS teamsan)
endfunction()
