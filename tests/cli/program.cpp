// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `teamsan run` starts: prints the options it was given, then its arguments; ends with status 7.
#include <cstdio>
#include <cstdlib>

#ifdef MARKED
// Stands in for the runtime's own marker: the launcher looks for the name only.
extern "C" void __teamsan_runtime() {}
#endif

int main(int count, char** words) {
  char const* options = std::getenv("TEAMSAN_OPTIONS");
  std::printf("options [%s]", options == nullptr ? "" : options);
  for (int i = 0; i < count; ++i) std::printf(" [%s]", i == 0 ? "program" : words[i]);
  std::printf("\n");
  return 7;
}
