// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Gcc.hpp"

namespace teamsan_plugin {

/// Declarations of the runtime's functions, which GCC's collector is told of (Plugin.cpp): of compare-and-exchange by value, by
/// the log2 of its bytes, the poll, callbacks from checks in line, by bytes and kind, the thread's state, a variable, and
/// callbacks from teams' checks.
inline constexpr unsigned poll = 5, checks = 6, state_variable = 12, team_checks = 13, runtime_functions = 17;
extern tree runtime_function[runtime_functions];

/// Puts the runtime's call in the place of the atomic operation at `at`, as -fsanitize=thread would, if it is one: lanes that
/// wait for each other by atomics are known by them. Leaves alone what is none.
void call_runtime_for_atomic(gimple_stmt_iterator& at);

/// The compare-and-exchange whose outcome is an SSA name, if the statement is one: GCC makes it of those whose expected value
/// has no address.
gcall* compare_exchange(gimple* statement);

}  // namespace teamsan_plugin
