// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the backend, itself not instrumented, calls the user's code: through a function that the compiler
/// instruments. A body that must be inlined (KOKKOS_FORCEINLINE_FUNCTION, KOKKOS_FORCEINLINE_LAMBDA,
/// [[gnu::always_inline]]) would otherwise be inlined into the backend, and none of its accesses would be
/// seen.
#pragma once

#include "../Macros.hpp"

#include "../../../sim/machine/Lane.hpp"
#include "../../../sim/machine/NextLane.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// What lanes of flat launches run, with all that it calls: where the compiler has TeamSan's plug-in (sim/entry/pass), checks
/// are in line there. The other: what lanes of scans run, step by step.
#define TEAMSAN_FLAT
#define TEAMSAN_FLAT_IN_STEPS TEAMSAN_FLAT
#define TEAMSAN_TELLS_ACCESSES false
#if defined(__OPTIMIZE__) && defined(__has_attribute)
#if defined(TEAMSAN_PLUGIN_FOR_CLANG)
#undef TEAMSAN_FLAT
#undef TEAMSAN_TELLS_ACCESSES
#define TEAMSAN_FLAT __attribute__((annotate("teamsan_flat")))
#undef TEAMSAN_FLAT_IN_STEPS
#define TEAMSAN_FLAT_IN_STEPS __attribute__((annotate("teamsan_flat"), annotate("teamsan_steps")))
#define TEAMSAN_TELLS_ACCESSES true
#elif __has_attribute(teamsan_flat)
#undef TEAMSAN_FLAT
#undef TEAMSAN_TELLS_ACCESSES
#define TEAMSAN_FLAT __attribute__((teamsan_flat))
#undef TEAMSAN_FLAT_IN_STEPS
#define TEAMSAN_FLAT_IN_STEPS __attribute__((teamsan_flat, teamsan_steps))
#define TEAMSAN_TELLS_ACCESSES true
#endif
#endif

/// What the calling function's lanes access, where that is known (sim/entry/pass/Abi.h): the plug-in puts its answer here.
extern "C" void const* __teamsan_lane_accesses() noexcept __attribute__((const));

namespace teamsan::simt {

/// An argument on its way through the instrumented function. Numbers and tags are held by value there, so that handing them
/// over is no access; what the body may change, and members, by reference. What came as a const variable, an index, is given
/// to the body as a variable, and one that is not const: bodies take it as `int&` or `auto&`, and host backends' loops give
/// them one. What changes it changes this lane's copy.
template <class Argument, class Bare = std::remove_cv_t<std::remove_reference_t<Argument>>>
struct HandedOver {
  static constexpr bool by_value =
      (!std::is_lvalue_reference_v<Argument> ||
       std::is_const_v<std::remove_reference_t<Argument>>)&&(std::is_arithmetic_v<Bare> || std::is_empty_v<Bare>);
  using Held = std::conditional_t<by_value, Bare, std::remove_reference_t<Argument>&>;
  using Given = std::conditional_t<by_value && !std::is_lvalue_reference_v<Argument>, Bare, std::remove_reference_t<Held>&>;
};

/// Instrumented, and so never inlined into its caller, which is not.
template <class... Arguments, class Body>
void run_instrumented(Body const& body, typename HandedOver<Arguments>::Held... arguments) {
  body(static_cast<typename HandedOver<Arguments>::Given>(arguments)...);
}

/// `body(arguments...)`.
template <class Body, class... Arguments>
TEAMSAN_NO_INSTRUMENT inline void run_user_code(Body const& body, Arguments&&... arguments) {
  run_instrumented<Arguments...>(body, arguments...);
}

/// Are kernels' functors copied for the lanes that run in one call? Not without optimisation, since nothing is in line then,
/// nor where the copy would take more than a quarter of a lane's stack: as many bytes as a kernel for CUDA gets as constants.
#ifdef __OPTIMIZE__
template <class Body>
inline constexpr bool copies_functor = sizeof(Body) <= 32768;
#else
template <class Body>
inline constexpr bool copies_functor = false;
#endif

/// The functor of a kernel, for the lanes that run in one call of an instrumented function.
template <class Body, bool copies = copies_functor<Body>>
class FunctorOfLanes {
 public:
  explicit FunctorOfLanes(Body const& functor) : m_functor(functor) {}
  Body const& body() const { return m_functor; }

 private:
  Body const& m_functor;
};

/// A copy of its bytes among that function's variables. While the address of such a variable goes nowhere, and the body is in
/// line, compilers neither tell the runtime what is read of it nor read it again for each lane, which takes a third and more
/// of a flat kernel's time. What changes it is not told either: whether anything did is looked at in the end. Where its
/// address does go somewhere, all that is told, and the runtime knows the copy by the call that makes it
/// (sim/machine/FunctorCopy.hpp). In parentheses: not the macros of cmake/TeamSanBuiltins.options, for the user's copies.
template <class Body>
class FunctorOfLanes<Body, true> {
 public:
  [[gnu::always_inline]] explicit FunctorOfLanes(Body const& functor) : m_functor(functor) {
    expect_functor_copy();
    (__builtin_memcpy)(m_bytes, static_cast<void const*>(&functor), call_with(sizeof m_bytes));
  }
  [[gnu::always_inline]] ~FunctorOfLanes() {
    bool const same = (__builtin_memcmp)(m_bytes, static_cast<void const*>(&m_functor), call_with(sizeof m_bytes)) == 0;
    end_functor_copy(same);
  }
  FunctorOfLanes(FunctorOfLanes const&) = delete;
  FunctorOfLanes& operator=(FunctorOfLanes const&) = delete;
  [[gnu::always_inline]] Body const& body() const { return *reinterpret_cast<Body const*>(m_bytes); }

 private:
  /// A size that a compiler does not know: it leaves the call.
  [[gnu::always_inline]] static std::size_t call_with(std::size_t bytes) {
    asm("" : "+r"(bytes));
    return bytes;
  }

  Body const& m_functor;
  alignas(Body) unsigned char m_bytes[sizeof(Body)];
};

template <class Body>
inline constexpr bool tells_accesses = TEAMSAN_TELLS_ACCESSES && copies_functor<Body>;

/// Tells what lanes of the kernel access, where that is known, before the first of those that run in one call.
template <class Body>
[[gnu::always_inline]] inline void tell_accesses(Body const& functor) {
  if constexpr (tells_accesses<Body>)
    if (void const* const accesses = __teamsan_lane_accesses()) note_lane_accesses(accesses, &functor);
}

/// One iteration of these begins, with these indices, in the order of the policy's dimensions (LaunchConfig::indices): by this
/// the plug-in knows them (sim/entry/pass/gcc/Iterations.hpp). There is no instruction.
template <class Index, std::size_t rank>
[[gnu::always_inline]] inline void begin_iteration(Index (&index)[rank]) {
  if constexpr (TEAMSAN_TELLS_ACCESSES && std::is_integral_v<Index> && rank <= 6) {
    // Variables whose addresses go nowhere.
    Index a = index[0], b = index[rank > 1 ? 1 : 0], c = index[rank > 2 ? 2 : 0], d = index[rank > 3 ? 3 : 0],
          e = index[rank > 4 ? 4 : 0], f = index[rank > 5 ? 5 : 0];
    if constexpr (rank == 1) asm volatile("/* teamsan iteration */" : "+r"(a));
    if constexpr (rank == 2) asm volatile("/* teamsan iteration */" : "+r"(a), "+r"(b));
    if constexpr (rank == 3) asm volatile("/* teamsan iteration */" : "+r"(a), "+r"(b), "+r"(c));
    if constexpr (rank == 4) asm volatile("/* teamsan iteration */" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    if constexpr (rank == 5) asm volatile("/* teamsan iteration */" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
    if constexpr (rank == 6) asm volatile("/* teamsan iteration */" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    index[0] = a;
    if constexpr (rank > 1) index[1] = b;
    if constexpr (rank > 2) index[2] = c;
    if constexpr (rank > 3) index[3] = d;
    if constexpr (rank > 4) index[4] = e;
    if constexpr (rank > 5) index[5] = f;
  }
}

/// `body(index)`, or with a WorkTag `body(WorkTag{}, index)`, for the running lane, and with the next index for each lane
/// behind it that runs in the same call. Instrumented.
template <class WorkTag, class Body, class Index>
TEAMSAN_FLAT void run_user_code_of_lanes(Body const& functor, Index index) {
  FunctorOfLanes<Body> const lanes(functor);
  tell_accesses(functor);
  do {
    Index own[] = {index};  // as in HandedOver: a variable, which the body may change
    begin_iteration(own);
    if constexpr (std::is_void_v<WorkTag>)
      lanes.body()(own[0]);
    else
      lanes.body()(WorkTag{}, own[0]);
    ++index;
  } while (next_lane_in_line());
}

/// The iterations of lanes that come one behind the other and differ in one index alone: the fastest. 0 lanes: the running
/// lane has none.
template <class Index, int rank>
struct LaneRow {
  std::uint64_t lanes = 0;
  Index index[rank] = {};
};

/// The same for a body of several indices: `Rows::row_of(kernel, lane)` is the running lane's row, in which index `fastest`
/// is counted up and the others stay.
template <class WorkTag, class Rows, int fastest, class Body, int... dimensions>
TEAMSAN_FLAT void run_user_code_of_rows(Body const& functor, void const* kernel, Lane const* lane,
                                        std::integer_sequence<int, dimensions...>) {
  FunctorOfLanes<Body> const lanes(functor);
  tell_accesses(functor);
  do {
    auto const row = Rows::row_of(kernel, *lane);
    // A variable whose address goes nowhere, as above: what the backend returns has one.
    std::remove_const_t<std::remove_reference_t<decltype(row.index[0])>> index[] = {row.index[dimensions]...};
    for (std::uint64_t left = row.lanes; left != 0; ++index[fastest]) {
      decltype(index) own = {index[dimensions]...};
      begin_iteration(own);
      if constexpr (std::is_void_v<WorkTag>)
        lanes.body()(own[dimensions]...);
      else
        lanes.body()(WorkTag{}, own[dimensions]...);
      if (--left != 0 && !next_lane_in_line()) return;
    }
  } while (next_lane_in_line());
}

}  // namespace teamsan::simt
