// Compiled for checking with -O0 to -O3, LEVEL, as moves_LEVEL. Small, for it is compiled often: Kokkos is not needed.
#include "Moves.hpp"

#include <algorithm>
#include <utility>

#define TEAMSAN_JOIN(a, b) a##b
#define TEAMSAN_MOVES(level) TEAMSAN_JOIN(moves_, level)
#define TEAMSAN_QUOTE(level) #level
#define TEAMSAN_TEXT(level) "-" TEAMSAN_QUOTE(level)

namespace fills {
namespace {

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

template <int... i>
std::span<Move const> every_length(std::integer_sequence<int, i...>) {
  static Move const all[] = {
      {"std::fill_n", i + 1, false, fill<i + 1>}...,  {"__builtin_memset", i + 1, false, set<i + 1>}...,
      {"= {}", i + 1, false, clear<i + 1>}...,        {"std::copy_n", i + 1, true, copy<i + 1>}...,
      {"__builtin_memcpy", i + 1, true, builtin_copy<i + 1>}..., {"=", i + 1, true, assign<i + 1>}...};
  return all;
}

void store(char* to) { *to = 99; }
int load(char const* from) { return *from; }

}  // namespace

Moves const TEAMSAN_MOVES(LEVEL) = {TEAMSAN_TEXT(LEVEL), every_length(std::make_integer_sequence<int, longest>()), store,
                                    load};

}  // namespace fills
