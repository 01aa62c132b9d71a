// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Lanes take memory from their heap by each of its functions, hand it to a later kernel, and give it back there: a list per
// bin, arrays that grow, one that a team shares.
#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <new>

struct Node {
  Node* next;
  int value;
};
struct alignas(64) Line {
  double values[8];
};
struct Head {
  Node* first;
};
struct Growing {
  int* values;
  int size;
};
struct Table {
  double* values;
};

using Member = Kokkos::TeamPolicy<>::member_type;

/// Who wins the place puts the node that was first behind it.
KOKKOS_FUNCTION void push(Head& head, Node* node) {
  Node* first = Kokkos::atomic_load(&head.first);
  for (;;) {
    node->next = first;
    Node* const seen = Kokkos::atomic_compare_exchange(&head.first, first, node);
    if (seen == first) return;
    first = seen;
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000, bins = 100, teams = 20;
  Kokkos::View<Head*> heads("heads", bins);
  Kokkos::View<Growing*> arrays("arrays", n);
  Kokkos::View<int*> sums("sums", bins);
  Kokkos::parallel_for("build", n, KOKKOS_LAMBDA(int i) { push(heads(i % bins), new Node{nullptr, i}); });
  Kokkos::parallel_for(
      "grow", n, KOKKOS_LAMBDA(int i) {
        Growing a{static_cast<int*>(std::malloc(sizeof(int))), 1};
        a.values[0] = i;
        for (; a.size < 1 + i % 5; ++a.size) {
          a.values = static_cast<int*>(std::realloc(a.values, (a.size + 1) * sizeof(int)));
          a.values[a.size] = a.values[a.size - 1] + 1;
        }
        arrays(i) = a;
      });
  Kokkos::parallel_for(
      "lines", n, KOKKOS_LAMBDA(int i) {
        auto* const zeros = static_cast<int*>(std::calloc(4, sizeof(int)));
        Line* const line = new (std::nothrow) Line;
        line->values[i % 8] = zeros[i % 4];
        zeros[0] = static_cast<int>(line->values[i % 8]);
        delete line;
        std::free(zeros);
      });
  // In another order than they were made in.
  Kokkos::parallel_for(
      "add up", n, KOKKOS_LAMBDA(int i) {
        Growing const a = arrays(n - 1 - i);
        Kokkos::atomic_add(&sums(i % bins), a.values[a.size - 1]);
        std::free(a.values);
      });
  Kokkos::parallel_for(
      "take down", bins, KOKKOS_LAMBDA(int b) {
        for (Node* node = heads(b).first; node != nullptr;) {
          sums(b) += node->value;
          Node* const next = node->next;
          delete node;
          node = next;
        }
      });
  Kokkos::parallel_for(
      "share", Kokkos::TeamPolicy<>(teams, 32).set_scratch_size(0, Kokkos::PerTeam(64)), KOKKOS_LAMBDA(Member const& team) {
        auto* const table = static_cast<Table*>(team.team_scratch(0).get_shmem(sizeof(Table)));
        if (team.team_rank() == 0) table->values = new double[team.team_size()];
        team.team_barrier();
        double* const values = table->values;
        values[team.team_rank()] = team.team_rank();
        team.team_barrier();
        if (team.team_rank() == 0) Kokkos::atomic_add(&sums(team.league_rank()), static_cast<int>(values[31]));
        team.team_barrier();
        if (team.team_rank() == 0) delete[] values;
      });
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  long all = 0, expected = 31L * teams;
  for (int b = 0; b < bins; ++b) all += result(b);
  for (int i = 0; i < n; ++i) expected += 2 * i + i % 5;
  return all == expected ? 0 : 1;
}
