# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tests' kernels, good_kernels and bad_kernels: TEAMSAN_KERNELS_A_PROGRAM of them make one program, each in a namespace of
# its own, since most of compiling one is reading Kokkos' headers (alone, 380 of them take half an hour on 8 cores). A link
# of each kernel's name leads to its program, which runs the kernel that it was called by:
#   ./kernel_silent_transpose
# A kernel's source is taken over as it is, with its lines' numbers; but main gets another name, and returns 0 by itself.
set(TEAMSAN_KERNELS_A_PROGRAM 12 CACHE STRING "How many of the tests' kernels are compiled together")

# What a GPU's compiler refuses, and why.
set(not_for_a_gpu
  crash/exception crash/exception_before_a_meeting  # throws in a kernel
  crash/assertion_under_handler crash/assertion_under_handler_fixed  # a kernel calls the host's __assert_fail
  nesting/kernel_in_kernel      # a kernel's lambda within another's
  silent/backend_signatures     # generic lambdas with an execution space
  silent/exceptions_at_barriers # throws in a kernel
  silent/host_mutex             # std::mutex in a kernel
  silent/index_by_reference     # a body that takes its index by reference
  silent/index_of_lane          # a kernel's lambda within `if constexpr`
  wrong-space/global_after_a_finding wrong-space/grid_in_a_global wrong-space/grid_in_a_global_fixed wrong-space/static_of_function
  wrong-space/global_variable)  # a kernel reads a variable of the host

# add_kernels(TARGET GROUP SOURCE...)
function(add_kernels target group)
  set(includes "#include <cstdio>\n#include <string_view>\n")
  set(bodies "")
  set(calls "")
  set(links "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM case)
    cmake_path(GET source PARENT_PATH directory)
    cmake_path(GET directory FILENAME rule)
    set(name "kernel_${rule}_${case}")
    string(MAKE_C_IDENTIFIER "${name}" space)
    file(READ "${source}" text)
    string(REGEX MATCHALL "\n#include [^\n]*" found "\n${text}")
    string(REPLACE ";" "" found "${found}\n")
    # Kokkos_Graph.hpp first: names that it needs are hidden by the Kokkos::Impl::Experimental of others (5.2.2).
    if(found MATCHES "<Kokkos_Graph.hpp>")
      string(PREPEND includes "#include <Kokkos_Core.hpp>\n#include <Kokkos_Graph.hpp>\n")
    endif()
    string(APPEND includes "${found}")
    string(REGEX REPLACE "\nint main\\(" "\nint run(" text "${text}")
    string(REGEX REPLACE "\n}\n(//[^\n]*\n|\n)*$" "\n  return 0;\n}\n" text "${text}")
    string(APPEND bodies "\nnamespace ${space} {\n#line 1 \"${source}\"\n${text}}\n")
    string(APPEND calls "  if (name == \"${name}\") return call(${space}::run, argc, argv);\n")
    list(APPEND links COMMAND "${CMAKE_COMMAND}" -E create_symlink ${target} ${name})
  endforeach()
  set(made "${PROJECT_BINARY_DIR}/kernels/${target}.cpp")
  file(WRITE "${made}.new" "${includes}${bodies}\n#line 1 \"${made}\"
static int call(int (*run)(int, char**), int argc, char* argv[]) { return run(argc, argv); }
static int call(int (*run)(), int, char**) { return run(); }
int main(int argc, char* argv[]) {
  std::string_view name = argv[0];
  name.remove_prefix(name.rfind('/') + 1);
${calls}  std::fprintf(stderr, \"${target}: to be called by the name of a kernel\\n\");
  return 2;
}\n")
  file(COPY_FILE "${made}.new" "${made}" ONLY_IF_DIFFERENT)
  file(REMOVE "${made}.new")
  program(${target} ${group} "${made}")
  add_custom_command(TARGET ${target} POST_BUILD ${links} VERBATIM)
endfunction()

file(GLOB kernels CONFIGURE_DEPENDS "${teamsan}/tests/kernels/*/*.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernels})
set(good_kernels)
set(bad_kernels)
foreach(source IN LISTS kernels)
  cmake_path(GET source STEM case)
  cmake_path(GET source PARENT_PATH directory)
  cmake_path(GET directory FILENAME rule)
  if((Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP) AND "${rule}/${case}" IN_LIST not_for_a_gpu)
    message(STATUS "kernel_${rule}_${case} is left out: a GPU's compiler refuses it")
  elseif(rule STREQUAL "silent" OR case MATCHES "_fixed$")
    list(APPEND good_kernels "${source}")
  else()
    list(APPEND bad_kernels "${source}")
  endif()
endforeach()
foreach(group IN ITEMS good_kernels bad_kernels)
  list(LENGTH ${group} count)
  math(EXPR last "${count} - 1")
  foreach(first RANGE 0 ${last} ${TEAMSAN_KERNELS_A_PROGRAM})
    list(SUBLIST ${group} ${first} ${TEAMSAN_KERNELS_A_PROGRAM} together)
    math(EXPR number "${first} / ${TEAMSAN_KERNELS_A_PROGRAM} + 1")
    add_kernels(${group}_${number} ${group} ${together})
  endforeach()
endforeach()
