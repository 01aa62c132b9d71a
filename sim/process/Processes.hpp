// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which process this is: a checked program by itself, a child that fork made of one, or a program that a checked one has
/// started or made way for by exec. Those that have the same options must not write over each other's reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace teamsan {

/// Sees to forks from here on; `in_child` is called in every child. Once.
void note_process(void (*in_child)()) noexcept;

/// Is this the process that the runtime knows? Not in a child of vfork or of a bare clone: these share the parent's memory or
/// were made without the C library, and are left alone.
bool is_own_process() noexcept;

/// Did fork make it of a checked program?
bool process_is_forked() noexcept;

/// True once in a process that fork made: it is about to run its first kernel. Its parent knows of it from here on.
bool begins_in_forked_process() noexcept;

/// expanded_file_name(), and ".PID" before the extension if another process of this run may write to that name:
/// "r.json" becomes "r.4711.json".
std::string own_file_name(std::string_view name);

/// A child that ran kernels.
struct ChildProcess {
  pid_t process = 0;
  bool ended = false;  ///< its report is written
  std::uint64_t errors = 0;
};
std::vector<ChildProcess> children_at_work();
/// "process 4711, which fork made, found 2 errors: its report has its number in the name".
std::string to_string(ChildProcess const& child);

/// This process ends with so many errors, its children's included.
void notify_parent(std::uint64_t errors) noexcept;

/// The variable of the environment by which the programs that this one starts know of it, as it is to be for a program that
/// takes its place: "NAME=VALUE"; empty: as it is. `worked`: it leaves reports of its own behind.
std::string process_variable(bool worked, bool errors);
inline constexpr char process_variable_name[] = "TEAMSAN_PROCESS";

/// The program that this one took the place of had found an error.
bool errors_before_exec() noexcept;

}  // namespace teamsan
