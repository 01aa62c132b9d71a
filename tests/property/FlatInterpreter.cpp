// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatInterpreter.hpp"

#include "Reductions.hpp"

namespace property {
namespace {

using Range = Kokkos::RangePolicy<Space>;
template <int rank>
using MDRange = Kokkos::MDRangePolicy<Space, Kokkos::Rank<rank>>;

struct FlatKernel {
  Operation operation;
  DeviceArray arrays[max_arrays];
  int teams = 1;

  explicit FlatKernel(Code const& code) : operation(code.nodes[0]), teams(code.teams) {
    for (int k = 0; k < code.array_count; ++k) arrays[k] = code.arrays[k];
  }

  KOKKOS_FUNCTION Lane lane() const {
    Lane l;
    for (int k = 0; k < max_arrays; ++k) l.arrays[k] = arrays[k];
    l.teams = teams;
    l.flat = true;
    return l;
  }
  KOKKOS_FUNCTION std::uint64_t value(std::uint64_t x) const {
    Operation const o = operation;
    return lane().value(o.leaf, x);
  }
  KOKKOS_FUNCTION void item(std::uint64_t x) const {
    Operation const o = operation;
    lane().item(o.leaf, x);
  }
  /// Row-major number of a multi-dimensional item.
  KOKKOS_FUNCTION std::uint64_t number(int a, int b, int c = 0, int d = 0) const {
    int const* const n = operation.extents;
    return static_cast<std::uint64_t>(((a * n[1] + b) * n[2] + c) * n[3] + d);
  }
};

struct ForEach : FlatKernel {
  using FlatKernel::FlatKernel;
  KOKKOS_FUNCTION void operator()(int x) const { item(static_cast<std::uint64_t>(x)); }
  KOKKOS_FUNCTION void operator()(int a, int b) const { item(number(a, b)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c) const { item(number(a, b, c)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d) const { item(number(a, b, c, d)); }
};

template <class R>
struct Reduce : FlatKernel {
  using FlatKernel::FlatKernel;
  using Update = typename R::Variable&;
  KOKKOS_FUNCTION void add(Update u, std::uint64_t x) const { R::add(u, value(x), static_cast<Index>(x)); }
  KOKKOS_FUNCTION void operator()(int x, Update u) const { add(u, static_cast<std::uint64_t>(x)); }
  KOKKOS_FUNCTION void operator()(int a, int b, Update u) const { add(u, number(a, b)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, Update u) const { add(u, number(a, b, c)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, Update u) const { add(u, number(a, b, c, d)); }
};

struct Scan : FlatKernel {
  using FlatKernel::FlatKernel;
  KOKKOS_FUNCTION void operator()(int i, std::uint64_t& sum, bool final) const {
    Operation const o = operation;
    Lane const l = lane();
    auto const x = static_cast<std::uint64_t>(i);
    std::uint64_t const before = sum;
    sum += l.value(o.leaf, x);
    if (final) l.store(o.leaf, x, o.exclusive ? before : sum);
  }
};

template <class Use>
void with_md_range(Operation const& o, Use const& use) {
  int const* const n = o.extents;
  if (o.rank == 2)
    use(MDRange<2>({0, 0}, {n[0], n[1]}));
  else if (o.rank == 3)
    use(MDRange<3>({0, 0, 0}, {n[0], n[1], n[2]}));
  else
    use(MDRange<4>({0, 0, 0, 0}, {n[0], n[1], n[2], n[3]}));
}

template <class Policy>
std::uint64_t reduce(Code const& code, Policy const& policy) {
  std::uint64_t total = 0;
  with_reduction(code.nodes[0].reduction, [&](auto kind) {
    using R = decltype(kind);
    typename R::Variable result;
    Kokkos::parallel_reduce("flat reduce", policy, Reduce<R>(code), typename R::Reducer(result));
    total = R::result(result);
  });
  return total;
}

}  // namespace

std::uint64_t run_flat(Code const& code) {
  Operation const& o = code.nodes[0];
  std::uint64_t total = 0;
  if (o.kind == Kind::range_for) {
    Kokkos::parallel_for("flat for", Range(0, o.count), ForEach(code));
  } else if (o.kind == Kind::range_reduce) {
    total = reduce(code, Range(0, o.count));
  } else if (o.kind == Kind::range_scan) {
    Kokkos::parallel_scan("flat scan", Range(0, o.count), Scan(code), total);
  } else if (o.kind == Kind::md_range_for) {
    with_md_range(o, [&](auto const& policy) { Kokkos::parallel_for("flat for", policy, ForEach(code)); });
  } else {
    with_md_range(o, [&](auto const& policy) { total = reduce(code, policy); });
  }
  Kokkos::fence();
  return total;
}

}  // namespace property
