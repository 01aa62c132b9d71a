// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lies in the writable segments of the loaded modules, by the symbol tables of their files: of each module the whole
/// table, read when the first address in it is asked about, so that an answer hangs on nothing that was looked up before.
/// Verdicts hang on it. Cannot see the names of a file without a symbol table (strip).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace teamsan {

/// Demangled name of the variable that holds the address; empty: no symbol names one.
std::string static_variable(std::uintptr_t address);

/// What is known of the addresses from begin to end, the one that was asked about among them.
struct StaticSpan {
  std::uintptr_t begin = 0, end = 0;
  /// It may be a constant that a compiler keeps in memory which could be written. Clang puts initial values of an array member
  /// there, without a symbol: so all that has no name may be one, in modules with code of Clang's, and in those whose file
  /// cannot be read.
  bool may_be_constant = false;
  /// In a table of locks behind Kokkos' atomics on types without hardware atomics: one that a backend told, or by its symbol.
  bool kokkos_lock = false;
};
/// Of an address in a writable segment.
StaticSpan static_span(std::uintptr_t address);

/// See StaticSpan::kokkos_lock; false outside writable segments. Cheap for tables that are known.
bool is_kokkos_lock(std::uintptr_t address);

/// Variables of the program that are the device's, by CUDA's, HIP's or SYCL's words for them: lanes may read them, and unless
/// they are constant memory write them. Thread-safe; nothing is ever taken back. What lanes do there is not checked.
enum class DeviceVariable : std::uint8_t { none, variable, constant };
void note_device_variable(void const* begin, std::size_t bytes, DeviceVariable kind);
DeviceVariable device_variable_at(std::uintptr_t address) noexcept;

/// A backend's: where the table lies that its own code uses, whatever symbols there are. Thread-safe.
void note_kokkos_locks(void const* begin, std::size_t bytes);

}  // namespace teamsan
