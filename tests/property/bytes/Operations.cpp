// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Operations.hpp"

#include <algorithm>

namespace property::bytes {
namespace {

std::int32_t alignment_of(Operation const& o) {
  switch (o.deed) {
    case Deed::struct_read:
    case Deed::struct_write:
      return o.alignment;
    case Deed::copy_read:
    case Deed::copy_write:
    case Deed::any_read:
    case Deed::any_write:
    case Deed::any_set:
    case Deed::leave:
      return 1;
    default:
      return o.bytes;
  }
}

void align(Operation& o, Array const& array) {
  std::int32_t const a = alignment_of(o);
  auto const down = [a](std::int32_t& n) { n = n / a * a; };
  down(o.map.stride);
  down(o.map.league_step);
  down(o.repeat_step);
  std::int32_t start = o.map.start + std::max(array.alias_at, 0);
  down(start);
  o.map.start = start - std::max(array.alias_at, 0);
  while (o.map.start < 0) o.map.start += a;
}

}  // namespace

void Operations::form(Operation& o) {
  using D = Deed;
  if (m_choice.locks && m_dice.chance(40)) {
    o.deed = m_dice.one_of({D::atomic_add, D::atomic_add, D::atomic_exchange});
    o.bytes = wide_atomic;
    o.alignment = 1;
    return;
  }
  switch (m_dice.below(m_team ? 17 : 19)) {
    case 0:
    case 1:
    case 2:
      o.deed = D::read;
      break;
    case 3:
    case 4:
    case 5:
      o.deed = D::write;
      break;
    case 6:
      o.deed = D::modify;
      break;
    case 7:
      o.deed = m_dice.one_of({D::view_read, D::view_write});
      break;
    case 8:
      o.deed = m_dice.one_of({D::struct_read, D::struct_write});
      break;
    case 9:
      o.deed = m_dice.one_of({D::copy_read, D::copy_write});
      break;
    case 10:
      o.deed = m_dice.one_of({D::any_read, D::any_write, D::any_set});
      break;
    case 11:
      o.deed = m_dice.one_of({D::volatile_read, D::volatile_write, D::volatile_modify});
      break;
    case 12:
      o.deed = m_dice.one_of({D::atomic_load, D::atomic_store, D::atomic_exchange, D::atomic_compare});
      break;
    case 13:
    case 14:
      o.deed = D::atomic_add;
      break;
    case 15:
      o.deed = m_dice.one_of({D::atomic_max, D::atomic_add_real, D::atomic_add});
      break;
    case 16:
      o.deed = m_dice.one_of({D::builtin_load, D::builtin_store, D::builtin_add});
      break;
    default:
      o.deed = m_dice.chance(30) ? D::leave : D::read;
      break;
  }
  o.alignment = 1;
  switch (o.deed) {
    case D::view_read:
    case D::view_write:
      o.bytes = m_dice.one_of<std::uint8_t>({4, 8});
      break;
    case D::struct_read:
    case D::struct_write: {
      struct Form {
        std::uint8_t bytes, alignment;
      };
      Form const f = m_dice.one_of<Form>(
          {{3, 1}, {5, 1}, {6, 1}, {7, 1}, {9, 1}, {12, 1}, {17, 1}, {24, 1}, {12, 4}, {16, 4}, {16, 8}, {24, 8}});
      o.bytes = f.bytes;
      o.alignment = f.alignment;
      if (m_choice.sees_struct != nullptr && !m_choice.sees_struct(o.bytes, o.alignment)) o.bytes = 24, o.alignment = 1;
      break;
    }
    case D::copy_read:
    case D::copy_write:
      o.bytes = m_dice.one_of<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 20, 24});
      break;
    case D::any_read:
    case D::any_write:
    case D::any_set:
      o.bytes = static_cast<std::uint8_t>(m_dice.between(1, 24));
      break;
    case D::atomic_add_real:
      o.bytes = 8;
      break;
    default:
      o.bytes = m_dice.one_of<std::uint8_t>({1, 2, 4, 4, 4, 8, 8});
      break;
  }
}

Operation Operations::make(std::vector<Array> const& arrays, Kernel const& k, std::uint32_t items, int slot) {
  Operation o;
  for (int tries = 0; tries < 6; ++tries) {
    form(o);
    if (o.bytes <= m_element && m_element % alignment_of(o) == 0) break;  // mostly one that fits
  }
  if (o.deed == Deed::leave) {
    o.mask.from = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items)));
    o.mask.modulus = static_cast<std::uint32_t>(m_dice.between(1, 4));
    o.mask.remainder = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(o.mask.modulus)));
    o.array = 0;
    return o;
  }
  o.array = static_cast<std::int8_t>(m_dice.below(static_cast<int>(arrays.size())));
  Array const& array = arrays[static_cast<std::size_t>(o.array)];
  o.own_values = m_dice.chance(75);
  o.map.modulus = items;
  o.map.stride = m_element;
  // A field of the element, most often one that is this slot's.
  if (m_element > o.bytes)
    o.map.start = m_dice.chance(70) ? (slot * o.bytes) % (m_element - o.bytes + 1) : m_dice.below(m_element - o.bytes + 1);
  if (m_team && !is_scratch(array.place))
    o.map.league_step = m_dice.chance(85) ? array.bytes / std::max(k.league, 1) / 8 * 8 : 0;
  if (m_dice.chance(m_wild)) spoil(o, items);
  if (m_dice.chance(20)) {
    o.mask.modulus = static_cast<std::uint32_t>(m_dice.between(2, 9));
    o.mask.remainder = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(o.mask.modulus)));
  }
  if (m_dice.chance(10)) o.mask.from = static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items)));
  if (m_dice.chance(10)) o.mask.until = static_cast<std::uint32_t>(m_dice.between(1, static_cast<int>(items)));
  if (m_dice.chance(6))
    o.mask = {items, static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items))), 0, ~0u};  // one alone
  if (m_dice.chance(10)) {
    o.repeats = static_cast<std::uint8_t>(m_dice.between(2, 3));
    o.repeat_step = m_dice.chance(30) ? 0 : m_dice.chance(50) ? o.bytes : m_element;
  }
  align(o, array);
  keep_inside(o, array, k);
  align(o, array);
  return o;
}

/// Items meet, or what they touch overlaps.
void Operations::spoil(Operation& o, std::uint32_t items) {
  constexpr std::uint32_t late = 4096;
  switch (m_dice.below(9)) {
    case 0:
      o.map.b = static_cast<std::uint32_t>(m_dice.between(1, 3));
      break;  // the neighbour's
    case 1:
      o.map.modulus = std::max(1u, items / static_cast<std::uint32_t>(m_dice.between(2, 5)));
      break;
    case 2:
      o.map.modulus = 1;
      break;
    case 3:
      o.map.stride = m_dice.between(1, m_element);
      break;
    case 4:  // 32 bits wrap
      o.map.a = m_dice.one_of({0x40000001u, 0x80000001u, 0xffffffffu, 0x10000003u});
      o.map.b = static_cast<std::uint32_t>(m_dice.next());
      break;
    case 5:
      o.map.a = static_cast<std::uint32_t>(m_dice.between(2, 7));
      break;
    case 6:
      o.map.modulus = static_cast<std::uint32_t>(m_dice.between(1, 7));
      if (items > late) o.mask.from = late + static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items - late)));
      break;
    case 7:
      o.map.start += m_dice.between(-3, 3);
      break;
    case 8:
      o.map.b = items - 1 - static_cast<std::uint32_t>(m_dice.below(2));
      break;
  }
  if (items > late && m_dice.chance(30))
    o.mask.from = late + static_cast<std::uint32_t>(m_dice.below(static_cast<int>(items - late)));
}

/// What is touched lies in the array, but for some cases where it ends a little behind.
void Operations::keep_inside(Operation& o, Array const& array, Kernel const& k) {
  bool const may_pass = m_dice.chance(4);
  constexpr std::int32_t behind = 24;
  for (int tries = 0; tries < 64; ++tries) {
    std::int64_t const end = std::int64_t{o.map.start} + std::int64_t{o.map.league_step} * (k.league - 1) +
                             std::int64_t{o.map.stride} * (o.map.modulus - 1) + std::int64_t{o.repeat_step} * (o.repeats - 1) +
                             o.bytes;
    if (end <= array.bytes + (may_pass ? behind : 0)) return;
    if (may_pass && end <= array.bytes + behind) return;
    if (o.map.modulus > 1) {
      std::int64_t const room = array.bytes - (end - std::int64_t{o.map.stride} * (o.map.modulus - 1));
      o.map.modulus = room <= 0 || o.map.stride == 0
                          ? 1
                          : static_cast<std::uint32_t>(std::min<std::int64_t>(room / o.map.stride + 1, o.map.modulus));
      if (room > 0) continue;
      o.map.modulus = 1;
    }
    o.repeats = 1;
    if (o.map.league_step > 0 && tries > 2) o.map.league_step = 0;
    if (tries > 3) o.map.start = 0;
    if (tries > 4) {
      o.deed = nature(o.deed).writes ? Deed::any_write : Deed::any_read;
      o.bytes = static_cast<std::uint8_t>(std::min<std::int32_t>(array.bytes, o.bytes));
      o.alignment = 1;
    }
  }
}

}  // namespace property::bytes
