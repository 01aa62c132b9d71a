// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that the kernels of nests.cpp work on, what its host does to it, and arguments that are drawn for a launch.
#pragma once

#include "NestBody.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using Draw = drawing::Draw<long>;

using Doubles = Kokkos::View<double*>;
using Ints = Kokkos::View<int*>;
using Shared = Kokkos::View<double*, Kokkos::SharedSpace>;

/// Where Kokkos keeps a pointer of its own, in front of a View.
std::set<std::uintptr_t> pointers;
bool touches_pointer(std::uintptr_t at, std::uintptr_t bytes) {
  auto const next = pointers.lower_bound(at - std::min<std::uintptr_t>(at, 7));
  return next != pointers.end() && *next < at + bytes;
}

void note_pointer(void const* data) {
  pointers.insert(reinterpret_cast<std::uintptr_t>(data) - sizeof(Kokkos::Impl::SharedAllocationHeader));
}

struct World {
  std::vector<Doubles> memory = std::vector<Doubles>(memories);
  std::vector<Doubles> old;  ///< kernels may have written over what Kokkos keeps beside it: nothing of it is freed
  Shared shared{"shared", words};
  Doubles out{"out", 8000};
  Ints looked_up{"looked up", most_lanes}, starts{"starts", most_lanes + 1}, scattered{"scattered", most_lanes};

  /// Mostly such that all of them are in a View, in which rows lie one behind the other.
  void look_up_anew(Draw& draw) {
    auto const indices = Kokkos::create_mirror_view(looked_up), begins = Kokkos::create_mirror_view(starts);
    long const least = draw.one_in(3) ? 0 : draw.between(0, 9000), most = draw.one_in(3) ? 11000 : draw.between(least, 11000);
    for (long i = 0; i != most_lanes; ++i) indices(i) = static_cast<int>(draw.between(least, most));
    if (draw.one_in(6)) indices(draw.between(0, most_lanes - 1)) = static_cast<int>(draw.one_in(2) ? -1 : words);
    begins(0) = static_cast<int>(draw.between(0, 20));
    for (long i = 0; i != most_lanes; ++i) begins(i + 1) = begins(i) + static_cast<int>(draw.between(0, 3));
    if (draw.one_in(8)) begins(draw.between(1, most_lanes)) += 5;
    Kokkos::deep_copy(looked_up, indices);
    Kokkos::deep_copy(starts, begins);
    auto const places = Kokkos::create_mirror_view(scattered);
    std::vector<int> all(static_cast<std::size_t>(draw.between(most_lanes, 3900)));
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = 0; i != all.size(); ++i) std::swap(all[i], all[static_cast<std::size_t>(draw.between(0, 2200))]);
    for (long i = 0; i != most_lanes; ++i) places(i) = all[static_cast<std::size_t>(i)];
    if (draw.one_in(3)) places(draw.between(0, most_lanes - 1)) = places(draw.between(0, most_lanes - 1));
    if (draw.one_in(2))
      for (int n = 0; n != 9; ++n) places(draw.between(0, most_lanes - 1)) = -1;
    Kokkos::deep_copy(scattered, places);
  }
  void anew(Draw& draw, long m) {
    std::string const label = "m" + std::to_string(m);
    if (memory[m].data() != nullptr) old.push_back(memory[m]);
    memory[m] = draw.one_in(3) ? Doubles(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), words) : Doubles(label, words);
    note_pointer(memory[m].data());
  }
  /// What the host does between two launches.
  void between(Draw& draw) {
    static auto const host = Kokkos::create_mirror_view(memory[0]);
    auto& some = memory[draw.between(0, memories - 1)];
    if (draw.one_in(30)) anew(draw, draw.between(0, memories - 1));
    if (draw.one_in(20)) look_up_anew(draw);
    if (draw.one_in(20)) Kokkos::deep_copy(some, memory[draw.between(0, memories - 1)]);
    if (draw.one_in(25)) Kokkos::deep_copy(some, 1.);
    if (draw.one_in(25)) Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), host, some);
    if (draw.one_in(25)) Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), some, host);
    if (draw.one_in(40)) host(draw.between(0, 9)) = 1;
    if (draw.one_in(40)) shared(draw.between(0, 9)) = 1;
    if (draw.one_in(6)) Kokkos::fence();
  }
};

/// What of a kernel's accesses must be known to draw their arguments: how far a lane goes, 0: as drawn; and the bytes of an
/// element.
struct Fits {
  bool is_unsigned;
  std::array<long, accesses> step, bytes;
};

/// Base and stride, mostly such that all lanes stay in so many bytes.
std::pair<long, long> drawn_index(Draw& draw, long begin, long end, long step, long element) {
  static constexpr long strides[] = {1, 1, 1, 1, 2, 2, 3, -1, -1, -2, 4, 0};
  if (step == 0) step = strides[draw.between(0, std::size(strides) - 1)];
  long const lanes = end - begin, within = words * 8 / element;
  if (std::abs(step) * lanes >= within) step = step < 0 ? -1 : 1;
  long const room = std::max(within - std::abs(step) * (lanes - 1) - 4, 0l);
  long lowest = draw.one_in(2) ? 0 : draw.one_in(3) ? room : draw.between(0, room);
  if (draw.one_in(20)) lowest += draw.one_in(2) ? -draw.between(1, 3) : room + draw.between(1, 6);
  if (draw.one_in(60)) lowest += draw.one_in(2) ? 1l << 16 : 1l << 32;
  return {step >= 0 ? lowest - step * begin : lowest - step * (end - 1), step};
}

Drawn arguments(Draw& draw, World& world, Fits const& f, bool by_value, long begin, long end) {
  Drawn d{};
  long const one = draw.between(0, memories - 1);
  for (std::uint32_t a = 0; a != accesses; ++a) {
    // Mostly each has memory of its own; else it may meet others.
    long const m = draw.one_in(4) ? one : (one + a) % memories;
    d.memory[a] = draw.one_in(60) ? world.shared.data() : world.memory[m].data();
    std::tie(d.base[a], d.stride[a]) = drawn_index(draw, begin, end, f.step[a], f.bytes[a]);
    if (a > 0 && draw.one_in(5)) d.memory[a] = d.memory[a - 1], d.base[a] = d.base[a - 1], d.stride[a] = d.stride[a - 1];
    if (a > 0 && draw.one_in(12)) d.base[a] = d.base[a - 1] + draw.between(-1, 1);
    if (draw.one_in(80)) d.memory[a] = reinterpret_cast<double*>(reinterpret_cast<char*>(d.memory[a]) + 4 * draw.between(1, 3));
    d.second[a] = draw.one_in(6) ? draw.between(-3, 3) : d.stride[a] * (end - begin) + draw.between(0, 9);
    if (draw.one_in(80)) d.stride[a] = 1l << draw.between(14, 40);
  }
  // What is loaded by instructions for 16 bytes would crash elsewhere.
  for (std::uint32_t a = 0; a != accesses; ++a)
    if (f.bytes[a] == 16 || f.bytes[a - a % 2] == 16)
      d.memory[a] = reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(d.memory[a]) & ~std::uintptr_t{15});
  Doubles const& whole = world.memory[draw.between(0, memories - 1)];
  d.rows = decltype(d.rows)(whole.data(), 8000, 3);
  d.columns = decltype(d.columns)(world.memory[draw.between(0, memories - 1)].data(), 3, 8000);
  long const step = draw.between(1, 4), first = draw.between(0, 100);
  d.strided = Kokkos::subview(d.rows, Kokkos::pair<long, long>(0, 8000), 1);
  if (draw.one_in(2))
    d.strided = Kokkos::View<double*, Kokkos::LayoutStride>(whole.data() + first, Kokkos::LayoutStride(5000, step));
  d.out = world.out.data();
  d.begin = begin;
  d.limit = draw.between(begin, end);
  d.every = static_cast<int>(draw.between(0, 3));
  d.column = static_cast<int>(draw.between(0, 2));
  d.rows_of = static_cast<int>(draw.between(1, 3));
  d.width = static_cast<int>(draw.one_in(6) ? draw.between(1, 2) : draw.between(3, 4));
  d.looked_up = world.looked_up.data();
  d.starts = world.starts.data();
  d.scattered = world.scattered.data();
  d.by_value = by_value;
  for (int& each : d.table) each = static_cast<int>(draw.between(0, words - 1));
  return d;
}

}  // namespace
