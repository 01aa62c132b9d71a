// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The modules of the program: which of its addresses are code, data, and whose. A Site is half an address (Sites.hpp); they
/// tell the other half.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

/// A range of addresses that a loaded module takes.
struct Segment {
  std::uintptr_t begin, end;
  bool code, writable;
};
std::vector<Segment> const& loaded_segments();

/// The address in the code of these modules that the site is half of; 0 if there is none. Modules may lie at the same place of
/// two blocks of 4 GiB: then it is the address that lies behind a check in line, or behind a call, or that of the first module.
std::uintptr_t address_in(std::vector<Segment> const& segments, Site site);
/// The same in this process' modules, those that were let go included, the latest first.
std::uintptr_t address_in_process(Site site);

/// True for addresses in a loaded module's segments that the program cannot write: constants, tables, code.
bool is_read_only_data(std::uintptr_t address);

/// True for addresses in a loaded module's writable segments.
bool is_static_data(std::uintptr_t address);

/// Where the loaded module begins that has the address in one of its segments; 0: none has.
std::uintptr_t module_begin(std::uintptr_t address);

/// True for the calling thread's thread-local variables and its control block.
bool is_thread_local_data(std::uintptr_t address);

}  // namespace teamsan
