// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Workers.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace teamsan {

namespace {

/// The number that a text begins with; 0: none.
unsigned number_at(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string whole(std::string const& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// CPUs that the process was given. A runtime of OpenMP that binds its threads (OMP_PROC_BIND, which Kokkos recommends) binds
/// the program's first one as soon as its library is loaded, and later threads inherit that.
std::array<cpu_set_t, 16> given_cpus;
bool knows_given_cpus = false;

[[gnu::no_sanitize("address", "undefined")]] void note_given_cpus() {
  knows_given_cpus = sched_getaffinity(0, sizeof given_cpus, given_cpus.data()) == 0;
}
/// Before any library's own beginning.
[[gnu::section(".preinit_array"), gnu::used]] void (*const notes_given_cpus)() = note_given_cpus;

unsigned allowed_cpus() {
  if (knows_given_cpus)
    return static_cast<unsigned>(std::max(1, CPU_COUNT_S(sizeof given_cpus, given_cpus.data())));
  // The kernel's mask may be wider than cpu_set_t.
  for (std::size_t cpus = CPU_SETSIZE; cpus <= 1u << 20; cpus *= 2) {
    cpu_set_t* const set = CPU_ALLOC(cpus);
    std::size_t const bytes = CPU_ALLOC_SIZE(cpus);
    int const count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return static_cast<unsigned>(count);
  }
  return static_cast<unsigned>(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Of the ctest that runs this process, maybe by way of a script and a launcher; 1: there is none.
unsigned tests_beside(unsigned all) {
  long process = getppid();
  for (int generation = 0; generation != 6 && process > 1; ++generation) {
    std::string const at = "/proc/" + std::to_string(process);
    if (unsigned const tests = tests_at_a_time(whole(at + "/cmdline"), all); tests != 0) return tests;
    std::string const status = whole(at + "/stat");
    std::size_t const name_end = status.rfind(')');  // "123 (name) S 45 ..."
    if (name_end == std::string::npos || name_end + 4 >= status.size()) break;
    process = std::strtol(status.c_str() + name_end + 4, nullptr, 10);
  }
  return 1;
}

}  // namespace

unsigned workers_in(Surroundings const& place) {
  double const all = place.quota > 0 ? std::min<double>(place.online, std::ceil(place.quota)) : place.online;
  auto const share = static_cast<unsigned>(all / std::max(place.beside, 1u));
  return std::max(1u, std::min(place.allowed, share));
}

double cpu_quota(std::string const& cgroups, std::string const& root) {
  double least = 0;
  auto const grant = [&](double quota, double period) {
    if (quota > 0 && period > 0 && (least == 0 || quota / period < least)) least = quota / period;
  };
  std::istringstream lines(cgroups);
  for (std::string line; std::getline(lines, line);) {
    std::size_t const first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string const controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    bool const unified = controllers == ",,";
    if (!unified && controllers.find(",cpu,") == std::string::npos) continue;
    // A container may see its own group at the root, under whatever path.
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      if (path == "/") path.clear();
      double quota = 0, period = 0;
      if (unified) {
        std::ifstream(root + path + "/cpu.max") >> quota >> period;  // "max" is no number
        grant(quota, period);
      } else {
        std::ifstream(root + "/cpu" + path + "/cpu.cfs_quota_us") >> quota;
        std::ifstream(root + "/cpu" + path + "/cpu.cfs_period_us") >> period;
        grant(quota, period);
      }
      if (path.find('/') == std::string::npos) break;
    }
  }
  return least;
}

unsigned local_ranks(std::function<char const*(char const*)> const& variable) {
  // Slurm's is of the step: "4(x2),3".
  for (char const* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                                 "PALS_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE"})
    if (char const* const value = variable(name); value != nullptr)
      if (unsigned const ranks = number_at(value); ranks != 0) return ranks;
  return 1;
}

unsigned tests_at_a_time(std::string_view command_line, unsigned all) {
  std::vector<std::string_view> words;
  while (!command_line.empty()) {
    std::size_t const end = std::min(command_line.find('\0'), command_line.size());
    words.push_back(command_line.substr(0, end));
    command_line.remove_prefix(std::min(end + 1, command_line.size()));
  }
  if (words.empty()) return 0;
  std::string_view program = words[0];
  program.remove_prefix(std::min(program.rfind('/') + 1, program.size()));
  if (program != "ctest" && program != "ctest3") return 0;
  unsigned tests = 1;
  for (std::size_t i = 1; i != words.size(); ++i) {
    std::string_view word = words[i];
    if (word == "-j" || word == "--parallel") {
      unsigned const number = i + 1 != words.size() ? number_at(words[i + 1]) : 0;
      tests = number != 0 ? number : all;
    } else if (word.starts_with("--parallel=")) {
      tests = std::max(1u, number_at(word.substr(11)));
    } else if (word.starts_with("-j")) {
      tests = std::max(1u, number_at(word.substr(2)));
    }
  }
  return tests;
}

unsigned default_workers() {
  static unsigned const workers = [] {
    Surroundings place;
    place.allowed = allowed_cpus();
    place.online = static_cast<unsigned>(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
    place.quota = cpu_quota(whole("/proc/self/cgroup"), "/sys/fs/cgroup");
    place.beside = std::max(local_ranks([](char const* name) -> char const* { return std::getenv(name); }),
                            tests_beside(workers_in(place)));
    return workers_in(place);
  }();
  return workers;
}

void run_on_given_cpus() {
  if (knows_given_cpus) sched_setaffinity(0, sizeof given_cpus, given_cpus.data());
}

}  // namespace teamsan
