// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the symbols of an ELF file tell of how it was built. Symbols alone: of a static library's members nothing is left
/// in the program that took them in but their line tables.
#pragma once

#include <string>
#include <vector>

namespace teamsan {

struct ObjectSymbols {
  enum class Kind { program, library, object };
  bool is_elf = false;
  Kind kind = Kind::program;
  bool has_runtime = false;      ///< TeamSan's runtime lies in it
  bool is_instrumented = false;  ///< its accesses call a runtime
  bool uses_kokkos = false;
  bool has_plain_bodies = false;  ///< for launches that are not checked, by the compiler's plug-in
  bool is_kokkos = false;  ///< one of Kokkos' own libraries, which are part of every checked program
  std::string sanitizer;   ///< another one's runtime that it calls: "AddressSanitizer"; empty: none
  std::vector<std::string> search;  ///< folders in which the loader looks for them, as the file says; may begin with $ORIGIN
  std::vector<std::string> needed;  ///< shared libraries by name, in the file's order
};

class CompiledKernels;

/// Of a file that cannot be read, or is no ELF file, is_elf is false. `kernels`, if given, gets every symbol.
ObjectSymbols object_symbols(std::string const& path, CompiledKernels* kernels = nullptr);

}  // namespace teamsan
