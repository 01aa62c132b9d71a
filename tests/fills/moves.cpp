// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for checking with -O0 to -O3, LEVEL, as moves_LEVEL. Small, for it is compiled often: Kokkos is not needed.
#include "Moves.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <strings.h>
#include <utility>

#define TEAMSAN_JOIN(a, b) a##b
#define TEAMSAN_MOVES(level) TEAMSAN_JOIN(moves_, level)
#define TEAMSAN_QUOTE(level) #level
#define TEAMSAN_TEXT(level) "-" TEAMSAN_QUOTE(level)

namespace fills {
namespace {

// Constant evaluation goes on as ever.
static_assert(std::string_view("abc") < "abd" && __builtin_memcmp("abc", "abd", 2) == 0);
static_assert([] {
  char from[] = "filled", to[7] = {};
  std::fill_n(from, 3, 'F');
  std::copy_n(from, 7, to);
  return std::string_view(to) == "FFFled";
}());

constexpr int longest = 257;

template <int n>
struct Bytes {
  char byte[n];
};

template <int n>
void fill(char* to, char const*, int value) {
  std::fill_n(to, n, static_cast<char>(value));
}
template <int n>
void set(char* to, char const*, int value) {
  __builtin_memset(to, value, n);
}
template <int n>
void clear(char* to, char const*, int) {
  *reinterpret_cast<Bytes<n>*>(to) = {};
}
template <int n>
void copy(char* to, char const* from, int) {
  std::copy_n(from, n, to);
}
template <int n>
void builtin_copy(char* to, char const* from, int) {
  __builtin_memcpy(to, from, n);
}
template <int n>
void assign(char* to, char const* from, int) {
  *reinterpret_cast<Bytes<n>*>(to) = *reinterpret_cast<Bytes<n> const*>(from);
}

/// The compiler must find it out.
void keep(int result) { __asm__ volatile("" ::"r"(result)); }

template <int n>
void compare(char*, char const* from, int) {
  char const zeros[n] = {};
  keep(std::equal(from, from + n, zeros));
}

// The other functions of libc: one length will do.
constexpr int few = 13;
struct Zeros {
  char byte[few] = {};
};

Move const of_libc[] = {
    {"memset", few, true, false, [](char* to, char const*, int value) { std::memset(to, value, few); }},
    {"bzero", few, true, false, [](char* to, char const*, int) { bzero(to, few); }},
    {"memcpy", few, true, true, [](char* to, char const* from, int) { std::memcpy(to, from, few); }},
    {"memmove", few, true, true, [](char* to, char const* from, int) { std::memmove(to, from, few); }},
    {"mempcpy", few, true, true, [](char* to, char const* from, int) { mempcpy(to, from, few); }},
    {"strcpy", few, true, false, [](char* to, char const*, int) { std::strcpy(to, "twelve chars"); }},
    {"stpcpy", few, true, false, [](char* to, char const*, int) { stpcpy(to, "twelve chars"); }},
    {"strncpy", few, true, false, [](char* to, char const*, int) { std::strncpy(to, "few", few); }},
    {"memcmp", few, false, true, [](char*, char const* from, int) { keep(std::memcmp(from, Zeros().byte, few)); }},
    {"memcmp == 0", few, false, true, [](char*, char const* from, int) { keep(std::memcmp(from, Zeros().byte, few) == 0); }},
    {"bcmp", few, false, true, [](char*, char const* from, int) { keep(bcmp(from, Zeros().byte, few)); }},
    {"memchr", few, false, true, [](char*, char const* from, int) { keep(std::memchr(from, 1, few) != nullptr); }},
    {"strlen", 1, false, true, [](char*, char const* from, int) { keep(static_cast<int>(std::strlen(from))); }},
    {"strcmp", 1, false, true, [](char*, char const* from, int) { keep(std::strcmp(from, "text")); }},
    {"strncmp", 1, false, true, [](char*, char const* from, int) { keep(std::strncmp(from, "text", 3)); }},
};

template <int... i>
std::span<Move const> every_length(std::integer_sequence<int, i...>) {
  static Move const all[] = {
      {"std::fill_n", i + 1, true, false, fill<i + 1>}...,
      {"__builtin_memset", i + 1, true, false, set<i + 1>}...,
      {"= {}", i + 1, true, false, clear<i + 1>}...,
      {"std::copy_n", i + 1, true, true, copy<i + 1>}...,
      {"__builtin_memcpy", i + 1, true, true, builtin_copy<i + 1>}...,
      {"=", i + 1, true, true, assign<i + 1>}...,
      {"std::equal", i + 1, false, true, compare<i + 1>}...,
  };
  return all;
}

void store(char* to) { *to = 99; }
int load(char const* from) { return *from; }

}  // namespace

Moves const TEAMSAN_MOVES(LEVEL) = {TEAMSAN_TEXT(LEVEL), every_length(std::make_integer_sequence<int, longest>()), of_libc,
                                    store, load};

}  // namespace fills
