// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nested multi-dimensional ranges, ranks 2 and 3, in the three iteration orders.
#include "TeamInterpreter.hpp"

#include <type_traits>

namespace property {
namespace {

/// `use(range, rank)` with the range the operation asks for.
template <template <class, class> class Range, class Use>
KOKKOS_FUNCTION void with_range(Operation const& o, Member const& team, Use const& use) {
  auto const ordered = [&](auto order) {
    constexpr Kokkos::Iterate iterate = decltype(order)::value;
    if (o.rank == 2)
      use(Range<Kokkos::Rank<2, iterate>, Member>(team, o.extents[0], o.extents[1]),
          std::integral_constant<int, 2>());
    else
      use(Range<Kokkos::Rank<3, iterate>, Member>(team, o.extents[0], o.extents[1], o.extents[2]),
          std::integral_constant<int, 3>());
  };
  switch (o.order) {
    case Order::standard:
      return ordered(std::integral_constant<Kokkos::Iterate, Kokkos::Iterate::Default>());
    case Order::left:
      return ordered(std::integral_constant<Kokkos::Iterate, Kokkos::Iterate::Left>());
    case Order::right:
      return ordered(std::integral_constant<Kokkos::Iterate, Kokkos::Iterate::Right>());
  }
}

template <class Range, class Rank, class Body>
KOKKOS_FUNCTION void run_for(Operation const& o, Range const& range, Rank, Body const& body) {
  if constexpr (Rank::value == 2)
    Kokkos::parallel_for(range, [&](int a, int b) { body(a * o.extents[1] + b); });
  else
    Kokkos::parallel_for(range,
                         [&](int a, int b, int c) { body((a * o.extents[1] + b) * o.extents[2] + c); });
}

template <class Range, class Rank, class Body>
KOKKOS_FUNCTION std::uint64_t run_reduce(Operation const& o, Range const& range, Rank, Body const& body) {
  std::uint64_t sum = 0;
  if constexpr (Rank::value == 2)
    Kokkos::parallel_reduce(
        range, [&](int a, int b, std::uint64_t& u) { u += body(a * o.extents[1] + b); }, sum);
  else
    Kokkos::parallel_reduce(
        range,
        [&](int a, int b, int c, std::uint64_t& u) { u += body((a * o.extents[1] + b) * o.extents[2] + c); },
        sum);
  return sum;
}

}  // namespace

void TeamLane::team_md(Node const& node) {
  auto const run_item = [&](int x) { item(node.leaf, static_cast<std::uint64_t>(x)); };
  auto const value_of = [&](int x) { return value(node.leaf, static_cast<std::uint64_t>(x)); };
  switch (node.kind) {
    case Kind::team_vector_md_for:
      return with_range<Kokkos::TeamVectorMDRange>(
          node, *team, [&](auto const& range, auto rank) { run_for(node, range, rank, run_item); });
    case Kind::team_thread_md_for:
      return with_range<Kokkos::TeamThreadMDRange>(node, *team, [&](auto const& range, auto rank) {
        run_for(node, range, rank, [&](int x) { run_thread(node.first, node.children, x); });
      });
    case Kind::team_thread_md_reduce:
      return with_range<Kokkos::TeamThreadMDRange>(node, *team, [&](auto const& range, auto rank) {
        r[node.result] = run_reduce(node, range, rank, value_of);
      });
    default:
      return with_range<Kokkos::TeamVectorMDRange>(node, *team, [&](auto const& range, auto rank) {
        r[node.result] = run_reduce(node, range, rank, value_of);
      });
  }
}

void TeamLane::thread_md(Node const& node, int i) {
  std::uint64_t const base = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(node.count);
  with_range<Kokkos::ThreadVectorMDRange>(node, *team, [&](auto const& range, auto rank) {
    if (node.kind == Kind::thread_vector_md_for)
      run_for(node, range, rank, [&](int j) { item(node.leaf, base + static_cast<std::uint64_t>(j)); });
    else
      r[node.result] = run_reduce(
          node, range, rank, [&](int j) { return value(node.leaf, base + static_cast<std::uint64_t>(j)); });
  });
}

}  // namespace property
