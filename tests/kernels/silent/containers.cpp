// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos' own containers, used by many lanes at a time as their documentation allows.
#include <Kokkos_Core.hpp>

#include <Kokkos_Bitset.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_ErrorReporter.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>

#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;

/// Kokkos 5's name of it, or Kokkos 4's.
template <class Reporter>
int attempts(Reporter& errors) {
  if constexpr (requires { errors.num_report_attempts(); })
    return errors.num_report_attempts();
  else
    return errors.getNumReportAttempts();
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  int wrong = 0;

  Kokkos::DynRankView<double> ranked("ranked", 10, n / 10);
  Kokkos::Experimental::OffsetView<int*> shifted("shifted", {-5, 4});
  Kokkos::parallel_for(
      "views", n, KOKKOS_LAMBDA(int i) {
        ranked(i % 10, i / 10) = i;
        if (i < 10) shifted(i - 5) = i;
      });
  Kokkos::parallel_reduce(
      "read views", n,
      KOKKOS_LAMBDA(int i, int& sum) {
        sum += ranked(i % 10, i / 10) != i;
        if (i < 10) sum += shifted(i - 5) != i;
      },
      wrong);
  if (wrong != 0) std::abort();

  Kokkos::Bitset<> bits(n);
  Kokkos::parallel_for(
      "bits", n, KOKKOS_LAMBDA(int i) {
        bits.set(i / 2);
        if (bits.test(i / 2)) bits.find_any_set_near(i);
      });
  if (bits.count() != static_cast<unsigned>(n / 2)) std::abort();

  Kokkos::View<int*> bins("bins", 7);
  Kokkos::Experimental::ScatterView<int*> scatter(bins);
  Kokkos::parallel_for(
      "scatter", n, KOKKOS_LAMBDA(int i) { scatter.access()(i % 7) += 1; });
  Kokkos::Experimental::contribute(bins, scatter);

  Kokkos::DualView<int*> dual("dual", n);
  for (int i = 0; i < n; ++i) dual.view_host()(i) = i;
  dual.modify_host();
  dual.sync_device();
  auto const on_device = dual.view_device();
  Kokkos::parallel_for(
      "dual", n, KOKKOS_LAMBDA(int i) { on_device(i) *= 2; });
  dual.modify_device();
  dual.sync_host();
  if (dual.view_host()(n - 1) != 2 * (n - 1)) std::abort();

  Kokkos::Experimental::DynamicView<int*> growing("growing", 256, 4 * n);
  growing.resize_serial(n);
  Kokkos::parallel_for(
      "growing", n, KOKKOS_LAMBDA(int i) { growing(i) = i; });

  Kokkos::Experimental::ErrorReporter<int, Kokkos::DefaultExecutionSpace::device_type> errors(20);
  Kokkos::parallel_for(
      "errors", n, KOKKOS_LAMBDA(int i) {
        if (i % 25 == 0) errors.add_report(i, i);
      });
  if (attempts(errors) != n / 25) std::abort();

  Kokkos::Random_XorShift1024_Pool<> const pool(7);
  Kokkos::View<double*> numbers("numbers", n);
  Kokkos::parallel_for(
      "random", Policy(n / 100, 20), KOKKOS_LAMBDA(Policy::member_type const& team) {
        auto generator = pool.get_state();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 100),
                             [&](int i) { numbers(team.league_rank() * 100 + i) = generator.drand(); });
        pool.free_state(generator);
      });
  Kokkos::fence();
}
// EXPECT-NONE
