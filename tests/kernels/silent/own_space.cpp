// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What a project says itself of the simulated GPU, where it picks things by space: a specialisation of a trait, an explicit
// instantiation, and a list of spaces (docs/integrating.md has the same lines).
#include <Kokkos_Core.hpp>

#include <array>
#include <string>

template <class Space>
struct Traits {
  static constexpr int width = 1;
};

template <class Space>
void scale(Kokkos::View<double*, Space> const& x, double by);

#if defined(KOKKOS_ENABLE_CUDA)
#define FOR_EACH_SPACE(DO) DO(Kokkos::Serial) DO(Kokkos::Cuda)
template <>
struct Traits<Kokkos::Cuda> {
  static constexpr int width = 32;
};
#elif defined(TEAMSAN_OVERLAY)
#define FOR_EACH_SPACE(DO) DO(teamsan::Simt)
template <>
struct Traits<teamsan::Simt> {
  static constexpr int width = 32;
};
#else
#define FOR_EACH_SPACE(DO) DO(Kokkos::DefaultExecutionSpace)
#endif

template <class Space>
void scale(Kokkos::View<double*, Space> const& x, double by) {
  using Policy = Kokkos::TeamPolicy<Space>;
  int const n = x.extent_int(0), width = Traits<Space>::width;
  Kokkos::parallel_for(
      "scale", Policy((n + width - 1) / width, 1, width), KOKKOS_LAMBDA(typename Policy::member_type const& member) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, width), [&](int lane) {
          int const i = member.league_rank() * width + lane;
          if (i < n) x(i) *= by;
        });
      });
}

#define INSTANTIATE(SPACE) template void scale<SPACE>(Kokkos::View<double*, SPACE> const&, double);
FOR_EACH_SPACE(INSTANTIATE)

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
#define NAME(SPACE) std::string(SPACE::name()),
  std::array const names{FOR_EACH_SPACE(NAME)};
  using Space = Kokkos::DefaultExecutionSpace;
  Kokkos::View<double*, Space> x("x", 1000);
  scale(x, 2.0);
  Kokkos::fence();
  return names.back() == Space::name() ? 0 : 1;
}
