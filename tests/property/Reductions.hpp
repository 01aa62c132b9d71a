// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos' built-in reducers behind one face: how an item's value and number go in, what comes out (see
/// Fold).
#pragma once

#include "Fold.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace property {

using Value = std::uint64_t;
using Index = std::int64_t;

template <class R>
struct Scalar {
  using Reducer = R;
  using Variable = typename R::value_type;
  KOKKOS_FUNCTION static Value result(Variable const& u) { return static_cast<Value>(u); }
};

struct SumOf : Scalar<Kokkos::Sum<Value>> {
  KOKKOS_FUNCTION static void add(Value& u, Value v, Index) { u += v; }
};
struct ProdOf : Scalar<Kokkos::Prod<Value>> {
  KOKKOS_FUNCTION static void add(Value& u, Value v, Index) { u *= v | 1; }
};
struct MinOf : Scalar<Kokkos::Min<Value>> {
  KOKKOS_FUNCTION static void add(Value& u, Value v, Index) { u = v < u ? v : u; }
};
struct MaxOf : Scalar<Kokkos::Max<Value>> {
  KOKKOS_FUNCTION static void add(Value& u, Value v, Index) { u = v > u ? v : u; }
};
struct LAndOf : Scalar<Kokkos::LAnd<int>> {
  KOKKOS_FUNCTION static void add(int& u, Value v, Index) { u = u && is_true_for_all(v); }
};
struct LOrOf : Scalar<Kokkos::LOr<int>> {
  KOKKOS_FUNCTION static void add(int& u, Value v, Index) { u = u || is_true_for_some(v); }
};
struct BAndOf : Scalar<Kokkos::BAnd<Value>> {
  KOKKOS_FUNCTION static void add(Value& u, Value v, Index) { u &= many_bits(v); }
};
struct BOrOf : Scalar<Kokkos::BOr<Value>> {
  KOKKOS_FUNCTION static void add(Value& u, Value v, Index) { u |= few_bits(v); }
};

template <class R>
struct Structured {
  using Reducer = R;
  using Variable = typename R::value_type;
  KOKKOS_FUNCTION static Value bits(Index i) { return static_cast<Value>(i); }
};

struct MinLocOf : Structured<Kokkos::MinLoc<Value, Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (v < u.val) u.val = v, u.loc = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return u.val; }
};
struct MaxLocOf : Structured<Kokkos::MaxLoc<Value, Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (v > u.val) u.val = v, u.loc = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return u.val; }
};
struct MinMaxOf : Structured<Kokkos::MinMax<Value>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index) {
    if (v < u.min_val) u.min_val = v;
    if (v > u.max_val) u.max_val = v;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return pair_of(u.min_val, u.max_val); }
};
struct MinMaxLocOf : Structured<Kokkos::MinMaxLoc<Value, Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (v < u.min_val) u.min_val = v, u.min_loc = i;
    if (v > u.max_val) u.max_val = v, u.max_loc = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return pair_of(u.min_val, u.max_val); }
};
struct MinFirstLocOf : Structured<Kokkos::MinFirstLoc<Value, Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (v < u.val || (v == u.val && i < u.loc)) u.val = v, u.loc = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return pair_of(u.val, bits(u.loc)); }
};
struct MaxFirstLocOf : Structured<Kokkos::MaxFirstLoc<Value, Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (v > u.val || (v == u.val && i < u.loc)) u.val = v, u.loc = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return pair_of(u.val, bits(u.loc)); }
};
struct MinMaxFirstLastLocOf : Structured<Kokkos::MinMaxFirstLastLoc<Value, Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (v < u.min_val || (v == u.min_val && i < u.min_loc)) u.min_val = v, u.min_loc = i;
    if (v > u.max_val || (v == u.max_val && i > u.max_loc)) u.max_val = v, u.max_loc = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) {
    return pair_of(pair_of(u.min_val, bits(u.min_loc)), pair_of(u.max_val, bits(u.max_loc)));
  }
};
struct FirstLocOf : Structured<Kokkos::FirstLoc<Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (is_true(v) && i < u.min_loc_true) u.min_loc_true = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return bits(u.min_loc_true); }
};
struct LastLocOf : Structured<Kokkos::LastLoc<Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (is_true(v) && i > u.max_loc_true) u.max_loc_true = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return bits(u.max_loc_true); }
};
struct IsPartitionedOf : Structured<Kokkos::StdIsPartitioned<Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (is_true(v) && i > u.max_loc_true) u.max_loc_true = i;
    if (!is_true(v) && i < u.min_loc_false) u.min_loc_false = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) {
    return pair_of(bits(u.max_loc_true), bits(u.min_loc_false));
  }
};
struct PartitionPointOf : Structured<Kokkos::StdPartitionPoint<Index>> {
  KOKKOS_FUNCTION static void add(Variable& u, Value v, Index i) {
    if (!is_true(v) && i < u.min_loc_false) u.min_loc_false = i;
  }
  KOKKOS_FUNCTION static Value result(Variable const& u) { return bits(u.min_loc_false); }
};

/// `use(SumOf())` and the like.
template <class Use>
KOKKOS_FUNCTION void with_reduction(Reduction reduction, Use const& use) {
  switch (reduction) {
    case Reduction::sum:
      return use(SumOf());
    case Reduction::prod:
      return use(ProdOf());
    case Reduction::min:
      return use(MinOf());
    case Reduction::max:
      return use(MaxOf());
    case Reduction::land:
      return use(LAndOf());
    case Reduction::lor:
      return use(LOrOf());
    case Reduction::band:
      return use(BAndOf());
    case Reduction::bor:
      return use(BOrOf());
    case Reduction::min_loc:
      return use(MinLocOf());
    case Reduction::max_loc:
      return use(MaxLocOf());
    case Reduction::min_max:
      return use(MinMaxOf());
    case Reduction::min_max_loc:
      return use(MinMaxLocOf());
    case Reduction::min_first_loc:
      return use(MinFirstLocOf());
    case Reduction::max_first_loc:
      return use(MaxFirstLocOf());
    case Reduction::min_max_first_last_loc:
      return use(MinMaxFirstLastLocOf());
    case Reduction::first_loc:
      return use(FirstLocOf());
    case Reduction::last_loc:
      return use(LastLocOf());
    case Reduction::std_is_partitioned:
      return use(IsPartitionedOf());
    case Reduction::std_partition_point:
      return use(PartitionPointOf());
  }
}

}  // namespace property
