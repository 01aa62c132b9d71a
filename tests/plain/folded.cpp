// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What vector lanes come to, bit by bit, for `folded`: where nothing is checked a thread's run as one. The last line is how
/// many lanes ran.
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
constexpr int teams = 5;

/// Sums of these hang on their order.
KOKKOS_INLINE_FUNCTION double number(int i) { return 1.0 / (1 + (i * 7919 % 1013)) - 0.001 * (i % 13); }

/// A value too large to be a register, whose join is neither commutative to the bit nor a plus.
struct Several {
  double of[20] = {};
  KOKKOS_INLINE_FUNCTION Several& operator+=(Several const& other) {
    for (int k = 0; k != 20; ++k) of[k] = of[k] * 0.5 + other.of[k];
    return *this;
  }
};

/// Prints a hash of what a kernel has left for each team.
template <class Value>
void print(char const* name, Kokkos::View<Value*> const& results) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i != host.extent(0); ++i) {
    unsigned char bytes[sizeof(Value)];
    std::memcpy(bytes, &host(i), sizeof bytes);
    for (unsigned char const b : bytes) hash = (hash ^ b) * 1099511628211u;
  }
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

/// `body(member, result)` in each team of that shape.
template <class Value, class Body>
void run(char const* name, int threads, int lanes, Body const& body) {
  Kokkos::View<Value*> results("results", teams * threads);
  Kokkos::parallel_for(name, Policy(teams, threads, lanes), KOKKOS_LAMBDA(Member const& member) {
    Value result{};
    body(member, result);
    Kokkos::single(Kokkos::PerThread(member),
                   [&] { results(member.league_rank() * member.team_size() + member.team_rank()) = result; });
  });
  print(name, results);
}

void run_all(int threads, int lanes, int n) {
  std::printf("%d threads, %d lanes, %d:\n", threads, lanes, n);
  run<double>("sum of a thread", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(m, n), [&](int i, double& s) { s += number(i + m.league_rank()); }, r);
  });
  run<double>("from a place on", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(m, short{3}, short(n)), [&](short i, double& s) { s += number(i); }, Kokkos::Sum<double>(r));
  });
  run<float>("sum of a team", threads, lanes, KOKKOS_LAMBDA(Member const& m, float& r) {
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(m, 3 * n), [&](int i, float& s) { s += float(number(i)); }, r);
  });
  run<double>("of threads, by lanes", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m, n),
        [&](int i, double& s) {
          double inner = 0;
          Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(m, i), [&](int j, double& t) { t += number(i * j); }, inner);
          s += inner;
        },
        r);
  });
  run<Kokkos::MinMaxLocScalar<double, int>>(
      "least and most", threads, lanes, KOKKOS_LAMBDA(Member const& m, auto& r) {
        using Reducer = Kokkos::MinMaxLoc<double, int>;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(m, n + 1),
            [&](int i, typename Reducer::value_type& v) {
              double const x = number(i % 5);
              if (x < v.min_val) v.min_val = x, v.min_loc = i;
              if (x > v.max_val) v.max_val = x, v.max_loc = i;
            },
            Reducer(r));
      });
  run<double>("of structs", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Several all;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(m, n), [&](int i, Several& s) { s.of[i % 20] += number(i); }, all);
    for (double const x : all.of) r += x;
  });
  Kokkos::View<double**> scanned("scanned", teams * threads, n);
  run<double>("scan", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    int const row = m.league_rank() * m.team_size() + m.team_rank();
    Kokkos::parallel_scan(
        Kokkos::ThreadVectorRange(m, n),
        [&](int i, double& s, bool final) {
          s += number(i + row);
          if (final) scanned(row, i) = s;
        },
        r);
    Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(m, n), [&](int i, double& s) { s += scanned(row, i) * 3; }, r);
  });
  run<double>("scan of a team", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    double total = 0;
    Kokkos::parallel_scan(
        Kokkos::TeamThreadRange(m, n), [&](int i, double& s, bool) { s += number(i); }, total);
    r = total + m.team_scan(number(m.team_rank()));
  });
  run<double>("dimensions of a thread", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Kokkos::parallel_reduce(Kokkos::ThreadVectorMDRange<Kokkos::Rank<2>, Member>(m, 3, n),
                            [&](int i, int j, double& s) { s += number(i * 31 + j); }, r);
  });
  run<double>("dimensions of a team", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Kokkos::parallel_reduce(Kokkos::TeamVectorMDRange<Kokkos::Rank<3>, Member>(m, 2, 5, n),
                            [&](int i, int j, int k, double& s) { s += number(i * 31 + j * 7 + k); }, r);
  });
  run<double>("dimensions of threads", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    Kokkos::parallel_reduce(Kokkos::TeamThreadMDRange<Kokkos::Rank<2>, Member>(m, 3, n),
                            [&](int i, int j, double& s) { s += number(i * 31 + j); }, r);
  });
  run<double>("one for all", threads, lanes, KOKKOS_LAMBDA(Member const& m, double& r) {
    double mine = 0;
    Kokkos::single(Kokkos::PerThread(m), [&](double& x) { x = number(m.team_rank()); }, mine);
    m.team_broadcast(mine, m.team_size() - 1);
    r = mine;
    m.team_reduce(Kokkos::Sum<double>(r));
  });
  Kokkos::View<double*> stored("stored", 4 * n), added("added", 1);
  Kokkos::parallel_for("stores", Policy(1, threads, lanes), KOKKOS_LAMBDA(Member const& m) {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(m, n), [&](int i) {
      stored(i) += number(i);
      Kokkos::atomic_add(&added(0), number(i));
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(m, n), [&](int i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(m, 2), [&](int j) { stored(n + 2 * i + j) = number(i + j); });
    });
    Kokkos::parallel_for(Kokkos::TeamVectorMDRange<Kokkos::Rank<2>, Member>(m, n, 1),
                         [&](int i, int j) { stored(3 * n + i + j) += number(i); });
  });
  print("stored", stored);
  print("added", added);
  Kokkos::View<double> all("all");
  Kokkos::parallel_reduce(
      "sum of teams", Policy(teams, threads, lanes),
      KOKKOS_LAMBDA(Member const& m, double& s) {
        double inner = 0;
        Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(m, n), [&](int i, double& t) { t += number(i); }, inner);
        s += inner * number(m.team_rank());
      },
      all);
  Kokkos::View<double*> const one("one", 1);
  Kokkos::deep_copy(Kokkos::subview(one, 0), all);
  print("sum of teams", one);
}

}  // namespace

int main(int count, char** words) {
  Kokkos::ScopeGuard const guard(count, words);
  for (int const n : {0, 1, 17, 100})
    for (int const threads : {1, 3, 8})
      for (int const lanes : {1, 4, 32}) run_all(threads, lanes, n);
  int ran = 0;
  Kokkos::View<int> lanes("lanes");
  Kokkos::parallel_for("lanes", Policy(10, 2, 16), KOKKOS_LAMBDA(Member const&) { Kokkos::atomic_inc(&lanes()); });
  Kokkos::deep_copy(ran, lanes);
  std::printf("lanes: %d\n", ran);
}
