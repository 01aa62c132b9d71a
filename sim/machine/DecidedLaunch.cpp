// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DecidedLaunch.hpp"

#include "../base/Arena.hpp"
#include "../entry/pass/Abi.h"
#include "../memory/Allocations.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/Initialised.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

namespace teamsan {

namespace {

using Wide = __int128;

constexpr unsigned most = Indices::most;

/// base + step[0] * index 0 + ..., of which 64 bits count.
struct Affine {
  std::uint64_t base = 0;
  std::array<std::uint64_t, most> step{};
  bool is_constant() const { return step == std::array<std::uint64_t, most>{}; }
};
/// What lies between the first lane's value and others', at least and at most.
struct Span {
  Wide least = 0, most = 0;
};

class Evaluation {
 public:
  Evaluation(void const* functor, Indices const& indices) : m_functor(functor), m_indices(indices) {}

  std::optional<Affine> value(std::span<unsigned long long const> words) {
    m_size = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      unsigned long long const w = words[i];
      bool known = true;
      switch (w & 0xff) {
        case teamsan_affine_constant:
          known = ++i < words.size() && push({words[i], {}});
          break;
        case teamsan_affine_index:
          known = w >> TEAMSAN_AFFINE_FROM_SHIFT < m_indices.rank && push_index(w >> TEAMSAN_AFFINE_FROM_SHIFT);
          break;
        case teamsan_affine_functor:
          known = push({number_of_functor(w), {}});
          break;
        case teamsan_affine_add:
          known = join(1);
          break;
        case teamsan_affine_subtract:
          known = join(~std::uint64_t{0});
          break;
        case teamsan_affine_multiply:
          known = multiply();
          break;
        case teamsan_affine_fit:
          known = m_size != 0 && fits(m_stack[m_size - 1], w >> 8 & 0xff, w >> 16 & 1);
          break;
        default:
          known = false;
      }
      if (!known) return {};
    }
    if (m_size != 1) return {};
    return m_stack[0];
  }

  std::uint64_t first(Affine const& a) const {
    std::uint64_t sum = a.base;
    for (unsigned d = 0; d != m_indices.rank; ++d) sum += a.step[d] * static_cast<std::uint64_t>(m_indices.first[d]);
    return sum;
  }
  Span span(Affine const& a) const {
    Span s;
    for (unsigned d = 0; d != m_indices.rank; ++d) {
      Wide const way = Wide{static_cast<std::int64_t>(a.step[d])} * (m_indices.count[d] - 1);
      (way < 0 ? s.least : s.most) += way;
    }
    return s;
  }

 private:
  bool push(Affine const& a) {
    if (m_size == m_stack.size()) return false;
    m_stack[m_size++] = a;
    return true;
  }
  bool push_index(std::size_t which) {
    Affine a;
    a.step[which] = 1;
    return push(a);
  }
  /// The lower one, and so many times the upper one.
  bool join(std::uint64_t times) {
    if (m_size < 2) return false;
    Affine const& b = m_stack[--m_size];
    Affine& a = m_stack[m_size - 1];
    a.base += times * b.base;
    for (unsigned d = 0; d != most; ++d) a.step[d] += times * b.step[d];
    return true;
  }
  bool multiply() {
    if (m_size < 2) return false;
    Affine &b = m_stack[--m_size], &a = m_stack[m_size - 1];
    if (a.is_constant()) std::swap(a, b);
    if (!b.is_constant()) return false;
    a.base *= b.base;
    for (std::uint64_t& step : a.step) step *= b.base;
    return true;
  }
  /// For all lanes: what lies between values that do does, too.
  bool fits(Affine const& a, unsigned long long bits, bool is_signed) const {
    if (bits == 0 || bits > 63) return false;
    Wide const from = static_cast<std::int64_t>(first(a));
    Span const s = span(a);
    Wide const least = is_signed ? -(Wide{1} << (bits - 1)) : Wide{0}, most_of = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
    return from + s.least >= least && from + s.most <= most_of;
  }
  std::uint64_t number_of_functor(unsigned long long w) const {
    auto const* const at = static_cast<unsigned char const*>(m_functor) + (w >> TEAMSAN_AFFINE_FROM_SHIFT);
    unsigned const bytes = w >> TEAMSAN_AFFINE_BYTES_SHIFT & 0xff, bits = 64 - 8 * bytes;
    std::uint64_t number = 0;
    std::memcpy(&number, at, bytes);
    bool const is_signed = w >> TEAMSAN_AFFINE_SIGN_SHIFT & 1;
    return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number << bits) >> bits) : number;
  }

  void const* m_functor;
  Indices const& m_indices;
  std::array<Affine, 64> m_stack;
  std::size_t m_size = 0;
};

constexpr std::size_t most_accesses = 128;

/// May lanes of a kernel in that context touch all of it?
bool is_open(DecidedLaunch::Row const& r, std::uint32_t context) {
  Allocation const* const a = find_allocation(r.begin);
  return a != nullptr && a->live && a->space == Space::device && !a->closed_to(context) && r.begin >= a->data() &&
         r.end <= a->end();
}

/// Words of memory whole, as such an instruction must.
bool is_aligned(DecidedLaunch::Row const& r) {
  std::uintptr_t const to = r.bytes % 8 == 0 ? 8 : 4;
  return r.bytes != 0 && r.bytes % 4 == 0 && r.first % to == 0 &&
         std::ranges::all_of(r.ways, [&](DecidedLaunch::Way const& w) { return w.stride() % to == 0; });
}

/// Where several lanes are, the shortest way first.
std::span<DecidedLaunch::Way> in_order(DecidedLaunch::Ways& ways) {
  auto const end = std::remove_if(ways.begin(), ways.end(), [](DecidedLaunch::Way const& w) { return w.count == 1; });
  std::sort(ways.begin(), end, [](auto const& a, auto const& b) { return a.stride() < b.stride(); });
  return {ways.begin(), end};
}

}  // namespace

bool DecidedLaunch::are_apart(Row const& a, Row const& b) {
  if (a.end <= b.begin || b.end <= a.begin) return true;
  Wide const between = Wide{b.first} - Wide{a.first};
  // Where all ways are multiples of one distance, each access has its part of that.
  std::uint64_t common = 0;
  for (Ways const* const ways : {&a.ways, &b.ways})
    for (Way const& w : *ways)
      if (w.count != 1) common = std::gcd(common, w.stride());
  if (common != 0) {
    Wide const rest = (between % common + common) % common;
    if (rest >= a.bytes && rest + b.bytes <= common) return true;
  }
  // Where both go the same ways, two lanes are as far from each other as these are, at the least.
  if (a.ways != b.ways) return false;
  Wide const width = std::max<Wide>(a.bytes, between + b.bytes) - std::min<Wide>(0, between);
  Ways ways = a.ways;
  Wide shorter = 0;
  for (Way const& w : in_order(ways)) {
    if (Wide{w.stride()} - shorter < width) return false;
    shorter += Wide{w.stride()} * (w.count - 1);
  }
  return true;
}

std::optional<DecidedLaunch> DecidedLaunch::of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context) {
  if (accesses.words == nullptr || accesses.functor == nullptr || indices.rank == 0 || indices.rank > most) return {};
  for (unsigned d = 0; d != indices.rank; ++d)
    if (indices.count[d] == 0 || indices.count[d] >> 32 != 0) return {};
  std::size_t const count = *accesses.words;
  if (count > most_accesses) return {};
  Evaluation evaluation(accesses.functor, indices);
  std::vector<Row> rows;
  rows.reserve(count);
  unsigned long long const* at = accesses.words + 1;
  for (std::size_t i = 0; i != count; ++i) {
    unsigned long long const head = *at++;
    std::size_t const words = head >> TEAMSAN_ACCESS_WORDS_SHIFT;
    std::optional<Affine> const address = evaluation.value({at, words});
    at += words;
    if (!address) return {};
    Row r;
    r.first = evaluation.first(*address);
    for (unsigned d = 0; d != indices.rank; ++d)
      r.ways[d] = {indices.count[d] == 1 ? 0 : static_cast<std::int64_t>(address->step[d]), indices.count[d]};
    r.bytes = head >> TEAMSAN_ACCESS_BYTES_SHIFT & 0xffffff;
    r.stores = head & TEAMSAN_ACCESS_STORES;
    r.conditional = head & TEAMSAN_ACCESS_CONDITIONAL;
    Span const span = evaluation.span(*address);
    Wide const begin = Wide{r.first} + span.least, end = Wide{r.first} + span.most + r.bytes;
    if (begin < Wide{arena::device} || end > Wide{arena::device + arena::device_bytes}) return {};
    r.begin = static_cast<std::uintptr_t>(begin);
    r.end = static_cast<std::uintptr_t>(end);
    if (!is_aligned(r) || !is_open(r, context)) return {};
    rows.push_back(r);
  }
  for (Row const& a : rows)
    if (a.stores)
      for (Row const& b : rows)
        if (!are_apart(a, b)) return {};
  DecidedLaunch decided;
  for (Row const& r : rows) {
    bool const written = initialised::is_whole(r.begin, r.end);
    if (!written && (!r.stores || r.conditional)) return {};
    if (!written) decided.m_stores.push_back(r);
  }
  return decided;
}

void DecidedLaunch::leave() const {
  for (Row const& r : m_stores) {
    Ways all = r.ways;
    std::span<Way> ways = in_order(all);
    std::uint64_t bytes = r.bytes;  // without gaps, from each of the places that are left
    std::uintptr_t from = r.begin;
    for (; !ways.empty() && ways.front().stride() == bytes; ways = ways.subspan(1)) bytes *= ways.front().count;
    if (ways.empty()) {
      global_shadow::mark_initialised(from, bytes);
      initialised::note_whole(from, from + bytes);
      continue;
    }
    std::array<std::uint64_t, most> at{};
    for (std::size_t d = 0; d != ways.size();) {
      global_shadow::mark_initialised(from, bytes);
      for (d = 0; d != ways.size(); ++d) {
        from += ways[d].stride();
        if (++at[d] != ways[d].count) break;
        from -= ways[d].stride() * ways[d].count;
        at[d] = 0;
      }
    }
  }
}

}  // namespace teamsan
