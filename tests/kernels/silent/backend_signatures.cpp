// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What Kokkos' CUDA and HIP backends accept, signature by signature (Cuda/Kokkos_Cuda_Team.hpp and its HIP twin): reducers by
// value and by name, results in Views, what a member's collectives take, the ranges' own types, a policy's constructors.
#include <Kokkos_Core.hpp>

#include <type_traits>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Execution = Policy::execution_space;
using Scratch = Kokkos::View<int, Execution::scratch_memory_space, Kokkos::MemoryUnmanaged>;
using Shares = Kokkos::View<int*, Execution::scratch_memory_space, Kokkos::MemoryUnmanaged>;
template <class Index>
using Threads = Kokkos::Impl::TeamThreadRangeBoundariesStruct<Index, Member>;
template <class Index>
using Lanes = Kokkos::Impl::ThreadVectorRangeBoundariesStruct<Index, Member>;
template <class Index>
using Both = Kokkos::Impl::TeamVectorRangeBoundariesStruct<Index, Member>;

static_assert(std::is_same_v<decltype(Kokkos::TeamThreadRange(std::declval<Member const&>(), 0u, 4)), Threads<unsigned>>);
static_assert(std::is_same_v<decltype(Kokkos::TeamVectorRange(std::declval<Member const&>(), 3l)), Both<long>>);
static_assert(std::is_same_v<decltype(Kokkos::ThreadVectorRange(std::declval<Member const&>(), 0, 4l)), Lanes<long>>);
static_assert(std::is_same_v<Threads<int>::index_type, int> && std::is_same_v<Both<short>::index_type, short>);
static_assert(std::is_same_v<Member::team_handle, Member> && std::is_same_v<Member::execution_space, Execution>);

/// A reduction's functor with all that FunctorAnalysis looks for.
struct Widest {
  using value_type = int;
  KOKKOS_FUNCTION void operator()(int i, int& value) const { value = value < i % 17 ? i % 17 : value; }
  KOKKOS_FUNCTION void init(int& value) const { value = -1; }
  KOKKOS_FUNCTION void join(int& value, int const& other) const { value = value < other ? other : value; }
  KOKKOS_FUNCTION void final(int& value) const { value *= 10; }
};

/// A functor with a const call operator that sets a value: team_broadcast takes one.
struct SetTo {
  int what;
  KOKKOS_FUNCTION void operator()(int& value) const { value = what; }
};

KOKKOS_FUNCTION int member_collectives(Member const& team) {
  int const rank = team.team_rank(), size = team.team_size(), pairs = size * (size - 1) / 2;
  int bad = 0;
  int value = rank;
  team.team_broadcast(value, size - 1);
  bad += value != size - 1;
  team.team_broadcast(SetTo{rank + 7}, value, 2);
  bad += value != 9;
  team.team_broadcast([&](auto& set) { set = 2 * rank; }, value, 1);
  bad += value != 2;
  int sum = rank, most = rank;
  team.team_reduce(Kokkos::Sum<int>(sum));
  Kokkos::Max<int> const max(most);
  team.team_reduce(max);
  bad += sum != pairs || most != size - 1;
  int other = rank;
  team.team_reduce(Kokkos::Sum<int>(sum), other);
  bad += sum != pairs || other != pairs;
  int lanes = 1;
  team.vector_reduce(Kokkos::Sum<int>(lanes));
  Member::vector_reduce(Kokkos::Max<int>(lanes), lanes);
  bad += team.team_scan<int>(rank) != rank * (rank - 1) / 2;
  bad += team.template team_scan<int>(1, nullptr) != rank;
  return bad + (lanes != 4);
}

KOKKOS_FUNCTION int helpers(Member const& team) {
  int sum = team.team_rank(), lanes = 1;
  using Reducer = Kokkos::Sum<int>;
  using Wrapped = Kokkos::Impl::FunctorAnalysis<Kokkos::Impl::FunctorPatternInterface::REDUCE, Policy, Reducer, int>::Reducer;
  Wrapped const wrapped{Reducer(sum)};
  team.impl_team_reduce(wrapped, sum);
  Member::impl_vector_reduce(wrapped, lanes);
  int by_struct = 0;
  Kokkos::parallel_for(Threads<int>(team, 5), [&](int) { ++by_struct; });
  Kokkos::parallel_for(Lanes<int>(team, 2, 5), [&](int) { ++by_struct; });
  Kokkos::parallel_for(Both<int>(team, 0, 5), [&](int) { ++by_struct; });
  Threads<int> const range(team, 3, 8);
  return (sum != 28) + (lanes != 4) + (by_struct == 0) + (range.end - range.start != 5) + (&range.member != &team);
}

KOKKOS_FUNCTION int reductions(Member const& team) {
  int bad = 0;
  int sum = 0;
  auto const add = [&](int i, int& to) { to += i; };
  Kokkos::Sum<int> named(sum);
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 10), add, named);
  bad += sum != 45;
  Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, 10), add, Kokkos::Sum<int>(sum));
  bad += sum != 45;
  Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, 1, 10), add, Kokkos::Sum<int, Kokkos::HostSpace>(sum));
  bad += sum != 45;
  Kokkos::MinMaxScalar<int> both;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, 3, 10),
      [&](int i, Kokkos::MinMaxScalar<int>& of) {
        of.min_val = of.min_val < i ? of.min_val : i;
        of.max_val = of.max_val < i ? i : of.max_val;
      },
      Kokkos::MinMax<int>(both));
  bad += both.min_val != 3 || both.max_val != 9;
  int widest = 0;
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 100), Widest(), widest);
  bad += widest != 160;
  Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, 100), Widest(), widest);
  bad += widest != 160;
  int first = 0, second = 0;
  Kokkos::parallel_reduce(
      Kokkos::TeamVectorRange(team, 10),
      [&](int i, int& one, int& two) {
        one += i;
        two = two < i ? i : two;
      },
      first, Kokkos::Max<int>(second));
  return bad + (first != 45) + (second != 9);
}

KOKKOS_FUNCTION int singles_and_scans(Member const& team) {
  int bad = 0, value = 0;
  Kokkos::single(
      Kokkos::PerTeam(team), [&](int& set) { set = 5; }, value);
  bad += value != 5;
  Kokkos::single(
      Kokkos::PerThread(team), [&](int& set) { set = 6; }, value);
  bad += value != 6;
  Kokkos::single(Kokkos::Impl::ThreadSingleStruct<Member>(team), [] {});
  Kokkos::single(Kokkos::Impl::VectorSingleStruct<Member>(team), [] {});
  int scanned = 0;
  Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, 10), [&](int i, int& before, bool const final) {
    if (final && i == 9) scanned = before;
    before += i;
  });
  int product = 1;
  Kokkos::parallel_scan(
      Kokkos::ThreadVectorRange(team, 1, 6), [&](int i, int& before, bool) { before *= i; }, Kokkos::Prod<int>(product));
  return bad + (product != 120) + (scanned != 0 && scanned != 36);
}

KOKKOS_FUNCTION int results_in_views(Member const& team) {
  Scratch const result(team.team_scratch(0));
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, 10), [&](int i, int& to) { to += i; }, result);
  team.team_barrier();
  int const from_view = result();
  team.team_barrier();
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, 10), [&](int i, int& to) { to += 2 * i; }, Kokkos::Sum(result));
  team.team_barrier();
  return (from_view != 45) + (result() != 90);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const teams = 2;
  Kokkos::View<int> wrong("wrong");
  Policy policy(Execution(), teams, 8, 4);
  policy.set_scratch_size(0, Kokkos::PerTeam(1024)).set_chunk_size(1);
  Kokkos::parallel_for(
      "all", policy, KOKKOS_LAMBDA(Member const& team) {
        int bad = member_collectives(team);
        bad += helpers(team);
        bad += reductions(team);
        bad += singles_and_scans(team);
        Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(&wrong(), bad); });
        team.team_barrier();
        bad = results_in_views(team);
        Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(&wrong(), bad); });
      });
  auto const empty = KOKKOS_LAMBDA(auto& team) { static_assert(std::is_same_v<decltype(team), Member const&>); };
  Kokkos::parallel_for("auto", Policy(teams, Kokkos::AUTO), empty);
  Kokkos::parallel_for("auto_both", Policy(Execution(), teams, Kokkos::AUTO, Kokkos::AUTO), empty);
  Kokkos::parallel_for("auto_lanes", Policy(teams, 4, Kokkos::AUTO), empty);
  Kokkos::parallel_for("lanes", Policy(teams, Kokkos::AUTO, 2), KOKKOS_LAMBDA(auto const&){});
  int bad = 0;
  Kokkos::deep_copy(bad, wrong);
  return bad;
}
