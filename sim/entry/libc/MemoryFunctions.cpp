// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// memcpy and other functions of libc on memory, read, write and their like among them, as instrumented code calls them:
/// programs are linked with --wrap for those in TEAMSAN_WRAPPED (cmake/Rooms.cmake), so that `memcpy` in the program's own
/// objects comes here and libraries keep theirs, as does this room. Clang 16 and later call __tsan_memcpy.
#include "../../places/Sites.hpp"
#include "../../machine/FunctorCopy.hpp"
#include "../../check/Access.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace teamsan;

/// A kernel's functor, that a call for many lanes copies (backends/simt/launch/UserCode.hpp).
bool is_functor(std::uintptr_t address) { return arena::contains(arena::constant, arena::constant_bytes, address); }

bool is_checked(void const* p) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  return hot.in_runtime == 0 && address - hot.ignore_begin >= hot.ignore_bytes && !is_functor(address);
}

void touch(void const* p, std::size_t bytes, AccessKind kind, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (bytes == 0 || hot.in_runtime != 0 || is_ignored(address, static_cast<std::uint32_t>(bytes), kind, site)) return;
  access_range(address, bytes, kind, site);
}

void reads(void const* p, std::size_t bytes, Site site) {
  if (!is_functor(reinterpret_cast<std::uintptr_t>(p))) touch(p, bytes, AccessKind::read, site);
}
void writes(void* p, std::size_t bytes, Site site) { touch(p, bytes, AccessKind::write, site); }
void copies(void* to, void const* from, std::size_t bytes, Site site) {
  if (functor_copy.expected && is_functor(reinterpret_cast<std::uintptr_t>(from)))
    return begin_functor_copy(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes);
  reads(from, bytes, site);
  writes(to, bytes, site);
}

/// What a call has left there, if it did not fail; `errno` is the program's.
ssize_t received(void* to, ssize_t bytes, Site site) {
  int const error = errno;
  if (bytes > 0) writes(to, static_cast<std::size_t>(bytes), site);
  errno = error;
  return bytes;
}

/// The bytes that decide a comparison: up to the first that differ.
void compares(void const* a, void const* b, std::size_t bytes, Site site) {
  if (!is_checked(a) && !is_checked(b)) return;
  auto const* const first = static_cast<unsigned char const*>(a);
  auto const* const second = static_cast<unsigned char const*>(b);
  std::size_t const same = static_cast<std::size_t>(std::mismatch(first, first + bytes, second).first - first);
  bytes = std::min(bytes, same + 1);
  reads(a, bytes, site);
  reads(b, bytes, site);
}
void compares_strings(char const* a, char const* b, std::size_t longest, Site site) {
  if (is_checked(a) || is_checked(b))
    compares(a, b, std::min(longest, std::min(strnlen(a, longest), strnlen(b, longest)) + 1), site);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void* __wrap_memcpy(void* to, void const* from, std::size_t bytes) {
  copies(to, from, bytes, TEAMSAN_CALL);
  return std::memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, void const* from, std::size_t bytes) {
  copies(to, from, bytes, TEAMSAN_CALL);
  return std::memmove(to, from, bytes);
}
void* __wrap_mempcpy(void* to, void const* from, std::size_t bytes) {
  copies(to, from, bytes, TEAMSAN_CALL);
  return static_cast<char*>(std::memcpy(to, from, bytes)) + bytes;
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  writes(to, bytes, TEAMSAN_CALL);
  return std::memset(to, value, bytes);
}
void __wrap_bzero(void* to, std::size_t bytes) {
  writes(to, bytes, TEAMSAN_CALL);
  std::memset(to, 0, bytes);
}
int __wrap_memcmp(void const* a, void const* b, std::size_t bytes) {
  compares(a, b, bytes, TEAMSAN_CALL);
  return std::memcmp(a, b, bytes);
}
int __wrap_bcmp(void const* a, void const* b, std::size_t bytes) {
  compares(a, b, bytes, TEAMSAN_CALL);
  return std::memcmp(a, b, bytes);
}
void* __wrap_memchr(void const* p, int value, std::size_t bytes) {
  void* const found = const_cast<void*>(std::memchr(p, value, bytes));
  reads(p, found ? static_cast<std::size_t>(static_cast<char*>(found) - static_cast<char const*>(p)) + 1 : bytes,
        TEAMSAN_CALL);
  return found;
}

std::size_t __wrap_strlen(char const* string) {
  std::size_t const length = std::strlen(string);
  reads(string, length + 1, TEAMSAN_CALL);
  return length;
}
int __wrap_strcmp(char const* a, char const* b) {
  compares_strings(a, b, ~std::size_t{0}, TEAMSAN_CALL);
  return std::strcmp(a, b);
}
int __wrap_strncmp(char const* a, char const* b, std::size_t longest) {
  compares_strings(a, b, longest, TEAMSAN_CALL);
  return std::strncmp(a, b, longest);
}
char* __wrap_strcpy(char* to, char const* from) {
  std::size_t const length = std::strlen(from);
  copies(to, from, length + 1, TEAMSAN_CALL);
  return static_cast<char*>(std::memcpy(to, from, length + 1));
}
char* __wrap_stpcpy(char* to, char const* from) {
  std::size_t const length = std::strlen(from);
  copies(to, from, length + 1, TEAMSAN_CALL);
  return static_cast<char*>(std::memcpy(to, from, length + 1)) + length;
}
char* __wrap_strncpy(char* to, char const* from, std::size_t bytes) {
  std::size_t const length = strnlen(from, bytes);
  reads(from, std::min(length + 1, bytes), TEAMSAN_CALL);
  writes(to, bytes, TEAMSAN_CALL);  // the rest is filled with zeros
  return std::strncpy(to, from, bytes);
}

// What the host hands on, or lets be filled: as if it did it itself.
ssize_t __wrap_write(int file, void const* from, std::size_t bytes) {
  reads(from, bytes, TEAMSAN_CALL);
  return write(file, from, bytes);
}
ssize_t __wrap_pwrite(int file, void const* from, std::size_t bytes, off_t at) {
  reads(from, bytes, TEAMSAN_CALL);
  return pwrite(file, from, bytes, at);
}
ssize_t __wrap_send(int socket, void const* from, std::size_t bytes, int flags) {
  reads(from, bytes, TEAMSAN_CALL);
  return send(socket, from, bytes, flags);
}
ssize_t __wrap_sendto(int socket, void const* from, std::size_t bytes, int flags, sockaddr const* to, socklen_t length) {
  reads(from, bytes, TEAMSAN_CALL);
  return sendto(socket, from, bytes, flags, to, length);
}
ssize_t __wrap_read(int file, void* to, std::size_t bytes) { return received(to, read(file, to, bytes), TEAMSAN_CALL); }
ssize_t __wrap_pread(int file, void* to, std::size_t bytes, off_t at) {
  return received(to, pread(file, to, bytes, at), TEAMSAN_CALL);
}
ssize_t __wrap_recv(int socket, void* to, std::size_t bytes, int flags) {
  return received(to, recv(socket, to, bytes, flags), TEAMSAN_CALL);
}
ssize_t __wrap_recvfrom(int socket, void* to, std::size_t bytes, int flags, sockaddr* from, socklen_t* length) {
  return received(to, recvfrom(socket, to, bytes, flags, from, length), TEAMSAN_CALL);
}
std::size_t __wrap_fread(void* to, std::size_t size, std::size_t count, std::FILE* file) {
  std::size_t const read = std::fread(to, size, count, file);
  writes(to, read * size, TEAMSAN_CALL);
  return read;
}

void* __tsan_memcpy(void* to, void const* from, std::size_t bytes) {
  copies(to, from, bytes, TEAMSAN_CALL);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, void const* from, std::size_t bytes) {
  copies(to, from, bytes, TEAMSAN_CALL);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  writes(to, bytes, TEAMSAN_CALL);
  return std::memset(to, value, bytes);
}
}
#pragma GCC visibility pop
