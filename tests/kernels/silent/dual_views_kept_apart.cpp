// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Sides of DualViews that are used for different things on purpose: the host's, undeclared, holds numbers of its own; where the
// device's is newer, the host still reads what it had; of what the host declares, a kernel reads the elements that are alike,
// other bytes of the same words among them; and where the host's is newer, the device's is filled by a kernel or a copy, with
// what it held before, too, and read then, or was written in another part before.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

struct Padded {
  double x;
  char kind;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  int const n = 1024;
  Kokkos::DualView<int*> own("own", n), newer("newer", n), parts("parts", n), halves("halves", n);
  Kokkos::DualView<int*> cleared("cleared", n), copied("copied", n), by_team("by_team", n);
  Kokkos::DualView<char*> bytes("bytes", n);
  Kokkos::DualView<short*> shorts("shorts", n);
  Kokkos::DualView<Padded*> padded("padded", n);
  Kokkos::View<int*> out("out", n);
  auto const own_host = own.view_host(), newer_host = newer.view_host(), parts_host = parts.view_host();
  auto const own_device = own.view_device(), newer_device = newer.view_device(), parts_device = parts.view_device();
  own.modify_host();
  own.sync_device();
  for (int i = 0; i < n; ++i) own_host(i) = -i;
  Kokkos::parallel_for(
      "write", n, KOKKOS_LAMBDA(int i) { newer_device(i) = own_device(i) + 1; });
  newer.modify_device();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += newer_host(i);
  for (int i = 0; i < n; i += 2) parts_host(i) = i + 1;
  parts.modify_host();
  Kokkos::parallel_for(
      "odd", n, KOKKOS_LAMBDA(int i) { out(i) = i % 2 == 1 ? parts_device(i) : 0; });

  auto const bytes_device = bytes.view_device();
  auto const shorts_device = shorts.view_device();
  for (int i = 0; i < n; i += 2) bytes.view_host()(i) = shorts.view_host()(i) = static_cast<char>(1 + i % 100);
  bytes.modify_host();
  shorts.modify_host();
  Kokkos::parallel_for(
      "odd bytes", n, KOKKOS_LAMBDA(int i) { out(i) = i % 2 == 1 ? bytes_device(i) + shorts_device(i) : 0; });
  Kokkos::parallel_for(
      "odd bytes by teams", Policy(n / 32, 32), KOKKOS_LAMBDA(Member const& team) {
        int const i = team.league_rank() * 32 + team.team_rank();
        team.team_barrier();
        if (i % 2 == 1) out(i) += bytes_device(i) + shorts_device(i);
      });
  auto const padded_device = padded.view_device();
  for (int i = 0; i < n; ++i) padded.view_host()(i).kind = 'h';
  padded.modify_host();
  Kokkos::parallel_for(
      "other members", n, KOKKOS_LAMBDA(int i) { out(i) += static_cast<int>(padded_device(i).x); });

  // What is on the device was written there, and is as it was before.
  auto const cleared_device = cleared.view_device(), copied_device = copied.view_device(), team_device = by_team.view_device();
  for (int i = 0; i < n; ++i) cleared.view_host()(i) = copied.view_host()(i) = by_team.view_host()(i) = i + 1;
  cleared.modify_host();
  copied.modify_host();
  by_team.modify_host();
  Kokkos::parallel_for(
      "clear", n, KOKKOS_LAMBDA(int i) { cleared_device(i) = 0; });
  Kokkos::deep_copy(copied_device, 0);
  Kokkos::parallel_for(
      "clear by teams", Policy(n / 32, 32), KOKKOS_LAMBDA(Member const& team) {
        team.team_barrier();
        team_device(team.league_rank() * 32 + team.team_rank()) = 0;
      });
  Kokkos::parallel_for(
      "use", n, KOKKOS_LAMBDA(int i) { out(i) += cleared_device(i) + copied_device(i) + team_device(i); });

  // The device has the upper half, undeclared, the host the lower one.
  auto const halves_device = halves.view_device();
  Kokkos::parallel_for(
      "upper", Kokkos::RangePolicy<>(n / 2, n), KOKKOS_LAMBDA(int i) { halves_device(i) = 2 * i; });
  for (int i = 0; i < n / 2; ++i) halves.view_host()(i) = i + 1;
  halves.modify_host();
  Kokkos::parallel_for(
      "sum of the upper", Kokkos::RangePolicy<>(n / 2, n), KOKKOS_LAMBDA(int i) { out(i) += halves_device(i); });
  Kokkos::fence();
  return sum;
}
