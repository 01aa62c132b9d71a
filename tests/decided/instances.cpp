// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of several execution space instances, drawn by a seed: rows of elements of several sizes, one after the other or
// apart, forwards or backwards, read, stored, updated or both, of Views that the instances share or that are their own; copies,
// and fences of one instance or of all. What is told of those that no fence orders hangs on what was pending when each ran.
//   instances SEED ROUNDS
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

struct Three {
  float a, b, c;
};

/// Elements from `first` on, by `step`.
struct Row {
  int first, step, count;
};

template <class T>
class Views {
 public:
  static constexpr int size = 21'000;
  explicit Views(char const* label) : m_view(label, size) {}

  void launch(Space const& space, unsigned kind, Row const& row, Row const& other) {
    Kokkos::View<T*> const v = m_view;
    int const first = row.first, step = row.step, from = other.first;
    auto const range = Kokkos::RangePolicy<Space>(space, 0, row.count);
    switch (kind) {
      case 0: return Kokkos::parallel_for("store", range, KOKKOS_LAMBDA(int i) { v(first + i * step) = T{}; });
      case 1: {
        Kokkos::View<double*> const to = m_read;
        return Kokkos::parallel_for("read", range, KOKKOS_LAMBDA(int i) { to(i) = weight(v(first + i * step)); });
      }
      case 2:
        return Kokkos::parallel_for(
            "change", range, KOKKOS_LAMBDA(int i) { v(first + i * step) = changed(v(first + i * step)); });
      case 3: return Kokkos::parallel_for("move", range, KOKKOS_LAMBDA(int i) { v(first + i * step) = v(from - i); });
      case 4: {
        using Kokkos::Iterate;
        if (from % 2 == 0) {
          using Grid = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
          Grid const grid(space, {0, 0}, {row.count / 16, 16});
          return Kokkos::parallel_for("grid", grid, KOKKOS_LAMBDA(int i, int j) { v(first + (i * 16 + j) * step) = T{}; });
        }
        using Box = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Iterate::Right, Iterate::Right>>;
        Box const box(space, {1, 2, 3}, {4, row.count / 48 + 2, 19});
        return Kokkos::parallel_for(
            "box", box, KOKKOS_LAMBDA(int i, int j, int k) { v(first + ((j * 3 + i) * 16 + k) * step) = T{}; });
      }
      case 5:
        return Kokkos::parallel_for(
            "some", range, KOKKOS_LAMBDA(int i) {
              if (weight(v(first + i * step)) >= 0) v(first + i * step) = T{};
            });
      case 6: {
        double sum = 0;
        return Kokkos::parallel_reduce(
            "sum", range, KOKKOS_LAMBDA(int i, double& s) { s += weight(v(first + i * step)); }, sum);
      }
      default: return Kokkos::deep_copy(space, Kokkos::subview(v, Kokkos::pair(row.first, row.first + row.count)), T{});
    }
  }

 private:
  KOKKOS_FUNCTION static double weight(Three const& t) { return t.b; }
  KOKKOS_FUNCTION static double weight(double t) { return t; }
  KOKKOS_FUNCTION static T changed(Three const& t) { return {t.a, t.b + 1, t.c}; }
  KOKKOS_FUNCTION static T changed(double t) { return static_cast<T>(t + 1); }

  Kokkos::View<T*> m_view;
  Kokkos::View<double*> m_read{"read", size};
};

class Updates {
 public:
  void launch(Space const& space, Row const& row) {
    Kokkos::View<int*> const v = m_view;
    int const first = row.first;
    Kokkos::parallel_for(
        "count", Kokkos::RangePolicy<Space>(space, 0, row.count),
        KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&v(first + i), 1); });
  }

 private:
  Kokkos::View<int*> m_view{"counts", 21'000};
};

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const scope(argc, argv);
  std::mt19937 random(static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 1));
  int const rounds = argc > 2 ? std::atoi(argv[2]) : 100;
  auto const draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  std::vector<Space> spaces{Space()};
  for (Space const& s : Kokkos::Experimental::partition_space(Space(), 1, 1, 1)) spaces.push_back(s);
  Views<double> doubles("doubles"), more("more doubles");
  Views<float> floats("floats");
  Views<int> ints("ints");
  Views<Three> threes("threes");
  Updates updates;
  Kokkos::fence();
  for (int i = 0; i != rounds; ++i) {
    Space const& space = spaces[static_cast<std::size_t>(draw(4))];
    static constexpr int steps[] = {1, 1, 1, 2, 3, 5, -1, -2};
    Row row{0, steps[draw(8)], draw(4) == 0 ? 2560 : 600 + draw(1500)};
    row.first = draw(3) * 4000 + draw(600) + (row.step < 0 ? 6000 : 0);
    if (row.step > 0) row.count = std::min(row.count, (20'000 - row.first) / row.step);
    Row const other{19'000 - draw(900), -1, row.count};
    auto const kind = static_cast<unsigned>(draw(8));
    switch (draw(7)) {
      case 0: doubles.launch(space, kind, row, other); break;
      case 1: more.launch(space, kind, row, other); break;
      case 2: floats.launch(space, kind, row, other); break;
      case 3: ints.launch(space, kind, row, other); break;
      case 4: threes.launch(space, kind, row, other); break;
      case 5: updates.launch(space, row); break;
      default: draw(3) == 0 ? Kokkos::fence() : space.fence(); break;
    }
  }
}
