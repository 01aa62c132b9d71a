// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions in a team, with every built-in reducer.
#include "Reductions.hpp"
#include "TeamInterpreter.hpp"

namespace property {
namespace {
/// Not instrumented: to a kernel the simulator's own memory is the host's.
TEAMSAN_NO_INSTRUMENT int own_vector_lane() { return static_cast<int>(teamsan::this_lane().vector_lane); }
}  // namespace

void TeamLane::team_thread_reduce(Node const& node) {
  with_reduction(node.reduction, [&](auto kind) {
    using R = decltype(kind);
    typename R::Variable result;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(*team, node.count),
        [&](int i, typename R::Variable& update) {
          run_thread(node.first, node.children, i);
          R::add(update, value(node.leaf, static_cast<std::uint64_t>(i)), i);
        },
        typename R::Reducer(result));
    r[node.result] = R::result(result);
  });
}

void TeamLane::team_vector_reduce(Node const& node) {
  with_reduction(node.reduction, [&](auto kind) {
    using R = decltype(kind);
    typename R::Variable result;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(*team, node.count),
        [&](int i, typename R::Variable& update) {
          R::add(update, value(node.leaf, static_cast<std::uint64_t>(i)), i);
        },
        typename R::Reducer(result));
    r[node.result] = R::result(result);
  });
}

void TeamLane::thread_vector_reduce(Node const& node, int i) {
  std::uint64_t const base = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(node.count);
  with_reduction(node.reduction, [&](auto kind) {
    using R = decltype(kind);
    typename R::Variable result;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(*team, node.count),
        [&](int j, typename R::Variable& update) {
          R::add(update, value(node.leaf, base + static_cast<std::uint64_t>(j)), j);
        },
        typename R::Reducer(result));
    r[node.result] = R::result(result);
  });
}

void TeamLane::team_reduce(Node const& node) {
  with_reduction(node.reduction, [&](auto kind) {
    using R = decltype(kind);
    typename R::Variable own;
    typename R::Reducer const reducer(own);
    reducer.init(own);
    R::add(own, r[node.result], thread);
    team->team_reduce(reducer);
    r[node.result] = R::result(own);
  });
}

void TeamLane::vector_reduce(Node const& node) {
  int const vector_lane = own_vector_lane();
  with_reduction(node.reduction, [&](auto kind) {
    using R = decltype(kind);
    typename R::Variable own;
    typename R::Reducer const reducer(own);
    reducer.init(own);
    R::add(own, r[node.result], vector_lane);
    Member::vector_reduce(reducer);
    r[node.result] = R::result(own);
  });
}

}  // namespace property
