// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shadow cells keep the low half of an instruction's address. The modules of the program tell the other half.
#pragma once

#include <cstdint>
#include <vector>

namespace teamsan {

/// A range of addresses that a loaded module takes.
struct Segment {
  std::uintptr_t begin, end;
  bool code, writable;
};
std::vector<Segment> const& loaded_segments();

/// The return address in a loaded module's code with these low 32 bits; 0 if there is none. Modules may lie at the same
/// place of two blocks of 4 GiB: then it is the address that lies behind a call.
std::uintptr_t full_pc(std::uint32_t low);
std::uintptr_t full_pc(std::uint32_t low, std::vector<Segment> const& segments);

/// True for addresses in a loaded module's segments that the program cannot write: constants, tables, code.
bool is_read_only_data(std::uintptr_t address);

/// True for addresses in a loaded module's writable segments.
bool is_static_data(std::uintptr_t address);

/// Where the loaded module begins that has the address in one of its segments; 0: none has.
std::uintptr_t module_begin(std::uintptr_t address);

/// True for the calling thread's thread-local variables and its control block.
bool is_thread_local_data(std::uintptr_t address);

}  // namespace teamsan
