// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a report says of the program and of the run, beside what was found.
#pragma once

#include "../report/Report.hpp"

#include <string>

namespace teamsan {

struct Options;

/// What is known before the end: arguments, flags, device.
void add_facts(ProgramFacts& facts, Options const& chosen);
/// Libraries whose code nobody has seen, each with a note.
void name_unchecked_libraries(ProgramFacts& facts);
/// What a file .teamsan has set, and which rules that leaves out; empty: nothing.
std::string note_on_config(Options const& chosen);

}  // namespace teamsan
