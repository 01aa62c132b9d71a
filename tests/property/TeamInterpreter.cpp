// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamInterpreter.hpp"

namespace property {

void TeamLane::run(int first, int count) {
  for (int k = first; k < first + count; ++k) {
    Node const node = nodes[k];
    statement(node);
  }
}

void TeamLane::run_thread(int first, int count, int i) {
  for (int k = first; k < first + count; ++k) {
    Node const node = nodes[k];
    thread_statement(node, i);
  }
}

void TeamLane::single_team(Node const& node) {
  if (node.on_every_lane)
    item(node.leaf, 0);
  else if (node.on_every_thread)
    Kokkos::single(Kokkos::PerThread(*team), [&] { item(node.leaf, 0); });
  else if (node.barrier_inside)
    Kokkos::single(Kokkos::PerTeam(*team), [&] {
      item(node.leaf, 0);
      team->team_barrier();
    });
  else
    Kokkos::single(Kokkos::PerTeam(*team), [&] { item(node.leaf, 0); });
}

void TeamLane::statement(Node const& node) {
  switch (node.kind) {
    case Kind::barrier:
      if (node.without_thread != thread) team->team_barrier();
      return;
    case Kind::team_vector_for:
      Kokkos::parallel_for(Kokkos::TeamVectorRange(*team, node.count),
                           [&](int i) { item(node.leaf, static_cast<std::uint64_t>(i)); });
      return;
    case Kind::team_thread_for:
      Kokkos::parallel_for(Kokkos::TeamThreadRange(*team, node.count),
                           [&](int i) { run_thread(node.first, node.children, i); });
      return;
    case Kind::each_thread:
      run_thread(node.first, node.children, thread);
      return;
    case Kind::team_vector_md_for:
    case Kind::team_thread_md_for:
    case Kind::team_thread_md_reduce:
    case Kind::team_vector_md_reduce:
      team_md(node);
      return;
    case Kind::team_thread_reduce:
      team_thread_reduce(node);
      return;
    case Kind::team_vector_reduce:
      team_vector_reduce(node);
      return;
    case Kind::team_thread_scan: {
      std::uint64_t total = 0;
      Kokkos::parallel_scan(
          Kokkos::TeamThreadRange(*team, node.count),
          [&](int i, std::uint64_t& sum, bool final) {
            auto const x = static_cast<std::uint64_t>(i);
            std::uint64_t const before = sum;
            sum += value(node.leaf, x);
            if (final) store(node.leaf, x, node.exclusive ? before : sum);
          },
          total);
      r[node.result] = total;
      return;
    }
    case Kind::single_team:
      single_team(node);
      return;
    case Kind::single_team_value: {
      std::uint64_t got = 0;
      Kokkos::single(
          Kokkos::PerTeam(*team), [&](std::uint64_t& v) { v = value(node.leaf, 0); }, got);
      r[node.result] = got;
      return;
    }
    case Kind::team_broadcast:
      if (node.exclusive)
        team->team_broadcast([](std::uint64_t& v) { v = mix(v); }, r[node.result],
                             node.source % team->team_size());
      else
        team->team_broadcast(r[node.result], node.source % team->team_size());
      return;
    case Kind::team_reduce:
      team_reduce(node);
      return;
    case Kind::team_scan:
      r[node.result] = team->team_scan(r[node.result]);
      return;
    case Kind::repeat:
      for (int k = 0; k < node.count; ++k) run(node.first, node.children);
      return;
    case Kind::thread_vector_for:
    case Kind::thread_vector_md_for:
    case Kind::thread_vector_reduce:
    case Kind::thread_vector_md_reduce:
    case Kind::thread_vector_scan:
    case Kind::single_thread:
    case Kind::single_thread_value:
    case Kind::vector_reduce:
    case Kind::every_lane:
    case Kind::range_for:
    case Kind::range_reduce:
    case Kind::range_scan:
    case Kind::md_range_for:
    case Kind::md_range_reduce:
      return;  // not reached by a team
  }
}

void TeamLane::thread_statement(Node const& node, int i) {
  auto const x = static_cast<std::uint64_t>(i);
  std::uint64_t const base = x * static_cast<std::uint64_t>(node.count);
  switch (node.kind) {
    case Kind::thread_vector_for:
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(*team, node.count),
                           [&](int j) { item(node.leaf, base + static_cast<std::uint64_t>(j)); });
      return;
    case Kind::thread_vector_md_for:
    case Kind::thread_vector_md_reduce:
      thread_md(node, i);
      return;
    case Kind::thread_vector_reduce:
      thread_vector_reduce(node, i);
      return;
    case Kind::thread_vector_scan: {
      std::uint64_t total = 0;
      Kokkos::parallel_scan(
          Kokkos::ThreadVectorRange(*team, node.count),
          [&](int j, std::uint64_t& sum, bool final) {
            std::uint64_t const at = base + static_cast<std::uint64_t>(j);
            std::uint64_t const before = sum;
            sum += value(node.leaf, at);
            if (final) store(node.leaf, at, node.exclusive ? before : sum);
          },
          total);
      r[node.result] = total;
      return;
    }
    case Kind::single_thread:
      if (node.on_every_lane)
        item(node.leaf, x);
      else
        Kokkos::single(Kokkos::PerThread(*team), [&] { item(node.leaf, x); });
      return;
    case Kind::single_thread_value: {
      std::uint64_t got = 0;
      Kokkos::single(
          Kokkos::PerThread(*team), [&](std::uint64_t& v) { v = value(node.leaf, x); }, got);
      r[node.result] = got;
      return;
    }
    case Kind::vector_reduce:
      vector_reduce(node);
      return;
    case Kind::every_lane:
      item(node.leaf, x);
      return;
    case Kind::barrier:
    case Kind::team_vector_for:
    case Kind::team_vector_md_for:
    case Kind::team_thread_for:
    case Kind::team_thread_md_for:
    case Kind::each_thread:
    case Kind::team_thread_reduce:
    case Kind::team_thread_md_reduce:
    case Kind::team_vector_reduce:
    case Kind::team_vector_md_reduce:
    case Kind::team_thread_scan:
    case Kind::single_team:
    case Kind::single_team_value:
    case Kind::team_broadcast:
    case Kind::team_reduce:
    case Kind::team_scan:
    case Kind::repeat:
    case Kind::range_for:
    case Kind::range_reduce:
    case Kind::range_scan:
    case Kind::md_range_for:
    case Kind::md_range_reduce:
      return;  // not reached by a thread
  }
}

}  // namespace property
