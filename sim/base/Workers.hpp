// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many workers a process takes that was not told (--num-threads): the CPUs that it may use, and of those that its machine
/// or control group has the part that other checked processes beside it leave.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace teamsan {

/// What is known of the place where the process runs.
struct Surroundings {
  unsigned allowed = 1;  ///< CPUs in the affinity mask that it was given
  unsigned online = 1;   ///< CPUs of the machine
  double quota = 0;      ///< CPUs that its control groups grant; 0: as many as there are
  unsigned beside = 1;   ///< processes among which they are to be shared, itself included
};

/// At least 1.
unsigned workers_in(Surroundings const& place);

/// CPUs that the control groups of that /proc/self/cgroup grant, below `root` ("/sys/fs/cgroup"), versions 1 and 2; 0: no
/// limit.
double cpu_quota(std::string const& cgroups, std::string const& root);

/// Ranks of an MPI job on this machine, as Open MPI, MPICH, MVAPICH, PALS and Slurm tell each; 1 outside of one.
unsigned local_ranks(std::function<char const*(char const*)> const& variable);

/// Tests that a `ctest` of that command line (words that end in '\0') runs at a time; 0: it is no ctest. `all`: what a -j
/// without a number stands for.
unsigned tests_at_a_time(std::string_view command_line, unsigned all);

/// Of this process, asked once.
unsigned default_workers();

/// The calling thread, one of the runtime's own, runs on any CPU that the process was given, wherever the thread that made it
/// is bound.
void run_on_given_cpus();

}  // namespace teamsan
