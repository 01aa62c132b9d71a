// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Leaving.hpp"

#include "../findings/Collector.hpp"
#include "../memory/Hot.hpp"
#include "Exit.hpp"
#include "ExitInKernel.hpp"
#include "Processes.hpp"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace teamsan {

namespace {

std::atomic<bool> seen_to{false};

/// Not the runtime's own call, nor that of a child which shares its parent's memory.
bool is_the_programs() { return seen_to && hot.in_runtime == 0 && is_own_process(); }

bool is_forked_by_a_lane() { return hot.lane != nullptr && process_is_forked(); }

/// A child that only makes way for another program, or for nobody, is gone at once.
bool has_nothing_to_tell() {
  RuntimeScope const scope;
  return process_is_forked() && !Collector::instance().has_worked() && children_at_work().empty();
}

[[noreturn]] void leave(char const* function, int status) {
  if (is_the_programs() && !has_nothing_to_tell()) {
    end_by_lane(function, status);
    if (int const own = finish_report_of_leaver(false); own != 0) status = own;
  }
  leave_process(status);
}

// ---- exec ----------------------------------------------------------------------------------------------------------

template <class F>
F real(char const* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

bool can_be_executed(char const* file, bool searched) {
  if (file == nullptr) return false;
  if (!searched || std::strchr(file, '/') != nullptr) return ::access(file, X_OK) == 0;
  char const* const path = std::getenv("PATH");
  std::string_view rest = path ? path : "/bin:/usr/bin";
  for (;;) {
    std::size_t const colon = std::min(rest.find(':'), rest.size());
    std::string const folder(rest.substr(0, colon));
    if (::access(((folder.empty() ? "." : folder) + '/' + file).c_str(), X_OK) == 0) return true;
    if (colon == rest.size()) return false;
    rest.remove_prefix(colon + 1);
  }
}

/// The environment for the program to come: what it is told of this process' reports.
class Environment {
 public:
  Environment(char* const* given, std::string variable) : m_variable(std::move(variable)) {
    std::string_view const name = process_variable_name;
    for (; given != nullptr && *given != nullptr; ++given) {
      std::string_view const entry = *given;
      bool const mine = entry.starts_with(name) && entry.substr(name.size()).starts_with('=');
      if (!mine || m_variable.empty()) m_entries.push_back(*given);
    }
    if (!m_variable.empty()) m_entries.push_back(m_variable.data());
    m_entries.push_back(nullptr);
  }
  char* const* get() const { return m_entries.data(); }

 private:
  std::string m_variable;
  std::vector<char*> m_entries;
};

/// Tells what was found if the program is about to be replaced, then `execute(environment)`.
template <class Execute>
int replace(char const* function, bool possible, char* const* given, Execute execute) {
  if (!possible || is_forked_by_a_lane()) return execute(given);
  end_by_lane(function, 128 + 6);
  bool const worked = Collector::instance().has_worked();
  int const status = worked ? finish_report_of_leaver(true) : 0;
  std::string variable;
  {
    RuntimeScope const scope;
    if (!worked && !process_is_forked()) announce_replacement();
    variable = process_variable(worked, status != 0);
  }
  int const result = execute(Environment(given, std::move(variable)).get());
  // It was not replaced.
  RuntimeScope const scope;
  if (worked) take_back_report();
  if (!process_is_forked()) announce_reports();
  return result;
}

using Execve = int (*)(char const*, char* const*, char* const*);
using Fexecve = int (*)(int, char* const*, char* const*);

int exec_file(char const* function, char const* file, bool searched, char* const* arguments,
              char* const* environment) {
  bool const possible = is_the_programs() && can_be_executed(file, searched);
  return replace(function, possible, environment, [&](char* const* env) {
    static auto const direct = real<Execve>("execve"), by_path = real<Execve>("execvpe");
    return (searched ? by_path : direct)(file, arguments, env);
  });
}

/// The arguments of execl and its like, up to the null pointer.
std::vector<char*> listed(char const* first, std::va_list& rest) {
  std::vector<char*> arguments{const_cast<char*>(first)};
  while (arguments.back() != nullptr) arguments.push_back(va_arg(rest, char*));
  return arguments;
}

}  // namespace

void see_to_leaving() noexcept { seen_to = true; }

}  // namespace teamsan

#pragma GCC visibility push(default)
extern "C" {

void _exit(int status) { teamsan::leave("_exit", status); }
void _Exit(int status) noexcept { teamsan::leave("_Exit", status); }

int execve(char const* file, char* const arguments[], char* const environment[]) noexcept {
  return teamsan::exec_file("execve", file, false, arguments, environment);
}
int execv(char const* file, char* const arguments[]) noexcept {
  return teamsan::exec_file("execv", file, false, arguments, environ);
}
int execvp(char const* file, char* const arguments[]) noexcept {
  return teamsan::exec_file("execvp", file, true, arguments, environ);
}
int execvpe(char const* file, char* const arguments[], char* const environment[]) noexcept {
  return teamsan::exec_file("execvpe", file, true, arguments, environment);
}
int execl(char const* file, char const* first, ...) noexcept {
  std::va_list rest;
  va_start(rest, first);
  std::vector<char*> const arguments = teamsan::listed(first, rest);
  va_end(rest);
  return teamsan::exec_file("execl", file, false, arguments.data(), environ);
}
int execlp(char const* file, char const* first, ...) noexcept {
  std::va_list rest;
  va_start(rest, first);
  std::vector<char*> const arguments = teamsan::listed(first, rest);
  va_end(rest);
  return teamsan::exec_file("execlp", file, true, arguments.data(), environ);
}
int execle(char const* file, char const* first, ...) noexcept {
  std::va_list rest;
  va_start(rest, first);
  std::vector<char*> const arguments = teamsan::listed(first, rest);
  char* const* const environment = va_arg(rest, char* const*);
  va_end(rest);
  return teamsan::exec_file("execle", file, false, arguments.data(), environment);
}
int fexecve(int file, char* const arguments[], char* const environment[]) noexcept {
  bool const possible = teamsan::is_the_programs() && ::fcntl(file, F_GETFD) >= 0;
  return teamsan::replace("fexecve", possible, environment, [&](char* const* env) {
    static auto const function = teamsan::real<teamsan::Fexecve>("fexecve");
    return function(file, arguments, env);
  });
}
}
#pragma GCC visibility pop
