// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Virtual functions as a GPU has them: of objects that lanes made, in device memory, in a View, in scratch and of their own, of
// ones that the host made and a kernel makes anew where they are, of copies from device to device; and the host's own calls.
#include <Kokkos_Core.hpp>

#include <new>

struct Shape {
  KOKKOS_FUNCTION virtual double area() const = 0;
  KOKKOS_DEFAULTED_FUNCTION virtual ~Shape() = default;
};
struct Square : Shape {
  double side = 2;
  KOKKOS_FUNCTION Square() {}
  KOKKOS_FUNCTION explicit Square(double side_) : side(side_) {}
  KOKKOS_FUNCTION double area() const override { return side * side; }
};
struct Disc : Shape {
  double radius = 1;
  KOKKOS_FUNCTION Disc() {}
  KOKKOS_FUNCTION double area() const override { return 3 * radius * radius; }
};

[[gnu::noinline]] KOKKOS_FUNCTION double area_of(Shape const& shape) { return shape.area(); }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Scratch = Kokkos::View<char*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const n = 300;
  Kokkos::View<double*> sum("sum", n);
  auto* const made = static_cast<Square*>(Kokkos::kokkos_malloc("made", sizeof(Square)));
  auto* const copied = static_cast<Square*>(Kokkos::kokkos_malloc("copied", sizeof(Square)));
  auto* const anew = static_cast<Square*>(Kokkos::kokkos_malloc<Kokkos::SharedSpace>("anew", sizeof(Square)));
  Kokkos::View<Disc*> discs("discs", n);
  Kokkos::parallel_for("make", 1, KOKKOS_LAMBDA(int) { new (made) Square(3); });
  Kokkos::fence();
  using Bytes = Kokkos::View<char*, Kokkos::MemoryUnmanaged>;
  Bytes const from(reinterpret_cast<char*>(made), sizeof(Square)), to(reinterpret_cast<char*>(copied), sizeof(Square));
  Kokkos::deep_copy(to, from);
  // The host says what it is to be, and a lane makes it again, so that the table is its own.
  new (anew) Square(5);
  double const on_host = area_of(*anew);
  Kokkos::parallel_for(
      "again", 1, KOKKOS_LAMBDA(int) {
        Square const as_told(anew->side);
        new (anew) Square(as_told);
      });
  Kokkos::parallel_for(
      "areas", n, KOKKOS_LAMBDA(int i) {
        Disc const own;
        Shape const* const shapes[] = {made, copied, anew, &discs(i), &own};
        for (Shape const* const shape : shapes) sum(i) += area_of(*shape);
      });
  Kokkos::parallel_for(
      "in scratch", Policy(4, 8).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(256))),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Scratch const room(team.team_scratch(0), 256);
        if (team.team_rank() == 0) new (room.data()) Square(1);
        team.team_barrier();
        int const i = team.league_rank() * 8 + team.team_rank();
        sum(i) += area_of(*reinterpret_cast<Shape const*>(room.data()));
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  Kokkos::kokkos_free(made);
  Kokkos::kokkos_free(copied);
  Kokkos::kokkos_free<Kokkos::SharedSpace>(anew);
  return on_host == 25 && host(0) == 9 + 9 + 25 + 3 + 3 + 1 && host(n - 1) == 9 + 9 + 25 + 3 + 3 ? 0 : 1;
}
