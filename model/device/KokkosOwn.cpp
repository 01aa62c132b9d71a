#include <teamsan/model/device/KokkosOwn.hpp>

#include <algorithm>
#include <bit>

namespace teamsan::model {

namespace {

constexpr std::uint32_t warp = 32;

struct Shape {
  std::uint32_t threads, of_warp, warps;
};

Shape shape_of(std::uint32_t team_size, std::uint32_t vector_length) {
  return {team_size, std::max(1u, warp / vector_length), (team_size * vector_length + warp - 1) / warp};
}

bool is_modelled(Device const& device) { return device.vendor == Vendor::nvidia; }

/// Warps of which some thread is chosen.
template <class Chosen>
std::uint64_t warps_of(Shape const& shape, Chosen chosen) {
  std::uint64_t count = 0;
  for (std::uint32_t first = 0; first < shape.threads; first += shape.of_warp) {
    bool any = false;
    for (std::uint32_t y = first; y != std::min(first + shape.of_warp, shape.threads); ++y) any = any || chosen(y);
    count += any;
  }
  return count;
}

/// Adds a join of two values in scratch, by those warps: both are read, one is written.
void add_join(OwnAccesses& sum, std::uint64_t warps) {
  sum.loads += 2 * warps;
  sum.stores += warps;
}

}  // namespace

// cuda_inter_warp_reduction: four results in scratch, to which further warps add in rounds of four; then all read them.
OwnAccesses team_reduce_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length) {
  if (!is_modelled(device)) return {};
  constexpr std::uint32_t results = 4;
  Shape const shape = shape_of(team_size, vector_length);
  std::uint32_t const first = std::min(shape.warps, results), full = team_size / shape.of_warp;
  OwnAccesses sum;
  sum.stores = first;
  for (std::uint32_t shift = results; shift <= full; shift += results) {
    std::uint32_t const more = std::min(shape.warps, shift + results) - std::min(shape.warps, shift);
    sum.loads += more;
    sum.stores += more;
  }
  sum.loads += std::uint64_t{shape.warps} * first;
  return sum;
}

// The source's value goes to scratch, and from there to all.
OwnAccesses team_broadcast_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length) {
  if (!is_modelled(device)) return {};
  return {shape_of(team_size, vector_length).warps, 1};
}

// cuda_intra_block_reduce_scan<true>: up a tree in each 32 values, over these by the first warp, and down again.
OwnAccesses team_scan_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length) {
  if (!is_modelled(device)) return {};
  Shape const shape = shape_of(team_size, vector_length);
  OwnAccesses sum{shape.warps, shape.warps + 1u};  // the values and a zero are stored, prefixes read
  std::uint32_t const power = std::bit_ceil(team_size), blocks = (team_size - 1) / warp + 1;
  auto const is_full = [&](std::uint32_t y) { return (y / warp + 1) * warp <= team_size; };
  auto const mapped = [&](std::uint32_t y) { return y + (is_full(y) ? 0 : (power - team_size) & (warp - 1)); };
  auto const reduces = [](std::int64_t r, std::int64_t at, unsigned s, std::int64_t begin, std::int64_t shift) {
    return ((r + 1) & ((1 << (s + 1)) - 1)) == 0 && at - (1 << s) + shift >= begin;
  };
  auto const scans = [](std::int64_t r, std::int64_t at, unsigned s, std::int64_t begin, std::int64_t shift) {
    std::int64_t const n = 1 << (s + 1);
    return r >= n && ((r + 1) & (n - 1)) == n / 2 && at - (1 << s) + shift >= begin;
  };
  auto const within = [&](auto const& step, unsigned s) {
    add_join(sum, warps_of(shape, [&](std::uint32_t y) { return step(mapped(y), y, s, y / warp * warp, 0); }));
  };
  auto const across = [&](auto const& step, unsigned s) {
    add_join(sum, warps_of(shape, [&](std::uint32_t y) {
               if (y >= blocks) return false;
               bool const full = y < team_size / warp;
               std::int64_t const shift = full ? 0 : team_size - y * warp;
               std::int64_t const at = full ? y * warp + warp - 1 : team_size - 1;
               return step(std::int64_t{y} * warp + warp - 1 - shift, at, s, 0, shift);
             }));
  };
  for (unsigned s = 0; s != 5; ++s) within(reduces, s);
  for (unsigned s = 5; s != 10; ++s)
    if (1u << s < power - 1) across(reduces, s);
  for (unsigned s = 9; s-- != 5;) across(scans, s);
  for (unsigned s = 5; s-- != 0;) within(scans, s);
  add_join(sum, warps_of(shape, [&](std::uint32_t y) {
             return mapped(y) >= warp && mapped(y) % warp != warp - 1;
           }));
  return sum;
}

}  // namespace teamsan::model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
