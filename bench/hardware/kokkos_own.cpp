// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that do nothing in scratch but what Kokkos does there for its own reductions, scans and broadcasts: their counters on
// a GPU are beside what model/device/KokkosOwn.hpp says (traces/hardware/record/counters.py). A kernel for each construct and
// shape of a team, each returning what keeps a compiler from dropping it; and reductions and scans over ranges, in which every
// round of a warp also updates its value in scratch. Ends with 1 if a result is wrong.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

constexpr int league = 64;

/// Runs `body` on every lane and keeps what it returns to thread 0 of each team; it is to be `expected` in each.
template <class Body>
bool run(std::string const& name, int threads, int length, double expected, Body const& body) {
  Kokkos::View<double*> out("out", league);
  Kokkos::parallel_for(
      name + ' ' + std::to_string(threads) + 'x' + std::to_string(length), Policy(league, threads, length),
      KOKKOS_LAMBDA(Member const& team) {
        double const value = body(team);
        Kokkos::single(Kokkos::PerTeam(team), [&] { out(team.league_rank()) = value; });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (int i = 0; i != league; ++i)
    if (host(i) != expected) {
      std::printf("kokkos_own: %s gave %g, not %g\n", name.c_str(), host(i), expected);
      return false;
    }
  return true;
}

bool run_shape(int threads, int length) {
  double const sum = threads * (threads - 1) / 2.0;
  bool right = run(
      "team_reduce", threads, length, sum, KOKKOS_LAMBDA(Member const& team) {
        double value = team.team_rank();
        team.team_reduce(Kokkos::Sum<double>(value));
        return value;
      });
  right &= run(
      "two team_reduces", threads, length, sum + threads - 1, KOKKOS_LAMBDA(Member const& team) {
        double a = team.team_rank(), b = team.team_rank();
        team.team_reduce(Kokkos::Sum<double>(a));
        team.team_reduce(Kokkos::Max<double>(b));
        return a + b;
      });
  right &= run(
      "team_scan", threads, length, 0, KOKKOS_LAMBDA(Member const& team) {
        return team.team_scan(static_cast<double>(team.team_rank() + 1));
      });
  right &= run(
      "team_broadcast", threads, length, threads - 1, KOKKOS_LAMBDA(Member const& team) {
        double value = team.team_rank();
        team.team_broadcast(value, team.team_size() - 1);
        return value;
      });
  right &= run(
      "reduced range", threads, length, sum, KOKKOS_LAMBDA(Member const& team) {
        double value = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, team.team_size()), [](int i, double& v) { v += i; }, value);
        return value;
      });
  if (length == 1)  // Kokkos 5.2's CUDA backend gets it wrong for more
    right &= run(
        "scanned range", threads, length, 0, KOKKOS_LAMBDA(Member const& team) {
          double value = 0;
          Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, team.team_size()), [&](int, double& v, bool last) {
            if (last) value = v;
            v += 1;
          });
          return value;
        });
  double total = 0;
  Kokkos::parallel_reduce(
      "parallel_reduce " + std::to_string(threads) + 'x' + std::to_string(length), Policy(league, threads, length),
      KOKKOS_LAMBDA(Member const& team, double& value) {
        Kokkos::single(Kokkos::PerThread(team), [&] { value += team.team_rank(); });
      },
      total);
  return right && total == league * sum;
}

/// Reducers that a compiler makes into other code than a sum: a team's maximum, product, and sum of whole numbers.
bool run_reducers(int threads) {
  bool right = run(
      "team_reduce Max", threads, 1, threads - 1, KOKKOS_LAMBDA(Member const& team) {
        double value = team.team_rank();
        team.team_reduce(Kokkos::Max<double>(value));
        return value;
      });
  right &= run(
      "team_reduce Prod", threads, 1, 1, KOKKOS_LAMBDA(Member const& team) {
        double value = team.team_rank() < 0 ? 2 : 1;
        team.team_reduce(Kokkos::Prod<double>(value));
        return value;
      });
  right &= run(
      "team_reduce int", threads, 1, threads, KOKKOS_LAMBDA(Member const& team) {
        int value = team.team_rank() < 0 ? 2 : 1;
        team.team_reduce(Kokkos::Sum<int>(value));
        return static_cast<double>(value);
      });
  return right;
}

template <class Value>
bool run_ranges(char const* type, int n) {
  std::string const name = std::string(type) + ' ' + std::to_string(n);
  Value sum = 0, total = 0;
  Kokkos::parallel_reduce("reduce " + name, n, KOKKOS_LAMBDA(int i, Value& value) { value += i % 2; }, sum);
  Kokkos::View<Value*> const out("out", n);
  Kokkos::parallel_scan(
      "scan " + name, n,
      KOKKOS_LAMBDA(int i, Value& value, bool last) {
        value += i % 2;
        if (last) out(i) = value;
      });
  Kokkos::deep_copy(total, Kokkos::subview(out, n - 1));
  if (sum == n / 2 && total == n / 2) return true;
  std::printf("kokkos_own: %s gave %g and %g\n", name.c_str(), static_cast<double>(sum), static_cast<double>(total));
  return false;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  bool right = true;
  for (int const threads : {1, 8, 32, 48, 64, 96, 100, 160, 256, 512}) right &= run_shape(threads, 1);
  for (int const length : {4, 8, 32})
    for (int const threads : {4, 16, 32}) right &= run_shape(threads, length);
  for (int const threads : {32, 96, 256, 512}) right &= run_reducers(threads);
  for (int const n : {100, 256, 1000, 16'384, 100'000, 1'000'003, 4'000'003})
    right &= run_ranges<double>("double", n) && run_ranges<int>("int", n);
  return right ? 0 : 1;
}
