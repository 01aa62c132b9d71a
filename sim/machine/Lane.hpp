// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a running kernel may ask of the simulated GPU: who am I, and the meetings of lanes. Every function here is
/// called on a lane's own stack. A backend (backends/simt) builds Kokkos' constructs from these and from nothing else.
#pragma once

#include "../base/Api.hpp"
#include "../base/Lane.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teamsan {

struct Shape;

/// True on a lane of a running kernel, false on host threads.
TEAMSAN_API bool in_kernel() noexcept;

/// The running lane. Precondition: in_kernel().
TEAMSAN_API Lane const& this_lane() noexcept;

/// The running lane is at the end of its LaneFunction. True: it has ended, and the lane behind it of the same team runs from
/// here on, in the same call, which saves calling that function for each. Asked by an instrumented function that LaneFunction
/// calls.
TEAMSAN_API bool next_lane() noexcept;

/// For lanes that run in one call of an instrumented function: what it copies next out of the functor (memcpy) is their copy of
/// it, until it says that it is done. `same`: no lane has changed it.
TEAMSAN_API void expect_functor_copy() noexcept;
TEAMSAN_API void end_functor_copy(bool same) noexcept;

/// Before the first of these lanes: what lanes of the kernel access, as a compiler's plug-in has found (entry/pass/Abi.h), by
/// the bytes of the functor there.
TEAMSAN_API void note_lane_accesses(void const* accesses, void const* functor) noexcept;

/// Runs once, when all lanes have met, on the last lane's stack. `values[i]` is what lane i of the meeting passed
/// (team: lane index order; thread: vector lane order). Accesses made in it are not checked.
using Combine = void (*)(void* const* values, std::uint32_t count, void const* context);

/// The lanes that Synchronisation.def names for the construct meet: all of the team, the vector lanes of the calling
/// lane's thread (with vector_length == 1 only `combine` runs), or none. Returns when all have arrived and `combine` (may
/// be null) has run. A lane that ends, or waits elsewhere, while others wait here is a barrier-divergence finding.
/// `site` is the place in the user's code to report; nullptr: the function's own return address. `join`: how a device joins the
/// values, for what that costs there.
TEAMSAN_API void meet(Meeting meeting, void* value = nullptr, Combine combine = nullptr, void const* context = nullptr,
                      void const* site = nullptr, Join join = Join::plain);

/// Where a lane function whose work is in steps (base/Lane.hpp) begins: with that step, or behind it if it is `taken`.
struct FirstStep {
  std::uint64_t step = 0;
  bool taken = false;
};
/// Of the running lane, whose value it fills in if there is one yet.
TEAMSAN_API FirstStep first_step(void* value);

/// What a construct of the backend (not instrumented) reads or writes on the user's behalf: the argument of a
/// collective, the result of a reduction. Checked as an access of the running lane at `site`; the lane's own stack
/// is left aside. A write counts as made in a ResultScope.
TEAMSAN_API void note_read(void const* address, std::size_t bytes, void const* site);
TEAMSAN_API void note_write(void const* address, std::size_t bytes, void const* site);

/// What the running lane writes while one of these lives is the result of a collective: every lane of the team stores
/// it, and where it lies in memory that they share, identical stores are the construct's own and no finding.
class TEAMSAN_API ResultScope {
 public:
  ResultScope();
  ~ResultScope();
  ResultScope(ResultScope const&) = delete;
  ResultScope& operator=(ResultScope const&) = delete;
};

/// Order that a construct of the backend promises without a meeting: what a lane did before it releases `point` comes
/// before what any lane does after it has then acquired `point`. Any address that nobody else uses can be a point.
TEAMSAN_API void release(void const* point);
TEAMSAN_API void acquire(void const* point);

/// Enters a scope for as long as the object lives. A lane that skips the body (another lane's `single`) does not.
/// `site` as in meet_team. `own_end`: what the construct itself has on the lane's stack lies before it, as the guard does.
class TEAMSAN_API ScopeGuard {
 public:
  explicit ScopeGuard(Scope scope, void const* site = nullptr, void const* own_end = nullptr);
  ~ScopeGuard();
  ScopeGuard(ScopeGuard const&) = delete;
  ScopeGuard& operator=(ScopeGuard const&) = delete;

 private:
  std::uint32_t m_before;
  std::uintptr_t m_outer_frames;
};

/// The address of a piece of scratch and its registration as obtained by this team. Every lane that asks for the same
/// piece gets the same address. The caller has checked that the piece (those of all threads, if per_thread) lies
/// inside what the launch reserved. `site` as in meet_team.
TEAMSAN_API void* obtain_scratch(ScratchRequest const& request, void const* site = nullptr);

/// A piece that does not lie inside what the launch reserved was asked for, and a null pointer given.
TEAMSAN_API void refuse_scratch(ScratchRequest const& request, void const* site = nullptr);

/// What the piece of scratch that holds the address is called, and how a View's elements lie in it, for reports.
/// Nothing happens for other addresses.
TEAMSAN_API void name_scratch(void const* address, std::string_view name, Shape const& shape);

/// The running lane learns what other threads of its team do not, its rank say: what it does from there on need not be what
/// they do.
TEAMSAN_API void tell_threads_apart() noexcept;

/// Some kernel of the program asks which vector lane it is: from now on a thread's lanes never run as one (option fold). True.
TEAMSAN_API bool tell_vector_lanes_apart() noexcept;
bool vector_lanes_are_told_apart() noexcept;

/// Room for the values of lanes that run as one (Lane::folded), until the lane gives it back; another lane may run meanwhile.
inline constexpr std::size_t folded_values_alignment = 64;
TEAMSAN_API void* take_folded_values(std::size_t bytes);
TEAMSAN_API void give_back_folded_values(void* values);

/// A sentence about the place `site` for the end of the report, printed once for each place and kernel. Not a finding:
/// what a construct of the vocabulary (model/workgroup) had to do otherwise than asked.
TEAMSAN_API void remark(std::string_view sentence, void const* site = nullptr);

/// Absolute device address modulo 256 of the start of a part, for get_shmem_aligned.
TEAMSAN_API std::size_t scratch_misalignment(int level, bool per_thread, std::uint32_t thread);

/// No lane switch happens while one of these lives (Kokkos' lock-based atomics).
class TEAMSAN_API NoSwitch {
 public:
  NoSwitch();
  ~NoSwitch();
};

/// What the running lane does while one of these lives, in functions that are the backend's or Kokkos' own, it does for the
/// call at `site`, as in meet_team: an atomic operation, say, of a construct that is not instrumented itself.
class TEAMSAN_API CallFrom {
 public:
  explicit CallFrom(void const* site);
  ~CallFrom();
  CallFrom(CallFrom const&) = delete;
  CallFrom& operator=(CallFrom const&) = delete;
};

/// A word from the kernel to the scheduler: this lane spins and cannot go on alone.
TEAMSAN_API void yield_lane();

}  // namespace teamsan
