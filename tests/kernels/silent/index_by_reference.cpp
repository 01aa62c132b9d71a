// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bodies that take their index as `int&` or `auto&`, for every pattern and policy: Kokkos' host backends and, in nested
// ranges, CUDA's and HIP's give them a variable. What a body does to it stays with the body.
#include <Kokkos_Core.hpp>

#include <type_traits>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

struct Tagged {};

struct ByReference {
  using value_type = long;
  Kokkos::View<long*> out;
  template <class Index>
  KOKKOS_FUNCTION void operator()(Tagged&&, Index& i) const {
    static_assert(std::is_integral_v<std::remove_const_t<Index>>);
    out(i) += i;
  }
  template <class Index>
  KOKKOS_FUNCTION void operator()(Tagged const&, Index& i, long& sum) const {
    sum += out(i);
  }
  template <class Index>
  KOKKOS_FUNCTION void operator()(Tagged const&, Index& i, long& sum, bool final) const {
    sum += 1;
    if (final) out(i) = sum;
  }
};

template <class View>
bool flat(View const& out) {
  int const n = out.extent_int(0);
  Kokkos::parallel_for(
      "for", n, KOKKOS_LAMBDA(auto& i) { out(i) = i; });
  Kokkos::parallel_for("tagged", Kokkos::RangePolicy<Tagged>(0, n), ByReference{out});
  Kokkos::parallel_for(
      "batches", Kokkos::RangePolicy<Kokkos::IndexType<int>>(0, n), KOKKOS_LAMBDA(int& i) {
        out(i) += i;
        i = n;
      });
  long sum = 0, tagged = 0, most = 0, prefix = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(auto& i, long& add) { add += out(i); }, sum);
  Kokkos::parallel_reduce("tagged_sum", Kokkos::RangePolicy<Tagged>(0, n), ByReference{out}, tagged);
  Kokkos::parallel_reduce(
      "most", n, KOKKOS_LAMBDA(auto& i, long& max) { max = max < out(i) ? out(i) : max; }, Kokkos::Max<long>(most));
  Kokkos::parallel_scan(
      "scan", n,
      KOKKOS_LAMBDA(auto& i, long& before, bool final) {
        if (final) out(i) = before;
        before += i;
      },
      prefix);
  Kokkos::parallel_scan("tagged_scan", Kokkos::RangePolicy<Tagged>(0, n), ByReference{out});
  Kokkos::fence();
  long const all = long{n} * (n - 1) / 2;
  return sum == 3 * all && tagged == 3 * all && most == 3 * (n - 1) && prefix == all;
}

bool boxes() {
  using Left = Kokkos::MDRangePolicy<Kokkos::Rank<3, Kokkos::Iterate::Left>>;
  using Right = Kokkos::MDRangePolicy<Kokkos::Rank<3, Kokkos::Iterate::Right>>;
  Kokkos::View<int***> box("box", 5, 6, 7);
  Kokkos::parallel_for(
      "left", Left({0, 0, 0}, {5, 6, 7}), KOKKOS_LAMBDA(auto& i, auto& j, auto& k) { box(i, j, k) = 1; });
  Kokkos::parallel_for(
      "right", Right({0, 0, 0}, {5, 6, 7}), KOKKOS_LAMBDA(auto& i, auto& j, auto& k) { box(i, j, k) += k; });
  int sum = 0;
  Kokkos::parallel_reduce(
      "sum", Right({0, 0, 0}, {5, 6, 7}), KOKKOS_LAMBDA(auto& i, auto& j, auto& k, int& add) { add += box(i, j, k); }, sum);
  return sum == 5 * 6 * (7 + 21);
}

bool nested() {
  int const teams = 3, columns = 40;
  Kokkos::View<int**> table("table", teams, columns);
  Kokkos::View<int*> wrong("wrong", teams);
  Kokkos::parallel_for(
      "nested", Policy(teams, 4, 8), KOKKOS_LAMBDA(Member const& team) {
        int const row = team.league_rank();
        int bad = 0;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, columns), [&](int& column) { table(row, column) = column; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 0, 5), [&](auto& part) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 8), [&](auto& lane) { table(row, 8 * part + lane) += 1; });
        });
        team.team_barrier();
        int threads = 0, lanes = 0, most = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, columns), [&](int& i, int& add) { add += table(row, i); }, threads);
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, columns), [&](auto& i, int& add) { add += table(row, i); }, lanes);
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, columns), [&](int& i, int& max) { max = max < i ? i : max; },
            Kokkos::Max<int>(most));
        bad += (threads != 820) + (lanes != 820) + (most != 39);
        int in_threads = 0, in_lanes = 0;
        Kokkos::parallel_scan(
            Kokkos::TeamThreadRange(team, columns), [&](int& i, int& before, bool) { before += i; }, in_threads);
        Kokkos::parallel_scan(
            Kokkos::ThreadVectorRange(team, columns), [&](auto& i, int& before, bool) { before += i; }, in_lanes);
        bad += (in_threads != 780) + (in_lanes != 780);
        int boxed = 0;
        auto const box = Kokkos::TeamVectorMDRange<Kokkos::Rank<2>, Member>(team, 6, 7);
        Kokkos::parallel_reduce(
            box, [&](auto& i, auto& j, int& add) { add += i * j; }, boxed);
        bad += boxed != 315;
        Kokkos::single(Kokkos::PerTeam(team), [&] { wrong(row) = bad; });
      });
  int bad = 0;
  Kokkos::parallel_reduce(
      "bad", teams, KOKKOS_LAMBDA(int i, int& add) { add += wrong(i); }, bad);
  return bad == 0;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  bool const is_flat = flat(Kokkos::View<long*>("out", 1000));
  bool const is_box = boxes();
  return is_flat && is_box && nested() ? 0 : 1;
}
