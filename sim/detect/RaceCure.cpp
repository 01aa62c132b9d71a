// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/detect/RaceCure.hpp>

#include <teamsan/sim/places/Symbolizer.hpp>

namespace teamsan::detect {

namespace {

using F = RaceFacts;

struct Cure {
  bool (*fits)(F const&);
  char const* text;
};

bool half_atomic(F const& f) { return f.first_atomic != f.second_atomic; }
bool lanes(F const& f) { return f.between == Between::vector_lanes; }
bool team(F const& f) { return f.between == Between::threads; }
bool launch(F const& f) { return f.between == Between::iterations || f.between == Between::teams; }

constexpr char const* barrier = "put member.team_barrier() between {from} and {to}";
constexpr char const* barrier_outside =
    "put member.team_barrier() between {from} and {to}, where no range or single is open: one that holds both is to be split";

constexpr char const* both_atomic = "make both accesses atomic: Kokkos::atomic_load, atomic_store, or what an update becomes";

constexpr Cure cures[] = {
    {[](F const& f) { return f.portable && f.in_range; }, barrier_outside},
    {[](F const& f) { return f.portable; }, barrier},
    {[](F const& f) { return f.hands_over && f.between == Between::iterations && f.one_line; },
     "move {first} to where the iterations are ordered: before the memory_fence() and the atomic by which one hands over, "
     "behind those by which it takes over"},
    {[](F const& f) { return f.hands_over && f.between == Between::iterations; },
     "between {first} and {second} let the one iteration fence and change an atomic, and the other wait for that: "
     "Kokkos::memory_fence() behind what is handed over and before what takes it"},
    {[](F const& f) { return f.hands_over && f.one_line; },
     "move {first} to where the teams are ordered: before the memory_fence() and the atomic by which a team hands over, behind "
     "those by which it takes over"},
    {[](F const& f) { return f.hands_over; },
     "between {first} and {second} let the one team fence and change an atomic, and the other wait for that: "
     "Kokkos::memory_fence() behind what is handed over and before what takes it, with member.team_barrier() where other lanes "
     "of the team did it"},

    // Lanes of a thread, where the whole team takes part.
    {[](F const& f) { return lanes(f) && f.in_team_range && !f.one_line; }, barrier_outside},

    // The lanes of a thread. An atomic would count once for each of them.
    {[](F const& f) { return lanes(f) && half_atomic(f) && f.first_atomic && f.both_write; },
     "let one lane write for the thread: single(PerThread(member), ...) at {second}"},
    {[](F const& f) { return lanes(f) && half_atomic(f) && f.first_atomic; },
     "let one lane read for the thread, and its lanes wait for it: single(PerThread(member), ..., value) at {second}, or read "
     "by Kokkos::atomic_load if each lane has an index of its own; or leave the read out if nothing uses what it gives"},
    {[](F const& f) { return lanes(f) && half_atomic(f); },
     "let one lane write for the thread: single(PerThread(member), ...) at {first}"},
    {[](F const& f) { return lanes(f) && f.in_vector_loop && f.updates; },
     "reduce over the ThreadVectorRange instead (parallel_reduce), or make the update atomic{update}"},
    {[](F const& f) { return lanes(f) && f.in_vector_loop && !f.one_line && !f.both_write; },
     "end the ThreadVectorRange between {from} and {to}, and go on in another one"},
    {[](F const& f) { return lanes(f) && f.in_vector_loop && !f.both_write; },
     "read into a local variable, end the ThreadVectorRange behind that, and write in another one"},
    {[](F const& f) { return lanes(f) && f.in_vector_loop; }, "let each vector lane write elements of its own"},
    {[](F const& f) { return lanes(f) && (f.updates || f.one_line); },
     "put the update into single(PerThread(member), ...); made atomic it would count once for each vector lane"},
    {lanes, "put {first} into single(PerThread(member), ...)"},

    // A launch: nothing orders its teams or iterations but its end.
    {[](F const& f) { return launch(f) && half_atomic(f) && f.updates; }, "make the plain update atomic too{update}"},
    {[](F const& f) { return launch(f) && half_atomic(f) && f.one_line; }, both_atomic},
    {[](F const& f) { return launch(f) && half_atomic(f); },
     "split the kernel in two between {from} and {to}; or, if any order will do, make both accesses atomic: "
     "Kokkos::atomic_load, atomic_store, or what an update becomes"},
    {[](F const& f) { return f.between == Between::iterations && f.updates; },
     "make the update atomic{update}; where many meet in few elements, a ScatterView or a parallel_reduce is faster"},
    {[](F const& f) { return launch(f) && f.updates; },
     "make the update atomic{update}; where many meet in few elements, a ScatterView, or bins of each team's own that are "
     "added up at its end, are faster"},
    {[](F const& f) { return launch(f) && !f.both_write && f.one_line; },
     "let the kernel write a View that it does not read, and swap the two behind it; where an old value does as well as a new "
     "one, say so by Kokkos::atomic_load and atomic_store"},
    {[](F const& f) { return launch(f) && !f.both_write; },
     "split the kernel in two between {from} and {to}, or let it write a View that it does not read; where an old value does "
     "as well as a new one, say so by Kokkos::atomic_load and atomic_store"},
    {[](F const& f) { return f.between == Between::iterations && f.one_line; },
     "let one iteration own the element; where any of the values will do, store by Kokkos::atomic_store"},
    {[](F const& f) { return f.between == Between::teams && f.one_line; },
     "give each team its own elements; where any of the values will do, store by Kokkos::atomic_store"},
    {[](F const& f) { return f.between == Between::iterations; },
     "let one iteration own the element, use atomics, or split the kernel in two"},
    {launch, "give each team its own elements, use atomics, or split the kernel in two"},

    // A team.
    {[](F const& f) { return team(f) && half_atomic(f) && f.updates; }, "make the plain update atomic too{update}"},
    {[](F const& f) { return team(f) && half_atomic(f) && f.one_line; }, both_atomic},
    {[](F const& f) { return team(f) && half_atomic(f); },
     "make both accesses atomic (atomic_load, atomic_store, or what an update becomes), or put member.team_barrier() between "
     "{from} and {to}"},
    {[](F const& f) { return team(f) && f.updates; }, "make the update atomic{update}"},
    {[](F const& f) { return team(f) && !f.one_line && !f.barrier.empty(); },
     "the synchronisation at {barrier} does not lie on each way between {from} and {to}: put member.team_barrier() on the one "
     "that leads past it, where the loop goes round or behind it"},
    {[](F const& f) { return team(f) && f.both_write && f.one_line; },
     "let one lane write (single(PerTeam(member), ...)), or each an element of its own; an update of all is to be "
     "atomic{update}"},
    {[](F const& f) { return team(f) && f.both_write; },
     "put member.team_barrier() between {from} and {to}, or let one lane do both (single(PerTeam(member), ...))"},
    {[](F const& f) { return team(f) && f.one_line; },
     "read into a local variable, put member.team_barrier() behind that, and write after it"},
    {[](F const& f) { return team(f) && f.in_range; }, barrier_outside},
    {team, barrier},
};

}  // namespace

std::string race_cure(RaceFacts const& facts) {
  for (Cure const& cure : cures) {
    if (!cure.fits(facts)) continue;
    std::string text = cure.text;
    if (std::size_t const at = text.find("{barrier}"); at != text.npos) text.replace(at, 9, facts.barrier);
    return text;
  }
  return {};
}

bool on_one_line(std::uintptr_t a, std::vector<std::uintptr_t> const& callers, std::uintptr_t b) {
  if (a == b) return true;
  Place const first = user_place(a, callers), second = user_place(b);
  return first.known() && first.line == second.line && first.path == second.path;
}

}  // namespace teamsan::detect
