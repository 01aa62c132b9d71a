# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUT, one program of all SOURCES, called by NAMES (both separated by commas), for a build in batches: each source in a
# namespace of its own, with its own file and lines; the name that the program is called by says which of them runs. KIND is
# `programs`, each with a main(), or `suites` of Boost.Test.
set(includes "#include <cerrno>" "#include <cstdio>" "#include <cstring>")
set(parts)
set(calls)
string(REPLACE "," ";" names "${NAMES}")
string(REPLACE "," ";" sources "${SOURCES}")
foreach(name source IN ZIP_LISTS names sources)
  string(MAKE_C_IDENTIFIER "${name}" space)
  cmake_path(GET source PARENT_PATH directory)
  file(READ "${source}" text)
  string(REGEX MATCHALL "#include [<\"][^>\"]*[>\"]" own "${text}")
  list(TRANSFORM own REPLACE "#include \"(.*)\"" "#include \"${directory}/\\1\"")
  list(APPEND includes ${own})
  string(REGEX REPLACE "#include [^\n]*" "" text "${text}")
  string(REGEX MATCHALL "\n *#define [A-Za-z0-9_]+" ends "${text}")
  list(TRANSFORM ends REPLACE "define" "undef")
  list(JOIN ends "" ends)
  if(KIND STREQUAL "programs")
    # Outside the global namespace, main() has to return something.
    string(REGEX REPLACE "(\nint main[(].*\n)}" "\\1return 0; }" text "${text}")
    string(APPEND parts "namespace ${space} {\n#line 1 \"${source}\"\n${text}}${ends}\n")
    string(APPEND calls "  if (std::strcmp(name, \"${name}\") == 0) return call(${space}::main, argc, argv);\n")
  else()
    # A global fixture would be every suite's.
    set(fixture)
    if(text MATCHES "BOOST_TEST_GLOBAL_FIXTURE[(]([A-Za-z_:]+)[)];")
      set(fixture "${space}::${CMAKE_MATCH_1} const fixture; ")
      string(REPLACE "${CMAKE_MATCH_0}" "" text "${text}")
    endif()
    string(APPEND parts "BOOST_AUTO_TEST_SUITE(${space})\n#line 1 \"${source}\"\n${text}BOOST_AUTO_TEST_SUITE_END()${ends}\n")
    string(APPEND calls "  if (std::strcmp(name, \"${name}\") == 0) { ${fixture}return run(\"--run_test=${space}\", argc, argv); }\n")
  endif()
endforeach()
# Kokkos' header of graphs does not compile behind that of ScatterView, which has a namespace Kokkos::Impl::Experimental.
if(includes MATCHES "#include <Kokkos_Graph.hpp>")
  list(PREPEND includes "#include <Kokkos_Graph.hpp>")
endif()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
if(KIND STREQUAL "programs")
  set(how "static int call(int (*program)(), int, char**) { return program(); }
static int call(int (*program)(int, char**), int argc, char** argv) { return program(argc, argv); }")
else()
  set(how "static int run(char const* suite, int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, const_cast<char*>(suite));
  arguments.push_back(nullptr);
  return boost::unit_test::unit_test_main([] { return true; }, argc + 1, arguments.data());
}")
  set(includes "#include <boost/test/unit_test.hpp>\n#include <vector>\n${includes}")
endif()
file(WRITE "${OUT}" "${includes}\n${parts}#line 1 \"batch\"
${how}
int main(int argc, char** argv) {
  char const* const name = program_invocation_short_name;
${calls}  std::fprintf(stderr, \"%s is no program of this batch: call it by the name of one\\n\", name);
  return 2;
}
")
