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
#include <limits>
#include <span>

namespace teamsan {

namespace {

using Wide = __int128;

/// base + step * index, of which 64 bits count.
struct Affine {
  std::uint64_t base = 0, step = 0;
};

class Evaluation {
 public:
  Evaluation(LaneAccesses const& accesses, std::uint64_t lanes) : m_accesses(accesses), m_lanes(lanes) {}

  std::optional<Affine> value(std::span<unsigned long long const> words) {
    m_size = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      unsigned long long const w = words[i];
      bool known = true;
      switch (w & 0xff) {
        case teamsan_affine_constant:
          known = ++i < words.size() && push({words[i], 0});
          break;
        case teamsan_affine_index:
          known = push({0, 1});
          break;
        case teamsan_affine_functor:
          known = push({number_of_functor(w), 0});
          break;
        case teamsan_affine_add:
          known = join([](Affine a, Affine b) { return Affine{a.base + b.base, a.step + b.step}; });
          break;
        case teamsan_affine_subtract:
          known = join([](Affine a, Affine b) { return Affine{a.base - b.base, a.step - b.step}; });
          break;
        case teamsan_affine_multiply:
          known = multiply();
          break;
        case teamsan_affine_fit:
          known = m_size != 0 && fits(m_stack[m_size - 1], w >> 8 & 0xff, w >> 16 & 1);
          break;
        case teamsan_affine_counted:
          known = count();
          break;
        default:
          known = false;
      }
      if (!known) return {};
    }
    if (m_size != 1) return {};
    return m_stack[0];
  }

  /// The first lane's, and what lies between it and the last one's.
  std::uint64_t first(Affine a) const { return a.base + a.step * static_cast<std::uint64_t>(m_accesses.index); }
  Wide way(Affine a) const { return Wide{static_cast<std::int64_t>(a.step)} * (m_lanes - 1); }

 private:
  bool push(Affine a) {
    if (m_size == m_stack.size()) return false;
    m_stack[m_size++] = a;
    return true;
  }
  template <class F>
  bool join(F f) {
    if (m_size < 2) return false;
    --m_size;
    m_stack[m_size - 1] = f(m_stack[m_size - 1], m_stack[m_size]);
    return true;
  }
  bool multiply() {
    if (m_size < 2 || (m_stack[m_size - 1].step != 0 && m_stack[m_size - 2].step != 0)) return false;
    return join([](Affine a, Affine b) { return Affine{a.base * b.base, a.base * b.step + a.step * b.base}; });
  }
  /// By the lanes of a call, from the first one's value: a function of the index if one from a first lane to the next is, too.
  bool count() {
    if (m_size < 2 || m_stack[m_size - 1].step != 0 || m_stack[m_size - 2].step != m_stack[m_size - 1].base) return false;
    --m_size;
    return true;
  }
  /// For all lanes: what lies between two that do does, too.
  bool fits(Affine a, unsigned long long bits, bool is_signed) const {
    if (bits == 0 || bits > 63) return false;
    Wide const from = static_cast<std::int64_t>(first(a)), to = from + way(a);
    Wide const least = is_signed ? -(Wide{1} << (bits - 1)) : Wide{0}, most = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
    return std::min(from, to) >= least && std::max(from, to) <= most;
  }
  std::uint64_t number_of_functor(unsigned long long w) const {
    auto const* const at = static_cast<unsigned char const*>(m_accesses.functor) + (w >> TEAMSAN_AFFINE_FROM_SHIFT);
    unsigned const bytes = w >> TEAMSAN_AFFINE_BYTES_SHIFT & 0xff, bits = 64 - 8 * bytes;
    std::uint64_t number = 0;
    std::memcpy(&number, at, bytes);
    bool const is_signed = w >> TEAMSAN_AFFINE_SIGN_SHIFT & 1;
    return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number << bits) >> bits) : number;
  }

  LaneAccesses const& m_accesses;
  std::uint64_t m_lanes;
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
  return r.bytes != 0 && r.bytes % 4 == 0 && r.first % to == 0 && static_cast<std::uint64_t>(r.step) % to == 0;
}

}  // namespace

bool DecidedLaunch::are_apart(Row const& a, Row const& b) {
  if (a.end <= b.begin || b.end <= a.begin) return true;
  if (a.step != b.step || a.step == 0) return false;
  // Lanes differ by a number other than 0: by how much, and where the second one's access lies then, as seen from the first.
  Wide const stride = a.step < 0 ? -Wide{a.step} : Wide{a.step};
  Wide const between = Wide{b.first} - Wide{a.first};
  if (between >= 0 ? between + b.bytes <= stride && a.bytes <= stride + between
                   : a.bytes - between <= stride && b.bytes <= stride - between)
    return true;
  Wide const rest = ((between % stride) + stride) % stride;
  return rest >= a.bytes && rest + b.bytes <= stride;
}

std::optional<DecidedLaunch> DecidedLaunch::of(LaneAccesses const& accesses, std::uint64_t lanes, std::uint32_t context) {
  if (accesses.words == nullptr || accesses.functor == nullptr || lanes < 2 || lanes >> 32 != 0) return {};
  std::size_t const count = *accesses.words;
  if (count > most_accesses) return {};
  Evaluation evaluation(accesses, lanes);
  std::vector<Row> rows;
  rows.reserve(count);
  unsigned long long const* at = accesses.words + 1;
  for (std::size_t i = 0; i != count; ++i) {
    unsigned long long const head = *at++;
    std::size_t const words = head >> TEAMSAN_ACCESS_WORDS_SHIFT;
    std::optional<Affine> const address = evaluation.value({at, words});
    at += words;
    if (!address) return {};
    Row r{};
    r.first = evaluation.first(*address);
    r.step = static_cast<std::int64_t>(address->step);
    r.bytes = head >> TEAMSAN_ACCESS_BYTES_SHIFT & 0xffffff;
    r.stores = head & TEAMSAN_ACCESS_STORES;
    r.conditional = head & TEAMSAN_ACCESS_CONDITIONAL;
    Wide const last = Wide{r.first} + evaluation.way(*address);
    Wide const begin = std::min<Wide>(r.first, last), end = std::max<Wide>(r.first, last) + r.bytes;
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
  decided.m_lanes = lanes;
  for (Row const& r : rows) {
    bool const written = initialised::is_whole(r.begin, r.end);
    if (!written && (!r.stores || r.conditional)) return {};
    if (!written) decided.m_stores.push_back(r);
  }
  return decided;
}

void DecidedLaunch::leave() const {
  for (Row const& r : m_stores) {
    if (r.is_dense()) {
      global_shadow::mark_initialised(r.begin, r.end - r.begin);
      initialised::note_whole(r.begin, r.end);
      continue;
    }
    std::uintptr_t place = r.first;
    for (std::uint64_t i = 0; i != m_lanes; ++i, place += static_cast<std::uintptr_t>(r.step))
      global_shadow::mark_initialised(place, r.bytes);
  }
}

}  // namespace teamsan
