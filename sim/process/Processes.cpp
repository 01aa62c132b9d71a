// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Processes.hpp"

#include "../base/ReportFile.hpp"
#include "../findings/TextLayout.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <new>

namespace teamsan {
namespace {

/// Written by children, read by their parents: a page that fork does not copy.
struct Family {
  static constexpr unsigned most = 200;  ///< later children end unseen
  struct Member {
    std::atomic<pid_t> process, parent;
    std::atomic<bool> ended;
    std::atomic<std::uint64_t> errors;
  };
  std::atomic<unsigned> count;
  Member members[most];
};

Family* family = nullptr;
Family::Member* self = nullptr;  ///< nullptr: not forked, or nothing was launched yet
void (*call_in_child)() = nullptr;
pid_t process = 0, parent = 0;
bool forked = false, at_work = false;

// From process_variable_name: who started this program with the same options, and the how-manieth one of that process it is.
pid_t starter = 0;
unsigned image = 1;
bool errors_before = false;
std::size_t options_hash = 0;  ///< of the options' text

std::string variable_value(bool errors) {
  return fmt::format("{}.{}.{}.{:x}", process, image, errors ? 1 : 0, options_hash);
}

void begin_child() {
  parent = process;
  process = ::getpid();
  forked = true;
  at_work = false;
  self = nullptr;
  call_in_child();
}

/// What other processes of the run do not have in their files' names; empty: the name by itself is this one's.
std::string own_part(bool has_process) {
  std::string const number = has_process ? "" : std::to_string(process);
  if (forked) return number;
  if (starter == 0) return "";
  return image < 2 ? number : fmt::format("{}{}{}", number, has_process ? "" : "-", image);
}

}  // namespace

void note_process(void (*in_child)()) noexcept {
  process = ::getpid();
  call_in_child = in_child;
  void* const page = ::mmap(nullptr, sizeof(Family), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) family = new (page) Family;
  ::pthread_atfork(nullptr, nullptr, begin_child);
  char const* const text = ::getenv("TEAMSAN_OPTIONS");
  options_hash = std::hash<std::string_view>()(text ? text : "");
  if (char const* const value = ::getenv(process_variable_name)) {
    unsigned errors = 0;
    std::size_t hash = 0;
    bool const read = std::sscanf(value, "%d.%u.%u.%zx", &starter, &image, &errors, &hash) == 4;
    if (!read || hash != options_hash) starter = 0;  // with other options it has other files
    image = starter == process ? image + 1 : 1;
    errors_before = starter == process && errors != 0;
  }
  ::setenv(process_variable_name, variable_value(false).c_str(), 1);
}

bool is_own_process() noexcept { return process == ::getpid(); }
bool process_is_forked() noexcept { return forked; }
bool errors_before_exec() noexcept { return errors_before && !forked; }

bool begins_in_forked_process() noexcept {
  if (!forked || at_work) return false;
  at_work = true;
  starter = 0;
  image = 1;
  ::setenv(process_variable_name, variable_value(false).c_str(), 1);
  if (family == nullptr) return true;
  unsigned const place = family->count++;
  if (place >= Family::most) return true;
  self = &family->members[place];
  self->parent = parent;
  self->process = process;
  return true;
}

std::string own_file_name(std::string_view name) {
  std::string file = expanded_file_name(name);
  bool has_process = false;
  for (std::size_t i = 0; i + 1 < name.size(); ++i)
    if (name[i] == '%') has_process |= name[++i] == 'p';
  std::string const part = own_part(has_process);
  if (part.empty() || is_stream(file)) return file;
  std::size_t const base = file.rfind('/') + 1;  // npos + 1 is 0
  std::size_t const dot = file.rfind('.');
  return file.insert(dot == std::string::npos || dot <= base ? file.size() : dot, '.' + part);
}

std::vector<ChildProcess> children_at_work() {
  std::vector<ChildProcess> children;
  if (family == nullptr) return children;
  for (unsigned i = 0; i != std::min<unsigned>(family->count, Family::most); ++i) {
    Family::Member const& member = family->members[i];
    if (member.parent == process && member.process != 0) children.push_back({member.process, member.ended, member.errors});
  }
  return children;
}

std::string to_string(ChildProcess const& child) {
  std::string const what = !child.ended       ? "has not ended yet, or was killed"
                           : child.errors == 0 ? "found no error"
                                               : fmt::format("found {}", counted(child.errors, "error"));
  return fmt::format("process {}, which fork made, {}; its reports have its number in their names", child.process, what);
}

void notify_parent(std::uint64_t errors) noexcept {
  if (self == nullptr) return;
  self->errors = errors;
  self->ended = true;
}

std::string process_variable(bool worked, bool errors) {
  if (!worked) return forked || starter != 0 ? "" : fmt::format("{}=", process_variable_name);
  return fmt::format("{}={}", process_variable_name, variable_value(errors));
}

}  // namespace teamsan
