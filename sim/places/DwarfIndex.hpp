// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The debug information of everything loaded into this process, looked up by address. Decides which inlined
/// functions an address lies in and which source line each stands at; keeps what it had to read (compilation
/// units' address ranges, functions' address ranges) for the next lookup. Not thread-safe: Symbolizer.cpp
/// locks around it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

/// One function around an address, as the debug information has it.
struct RawFrame {
  std::string function;  ///< demangled, whole; empty: unknown
  std::string file;      ///< absolute where the compiler recorded its directory; empty: unknown
  unsigned line = 0, column = 0;
  bool clang = false;  ///< the compiler of the code
};

class DwarfIndex {
 public:
  /// All members throw when the system has no memory or files left for reading.
  DwarfIndex();
  ~DwarfIndex();

  /// The inline chain at `address`, innermost first; with symbols only, one frame without a file; else empty.
  std::vector<RawFrame> lookup(std::uintptr_t address);

  /// Demangled name of the variable that holds the address, by symbol tables, those of separate debug files too; empty: none
  /// does.
  std::string variable(std::uintptr_t address);

  /// See Program::field.
  std::string field(std::uintptr_t pc, std::string_view type, std::uint32_t bytes, std::uint32_t byte);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace teamsan
