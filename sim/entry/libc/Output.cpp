// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The C library's output functions, as the program calls them (std::cout ends in fwrite and putc). On a host thread
/// they do what they always do; on a lane, what goes to standard output or standard error is kept for the commit.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1  // or the C library's header defines some of these functions itself
#endif

#include "../../places/Sites.hpp"
#include "../../base/Screen.hpp"
#include "../../machine/RunningTeam.hpp"
#include "../../memory/Hot.hpp"
#include "../../check/Access.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace teamsan {

namespace {

template <class F>
F real(char const* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

using Fwrite = std::size_t (*)(void const*, std::size_t, std::size_t, std::FILE*);
Fwrite real_fwrite() {
  static auto const f = real<Fwrite>("fwrite");
  return f;
}

bool kept(std::FILE* file) {
  return hot.lane != nullptr && hot.in_runtime == 0 && (file == stdout || file == stderr);
}

/// The program's own output; what a format ends with stands for what it writes.
void note_output(std::FILE* file, char const* text, std::size_t bytes) {
  if (bytes != 0 && (file == stdout || file == stderr)) screen::note_output(text[bytes - 1]);
}

/// The host does: it reads what is written.
void hand_on(void const* data, std::size_t bytes, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(data);
  if (bytes != 0 && hot.lane == nullptr && hot.in_runtime == 0 && address - hot.ignore_begin >= hot.ignore_bytes)
    access_range(address, bytes, AccessKind::read, site);
}

void keep(char const* text, std::size_t bytes) {
  RuntimeScope const scope;
  running_team().output_of(running_lane()).append(text, bytes);
}

int keep_formatted(char const* format, std::va_list arguments) {
  RuntimeScope const scope;
  std::va_list again;
  va_copy(again, arguments);
  int const length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0) return length;
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, arguments);
  running_team().output_of(running_lane()).append(text.data(), static_cast<std::size_t>(length));
  return length;
}

}  // namespace

}  // namespace teamsan

using teamsan::keep;
using teamsan::keep_formatted;
using teamsan::kept;

#pragma GCC visibility push(default)
extern "C" {

int vprintf(char const* format, std::va_list arguments) {
  teamsan::note_output(stdout, format, std::strlen(format));
  return kept(stdout) ? keep_formatted(format, arguments) : vfprintf(stdout, format, arguments);
}

int printf(char const* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  int const n = vprintf(format, arguments);
  va_end(arguments);
  return n;
}

int __printf_chk(int, char const* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  int const n = vprintf(format, arguments);
  va_end(arguments);
  return n;
}

int fprintf(std::FILE* file, char const* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  teamsan::note_output(file, format, std::strlen(format));
  int const n = kept(file) ? keep_formatted(format, arguments) : vfprintf(file, format, arguments);
  va_end(arguments);
  return n;
}

std::size_t fwrite(void const* data, std::size_t size, std::size_t count, std::FILE* file) {
  teamsan::note_output(file, static_cast<char const*>(data), size * count);
  if (!kept(file)) {
    teamsan::hand_on(data, size * count, TEAMSAN_CALL);
    return teamsan::real_fwrite()(data, size, count, file);
  }
  keep(static_cast<char const*>(data), size * count);
  return count;
}

int fputs(char const* text, std::FILE* file) {
  std::size_t const bytes = std::strlen(text);
  return fwrite(text, 1, bytes, file) == bytes ? 1 : EOF;
}

int puts(char const* text) {
  return fputs(text, stdout) == EOF || fwrite("\n", 1, 1, stdout) != 1 ? EOF : 1;
}

int fputc(int c, std::FILE* file) {
  char const byte = static_cast<char>(c);
  return fwrite(&byte, 1, 1, file) == 1 ? static_cast<unsigned char>(byte) : EOF;
}
int putc(int c, std::FILE* file) { return fputc(c, file); }
int putchar(int c) { return fputc(c, stdout); }

int fflush(std::FILE* file) {
  using Fflush = int (*)(std::FILE*);
  static auto const real = teamsan::real<Fflush>("fflush");
  return teamsan::hot.lane != nullptr && teamsan::hot.in_runtime == 0 ? 0 : real(file);
}
}
#pragma GCC visibility pop
