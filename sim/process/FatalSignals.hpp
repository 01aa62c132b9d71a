// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The signals that no program survives. Raised by a lane they become a finding; in any case the report is written before
/// the program ends, whatever the thread that crashed was about and whatever it left behind: its stack may be damaged or
/// full, the heap damaged, locks held. The handler has a stack of its own, memory of its own (ReportMemory.hpp) and a
/// watchdog; what it reads of the program may crash without harm (Survives.hpp).
#pragma once

#include <csignal>

namespace teamsan {

inline constexpr int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/// Once, at start, after arena::reserve().
void install_fatal_handlers();

}  // namespace teamsan
