// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program's own signal handlers, and its stacks for them. Those for signals that no program survives stay behind TeamSan's
/// own (FatalSignals.hpp), whenever they were installed: test frameworks install theirs for each test, and one that ran on a
/// lane that crashed would be taken for the kernel, on a stack that is too small for a report. Any other is called as
/// before; what it does while it interrupts a lane is not the lane's.
#pragma once

#include <csignal>

namespace teamsan {

/// The C library's.
int real_sigaction(int signal, struct sigaction const* action, struct sigaction* old) noexcept;

/// TeamSan's handler for a signal that no program survives; the program's goes behind it from here on.
void put_before_programs(int signal, struct sigaction const& action) noexcept;

/// Calls the program's handler for such a signal. False: it has none.
bool call_programs_handler(int signal, siginfo_t* info, void* context);

/// Has the program asked for what such a signal does by itself?
bool asks_to_die_of(int signal) noexcept;
void die_of(int signal) noexcept;

/// The calling thread's stack for handlers. A smaller one of the program's does not replace it.
void use_signal_stack(stack_t const& stack) noexcept;

}  // namespace teamsan
