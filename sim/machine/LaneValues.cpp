// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneValues.hpp"

#include "../base/Arena.hpp"
#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"
#include "../memory/Allocations.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace teamsan {

std::optional<LaneValue> LaneValues::value(std::span<Word const> words) {
  if (!compute(words) || m_size != 1) return {};
  return m_stack[0];
}

/// What comes next takes these bits of a number alone: by its words, a constant and the operation. All of them: it does not.
std::uint64_t LaneValues::mask_of(std::span<Word const> next) {
  bool const masks =
      next.size() >= 3 && (next[0] & 0xff) == teamsan_affine_constant && (next[2] & 0xff) == teamsan_bounded_bits;
  return masks ? next[1] : ~std::uint64_t{0};
}

bool LaneValues::compute(std::span<Word const> words) {
  m_size = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Word const w = words[i];
    bool known = true;
    settle(w, i + 1 < words.size() ? words[i + 1] : 0);
    if (m_size == m_from.size()) return false;
    Word const operation = w & 0xff;
    if (operation == teamsan_affine_constant || operation == teamsan_affine_index || operation == teamsan_affine_functor ||
        operation == teamsan_bounded_any)
      m_from[m_size] = i;
    switch (operation) {
      case teamsan_affine_constant:
        known = ++i < words.size() && push({words[i]});
        break;
      case teamsan_affine_index:
        known = w >> TEAMSAN_AFFINE_FROM_SHIFT < m_all.rank && push_index(w >> TEAMSAN_AFFINE_FROM_SHIFT);
        break;
      case teamsan_affine_functor:
        known = push({number_of_functor(w)});
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
        known = fit(w);
        break;
      case teamsan_bounded_any:
        known = push_nothing(w);
        break;
      case teamsan_bounded_load:
        known = m_size != 0 && load({bits_of(w), is_signed(w), mask_of(words.subspan(i + 1))},
                                    words.subspan(m_from[m_size - 1], i - m_from[m_size - 1]));
        break;
      case teamsan_bounded_either:
        known = either();
        break;
      case teamsan_bounded_remainder:
      case teamsan_bounded_quotient:
        known = divide(w, (w & 0xff) == teamsan_bounded_remainder);
        break;
      case teamsan_bounded_bits:
        known = common_bits(w);
        break;
      case teamsan_bounded_least:
      case teamsan_bounded_most:
        known = least_or_most(w, (w & 0xff) == teamsan_bounded_most);
        break;
      case teamsan_bounded_counter:
        known = count_turns(w);
        break;
      case teamsan_bounded_past:
        known = step_past(w);
        break;
      default:
        known = false;
    }
    if (!known) return false;
  }
  for (std::size_t i = 0; i != m_size; ++i) settle(m_stack[i]);
  return true;
}

/// What goes beyond its bits may do so in sums and products of which no more bits count; elsewhere it is any number of these.
void LaneValues::settle(Word w, Word next) {
  Word const operation = w & 0xff;
  if (operation == teamsan_affine_constant || operation == teamsan_affine_index || operation == teamsan_affine_functor ||
      operation == teamsan_affine_fit)
    return;
  bool const goes_on = operation == teamsan_affine_add || operation == teamsan_affine_subtract ||
                       operation == teamsan_affine_multiply;
  unsigned const bits = (next & 0xff) == teamsan_affine_fit ? bits_of(next) : 64;
  for (std::size_t i = m_size < 3 ? 0 : m_size - 3; i != m_size; ++i)
    if (!goes_on || m_stack[i].modulo < bits) settle(m_stack[i]);
}
void LaneValues::settle(LaneValue& v) {
  unsigned const bits = std::exchange(v.modulo, 0);
  if (bits == 0 || v.known == Known::never_computed) return;
  v = {};
  v.add({1, (std::uint64_t{1} << bits) - 1});
}

std::uint64_t LaneValues::first(LaneValue const& v) const {
  std::uint64_t sum = v.base;
  for (unsigned d = 0; d != m_indices.rank; ++d) sum += v.step[d] * static_cast<std::uint64_t>(m_indices.first[d]);
  return sum;
}

LaneValues::Range LaneValues::span_of_lanes(LaneValue const& v) const {
  Range s;
  for (unsigned d = 0; d != m_indices.rank; ++d) {
    Wide const way = Wide{static_cast<std::int64_t>(v.step[d])} * (m_indices.count[d] - 1);
    (way < 0 ? s.least : s.most) += way;
  }
  return s;
}

std::optional<LaneValues::Range> LaneValues::range(LaneValue const& v) const {
  if (v.known != Known::bounds) return {};
  Range r = span_of_lanes(v);
  Wide const from = static_cast<std::int64_t>(first(v));
  r.least += from, r.most += from + v.slack();
  if (r.least < int_least || r.most > int_most) return {};
  return r;
}
std::optional<LaneValues::Range> LaneValues::range(LaneValue const& v, Word w) const {
  std::optional<Range> const r = range(v);
  if (r && !is_signed(w) && r->least < 0) return {};
  return r;
}

bool LaneValues::is_exact(LaneValue const& v) const {
  if (v.known != Known::bounds || v.slack() != 0) return false;
  for (unsigned d = 0; d != Indices::most; ++d)
    if (v.step[d] != 0 && (d >= m_indices.rank || m_indices.count[d] != 1)) return false;
  return true;
}

std::uint64_t LaneValues::grain_of(LaneValue const& v) const {
  std::uint64_t common = v.grain();
  for (unsigned d = 0; d != m_indices.rank; ++d)
    if (m_indices.count[d] != 1) common = std::gcd(common, magnitude(v.step[d]));
  return common;
}

std::optional<LaneValues::Range> LaneValues::range_of_type(Word w) {
  unsigned const bits = bits_of(w);
  if (bits == 0 || bits > 63 || (bits > 61 && !is_signed(w))) return {};
  if (!is_signed(w)) return Range{0, (Wide{1} << bits) - 1};
  return Range{-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

std::optional<Reach> LaneValues::reach(LaneValue const& address, std::uint32_t bytes, std::uint32_t alignment) const {
  if (address.known != Known::bounds || bytes == 0) return {};
  Reach r;
  r.first = first(address);
  Range const span = span_of_lanes(address);
  Wide const begin = Wide{r.first} + span.least, end = Wide{r.first} + span.most + address.slack() + bytes;
  if (begin < Wide{arena::device} || end > Wide{arena::device + arena::device_bytes}) return {};
  r.begin = static_cast<std::uintptr_t>(begin);
  r.end = static_cast<std::uintptr_t>(end);
  r.grain = grain_of(address);
  // As such an instruction must be.
  std::uintptr_t const to = std::max<std::uintptr_t>(bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes, alignment);
  if ((bytes % 4 != 0 && bytes > 2) || r.first % to != 0 || r.grain % to != 0) return {};
  Allocation const* const a = find_allocation(r.begin);
  bool const open = a != nullptr && a->live && a->space == Space::device && !a->closed_to(m_context);
  if (!open || r.begin < a->data() || r.end > a->end()) return {};
  return r;
}

bool LaneValues::push(LaneValue const& v) {
  if (m_size == m_stack.size()) return false;
  m_stack[m_size++] = v;
  return true;
}
bool LaneValues::push_range(Wide least, Wide most_of, std::uint64_t grain) {
  LaneValue v;
  if (most_of < least) {
    v.known = Known::never_computed;
    return push(v);
  }
  if (least < int_least || most_of > int_most || most_of - least >= most_slack) {
    v.known = Known::nothing;
    return push(v);
  }
  v.base = static_cast<std::uint64_t>(static_cast<std::int64_t>(least));
  grain = std::max<std::uint64_t>(grain, 1);
  auto const slack = static_cast<std::uint64_t>(most_of - least);
  v.add({grain, slack - slack % grain});
  return push(v);
}
/// But its type.
bool LaneValues::push_nothing(Word w) {
  if (std::optional<Range> const r = range_of_type(w)) return push_range(r->least, r->most);
  LaneValue v;
  v.known = Known::nothing;
  return push(v);
}
bool LaneValues::push_index(std::size_t which) {
  LaneValue v;
  if (m_all.rank == m_indices.rank)
    v.step[which] = 1;
  else
    v.step = m_all.weights;  // of digits that there are not all are 1
  for (unsigned d = m_indices.rank; d < Indices::most; ++d) v.step[d] = 0;
  return push(v);
}

std::uint64_t LaneValues::number_of_functor(Word w) const {
  auto const* const at = static_cast<unsigned char const*>(m_functor) + (w >> TEAMSAN_AFFINE_FROM_SHIFT);
  unsigned const bytes = bits_of(w), bits = 64 - 8 * bytes;
  std::uint64_t number = 0;
  std::memcpy(&number, at, bytes);
  return is_signed(w) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number << bits) >> bits) : number;
}

}  // namespace teamsan
