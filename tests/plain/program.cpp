// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of every pattern and of all that is special about plain bodies, and what they leave: a line each, the same however
// they are run. `program crash_together|crash_alone` ends in a kernel that is not checked. `program count`: the callbacks for
// plain accesses that a launch made (CMakeLists.txt wraps them); `program count_teams`: of launches with teams, without those
// by which functions begin.
#include "program.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>

extern "C" {
long callbacks = 0, begun = 0;
#define COUNTED(name)                                 \
  void __real_##name(void*);                          \
  TEAMSAN_NO_INSTRUMENT void __wrap_##name(void* p) { \
    ++callbacks;                                      \
    __real_##name(p);                                 \
  }
COUNTED(__tsan_read4)
COUNTED(__tsan_read8)
COUNTED(__tsan_write4)
COUNTED(__tsan_write8)
void __real___tsan_func_entry(void*);
TEAMSAN_NO_INSTRUMENT void __wrap___tsan_func_entry(void* p) {
  ++callbacks, ++begun;
  __real___tsan_func_entry(p);
}
#define COUNTED_FROM_CHECK(name)                                                              \
  void __real_##name(void*, unsigned long long, unsigned);                                    \
  TEAMSAN_NO_INSTRUMENT void __wrap_##name(void* p, unsigned long long pc, unsigned number) { \
    ++callbacks;                                                                              \
    __real_##name(p, pc, number);                                                             \
  }
COUNTED_FROM_CHECK(__teamsan_read4)
COUNTED_FROM_CHECK(__teamsan_read8)
COUNTED_FROM_CHECK(__teamsan_write4)
COUNTED_FROM_CHECK(__teamsan_write8)
#define COUNTED_FROM_TEAM_CHECK(name)                                      \
  void __real_##name(void*, unsigned long long);                           \
  TEAMSAN_NO_INSTRUMENT void __wrap_##name(void* p, unsigned long long pc) { \
    ++callbacks;                                                           \
    __real_##name(p, pc);                                                  \
  }
COUNTED_FROM_TEAM_CHECK(__teamsan_team_read4)
COUNTED_FROM_TEAM_CHECK(__teamsan_team_read8)
COUNTED_FROM_TEAM_CHECK(__teamsan_team_write4)
COUNTED_FROM_TEAM_CHECK(__teamsan_team_write8)
}

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Doubles = Kokkos::View<double*>;
using Ints = Kokkos::View<int*>;
using Scratch = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
constexpr int n = 3000;

/// Of a View's bytes: sums of doubles are to have the same bits.
template <class View>
void tell(char const* what, View const& view) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  auto const* const bytes = reinterpret_cast<unsigned char const*>(host.data());
  unsigned long long sum = 14695981039346656037u;
  for (std::size_t i = 0; i != host.span() * sizeof(typename View::value_type); ++i) sum = (sum ^ bytes[i]) * 1099511628211u;
  std::printf("%s %016llx\n", what, sum);
}
template <class Value>
void tell_value(char const* what, Value value) {
  std::printf("%s %.17g\n", what, static_cast<double>(value));
}

struct Square : Shape {
  double side;
  KOKKOS_FUNCTION explicit Square(double s) : side(s) {}
  KOKKOS_FUNCTION double area(double scale) const override { return side * side * scale; }
};

int recursive(int k, int volatile* depth) {
  *depth = *depth + 1;
  return k < 2 ? 1 : k * recursive(k - 1, depth) % 1009;
}
double kept_from_lane_to_lane(double x) {
  static double const factor = x > 1e9 ? 3 : 2;
  return x * factor;
}
int halve(int i) {
  if (i % 2 != 0) throw std::invalid_argument("odd");
  return i / 2;
}
[[gnu::noinline]] bool is_set(int const volatile* flag) { return *flag != 0; }

void ranges() {
  Doubles x("x", n), y("y", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = 1.0 / (i + 1); });
  Kokkos::parallel_for(
      "axpy", Kokkos::RangePolicy<>(3, n - 2), KOKKOS_LAMBDA(int i) { y(i) += 2.5 * x(i); });
  tell("range", y);
  Kokkos::View<double**> a("a", 61, 47), b("b", 61, 47);
  Kokkos::parallel_for(
      "fill2", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {61, 47}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) = i * 100 + j; });
  Kokkos::parallel_for(
      "stencil", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({1, 1}, {60, 46}),
      KOKKOS_LAMBDA(int i, int j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); });
  tell("two dimensions", b);
  using Right = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  Kokkos::View<int***> c("c", 9, 10, 11);
  Kokkos::parallel_for(
      "fill3", Kokkos::MDRangePolicy<Right>({1, 0, 2}, {9, 10, 11}),
      KOKKOS_LAMBDA(int i, int j, int k) { c(i, j, k) = i * 121 + j * 11 + k; });
  tell("three dimensions", c);
  Kokkos::View<int****> d("d", 5, 6, 7, 8);
  Kokkos::parallel_for(
      "fill4", Kokkos::MDRangePolicy<Kokkos::Rank<4>>({0, 1, 0, 2}, {5, 6, 7, 8}),
      KOKKOS_LAMBDA(int i, int j, int k, int l) { d(i, j, k, l) = i * 1000 + j * 100 + k * 10 + l; });
  tell("four dimensions", d);
}

void reductions() {
  Doubles x("x", n), y("y", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = 1.0 / (i + 1) - 1e-3; });
  double sum = 0, least = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, sum);
  tell_value("sum", sum);
  Kokkos::parallel_reduce(
      "sum_of_few", 100, KOKKOS_LAMBDA(int i, double& s) { s += x(i) * x(i); }, sum);
  tell_value("sum of few", sum);
  Kokkos::parallel_reduce(
      "sum_of_none", 0, KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, sum);
  tell_value("sum of none", sum);
  Kokkos::parallel_reduce(
      "least", n, KOKKOS_LAMBDA(int i, double& s) { s = s < x(i) ? s : x(i); }, Kokkos::Min<double>(least));
  tell_value("least", least);
  long count = 0;
  Kokkos::parallel_reduce(
      "sum2", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {61, 47}), KOKKOS_LAMBDA(int i, int j, long& s) { s += i * j; },
      count);
  tell_value("sum over two dimensions", count);
  double total = 0;
  Kokkos::parallel_scan(
      "scan", n,
      KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += x(i);
        if (last) y(i) = s;
      },
      total);
  tell("scan", y);
  tell_value("its total", total);
  Kokkos::parallel_scan(
      "scan_in_place", 500, KOKKOS_LAMBDA(int i, double& s, bool last) {
        double const own = y(i);
        if (last) y(i) = s;
        s += own;
      });
  tell("scan in place", y);
}

void atomics() {
  Ints counts("counts", 8);
  Doubles sums("sums", 8);
  Kokkos::View<long long> most("most");
  Kokkos::parallel_for(
      "atomics", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&counts(i % 8), i % 3);
        Kokkos::atomic_add(&sums(i % 8), 0.5);
        Kokkos::atomic_max(&most(), static_cast<long long>(i) * 7 % 1000);
        Kokkos::atomic_and(&counts((i + 1) % 8), ~0);
        std::atomic_ref<int>(counts(2)).fetch_sub(1);
        if (i % 1000 == 0) Kokkos::atomic_exchange(&counts(7), 5);
        __sync_fetch_and_or(&counts(3), 1 << 20);
        (void)__atomic_add_fetch(&counts(4), 2, __ATOMIC_RELAXED);
      });
  Kokkos::parallel_for(
      "fixed", 1, KOKKOS_LAMBDA(int) { counts(7) = 0; });
  tell("integers", counts);
  tell("doubles", sums);
  tell("greatest", most);
  // Under a lock that lanes wait for.
  Ints lock("lock", 1), value("value", 1);
  Kokkos::parallel_for(
      "lock", 700, KOKKOS_LAMBDA(int) {
        int expected = 0;
        while (!__atomic_compare_exchange_n(&lock(0), &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) expected = 0;
        Kokkos::atomic_store(&value(0), Kokkos::atomic_load(&value(0)) + 1);
        __atomic_store_n(&lock(0), 0, __ATOMIC_RELEASE);
      });
  tell("locked", value);
}

/// Lanes wait for lanes behind them.
void waits() {
  Ints flags("flags", 8 * 64), seen("seen", 8);
  auto const flag = [=](int i) { return &flags(i * 64); };
  Kokkos::parallel_for(
      "waits", 600, KOKKOS_LAMBDA(int i) {
        if (i == 0) {
          while (*static_cast<int volatile*>(flag(0)) == 0) {
          }
          seen(0) = 1;
        } else if (i == 1) {
          while (Kokkos::atomic_load(flag(1)) == 0) {
          }
          seen(1) = 1;
        } else if (i == 2) {
          while (!is_set(flag(2))) {
          }
          seen(2) = 1;
        } else if (i == 3) {
          seen(3) = wait_in_another_file(flag(3));
        } else if (i == 4) {
          int turns = 0;  // patience that ends
          for (; turns < 2'000'000'000; ++turns)
            if (*static_cast<int volatile*>(flag(4)) != 0) break;
          seen(4) = turns < 2'000'000'000;
        } else if (i >= 300 && i < 305) {
          *static_cast<int volatile*>(flag(i - 300)) = 1;
        }
      });
  tell("waits in a range", seen);
  Ints met("met", 4);
  Kokkos::deep_copy(flags, 0);
  Kokkos::parallel_for(
      "waits_in_teams", Policy(4, 32), KOKKOS_LAMBDA(Member const& team) {
        int volatile* const own = flag(team.league_rank());
        if (team.team_rank() == 0) {
          while (*own == 0) {
          }
          met(team.league_rank()) = 1;
        }
        if (team.team_rank() == 31) *own = 1;
        team.team_barrier();
        if (team.team_rank() == 1) met(team.league_rank()) += 1;
      });
  tell("waits in teams", met);
}

void teams() {
  int const size = 64, league = 7;
  Doubles x("x", league * size), y("y", league * size), sums("sums", league);
  Kokkos::parallel_for(
      "fill", league * size, KOKKOS_LAMBDA(int i) { x(i) = i * 0.25; });
  Kokkos::parallel_for(
      "teams", Policy(league, size).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(size))),
      KOKKOS_LAMBDA(Member const& team) {
        Scratch const tile(team.team_scratch(0), size);
        int const first = team.league_rank() * size;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size), [&](int i) { tile(i) = x(first + i); });
        team.team_barrier();
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, size), [&](int i, double& s) { s += tile(size - 1 - i); }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
        y(first + team.team_rank()) = tile((team.team_rank() + 1) % size);
      });
  tell("teams", y);
  tell("their sums", sums);
  Kokkos::View<double**> m("m", 12, 40), most_of("most_of", 12, 4);
  Kokkos::parallel_for(
      "vectors", Policy(12, 4, 8), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 40), [&](int j) { m(team.league_rank(), j) = j; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 4), [&](int t) {
          double most = 0;
          auto const greater = [&](int j, double& v) {
            double const here = m(team.league_rank(), t * 10 + j);
            v = v > here ? v : here;
          };
          Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, 10), greater, Kokkos::Max<double>(most));
          Kokkos::single(Kokkos::PerThread(team), [&] { most_of(team.league_rank(), t) = most; });
        });
      });
  tell("vectors", m);
  tell("and the greatest", most_of);
  double all = 0;
  Kokkos::parallel_reduce(
      "team_reduce", Policy(league, size),
      KOKKOS_LAMBDA(Member const& team, double& s) { s += x(team.league_rank() * 64 + team.team_rank()); }, all);
  tell_value("sum of teams", all);
}

void calls() {
  Doubles values("values", n), out("out", n);
  Ints depth("depth", n);
  Kokkos::View<unsigned char[64]> object("object");
  Kokkos::parallel_for(
      "make", 1, KOKKOS_LAMBDA(int) { new (object.data()) Square(1.5); });
  Kokkos::parallel_for(
      "calls", n, KOKKOS_LAMBDA(int i) {
        auto const* const shape = reinterpret_cast<Shape const*>(object.data());
        int (*volatile const pointer)(int, int volatile*) = recursive;
        out(i) = shape->area(i) + in_another_file(values.data(), i) + recursive(i % 6, &depth(i)) + pointer(3, &depth(i)) +
                 kept_from_lane_to_lane(i);
      });
  tell("calls", out);
  tell("their depths", depth);
  Kokkos::parallel_for(
      "exceptions", n, KOKKOS_LAMBDA(int i) {
        try {
          depth(i) = halve(i);
        } catch (std::invalid_argument const& e) {
          depth(i) = -static_cast<int>(std::strlen(e.what()));
        }
      });
  tell("exceptions", depth);
}

void crash(bool together) {
  int* volatile hidden = nullptr;  // what a compiler knows to be none is not written to
  int* const nowhere = hidden;
  Ints out("out", 4000);
  if (together)
    Kokkos::parallel_for(
        "crash", 4000, KOKKOS_LAMBDA(int i) {
          (i == 2345 ? nowhere : &out(i))[0] = i;  // together
        });
  else
    Kokkos::parallel_for(
        "crash", 4000, KOKKOS_LAMBDA(int i) {
          while (*static_cast<int volatile*>(&out(i)) != 0) {
          }
          if (i == 2345) *static_cast<int volatile*>(nowhere) = i;  // alone
        });
}

/// Of accesses in a launch of 3,000 lanes.
void count() {
  Doubles x("x", n);
  Ints flag("flag", 1);
  auto const told = [](char const* what, auto launch) {
    long const before = callbacks;
    launch();
    std::printf("%s %ld\n", what, callbacks - before);
  };
  told("range", [&] {
    Kokkos::parallel_for(
        "store", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
  });
  told("polls", [&] {
    Kokkos::parallel_for(
        "polls", n, KOKKOS_LAMBDA(int i) {
          while (*static_cast<int volatile*>(&flag(0)) != 0) {
          }
          x(i) = i;
        });
  });
  double sum = 0;
  told("reduction", [&] {
    Kokkos::parallel_reduce(
        "sum", n, KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, sum);
  });
  told("teams", [&] {
    Kokkos::parallel_for(
        "teams", Policy(10, 128), KOKKOS_LAMBDA(Member const& team) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 256), [&](int i) { x(team.league_rank() * 256 + i) = i; });
        });
  });
}

/// What is most of a kernel with teams: reads of what a closure has caught, of scratch and of device memory that many read.
/// Five teams of a launch are weighed, by callbacks.
void count_teams() {
  constexpr int teams = 200, size = 32;
  Doubles x("x", teams * size), y("y", teams * size);
  Ints order("order", size);
  Kokkos::deep_copy(x, 1.0);
  auto const told = [](char const* what, auto launch) {
    long const before = callbacks - begun;
    launch();
    std::printf("%s %ld\n", what, callbacks - begun - before);
  };
  told("caught", [&] {
    Kokkos::parallel_for(
        "caught", Policy(teams, size), KOKKOS_LAMBDA(Member const& team) {
          double const first = team.league_rank(), second = team.team_rank();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size), [&](int i) {
            y(team.league_rank() * size + i) = first * i + second;
          });
        });
  });
  told("scratch", [&] {
    Kokkos::parallel_for(
        "scratch", Policy(teams, size).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(size))),
        KOKKOS_LAMBDA(Member const& team) {
          Scratch tile(team.team_scratch(0), size);
          tile(team.team_rank()) = x(team.league_rank() * size + team.team_rank());
          team.team_barrier();
          double sum = 0;
          for (int i = 0; i != size; ++i) sum += tile(i);
          y(team.league_rank() * size + team.team_rank()) = sum;
        });
  });
  told("device", [&] {
    Kokkos::parallel_for(
        "device", Policy(teams, size), KOKKOS_LAMBDA(Member const& team) {
          double sum = 0;
          for (int i = 0; i != size; ++i) sum += x(team.league_rank() * size + i) * order(i);
          y(team.league_rank() * size + team.team_rank()) = sum;
        });
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::string_view const how = argc > 1 ? argv[1] : "";
  if (how == "count") return count(), 0;
  if (how == "count_teams") return count_teams(), 0;
  if (how == "crash_together" || how == "crash_alone") return crash(how == "crash_together"), 0;
  ranges();
  reductions();
  atomics();
  waits();
  teams();
  calls();
}
