# Writes OUT, one program of the kernels SOURCES (separated by commas), for a build in batches: each source in a namespace of its
# own, with its own file and lines; the name that the program is called by says which of them runs.
set(includes "#include <cerrno>" "#include <cstdio>" "#include <cstring>")
set(programs)
set(calls)
string(REPLACE "," ";" sources "${SOURCES}")
foreach(source IN LISTS sources)
  string(REGEX REPLACE "^.*/([^/]+)/([^/]+)[.]cpp$" "kernel_\\1_\\2" name "${source}")
  string(MAKE_C_IDENTIFIER "${name}" space)
  file(READ "${source}" text)
  string(REGEX MATCHALL "#include [<\"][^>\"]*[>\"]" own "${text}")
  list(APPEND includes ${own})
  string(REGEX REPLACE "#include [^\n]*" "" text "${text}")
  # Outside the global namespace, main() has to return something.
  string(REGEX REPLACE "(\nint main[(].*\n)}" "\\1return 0; }" text "${text}")
  string(APPEND programs "namespace ${space} {\n#line 1 \"${source}\"\n${text}}\n")
  string(APPEND calls "  if (std::strcmp(name, \"${name}\") == 0) return call(${space}::main, argc, argv);\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE "${OUT}" "${includes}\n${programs}#line 1 \"batch\"
static int call(int (*program)(), int, char**) { return program(); }
static int call(int (*program)(int, char**), int argc, char** argv) { return program(argc, argv); }
int main(int argc, char** argv) {
  char const* const name = program_invocation_short_name;
${calls}  std::fprintf(stderr, \"%s is no program of this batch: call it by a kernel's name\\n\", name);
  return 2;
}
")
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
