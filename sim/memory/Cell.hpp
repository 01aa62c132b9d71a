// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The shadow of four bytes as one team sees them: who wrote them last and who read them since, in 16 bytes.
///
/// A team's accesses are ordered by two things only: team meetings (barriers) order all lanes, thread meetings order
/// the vector lanes of one thread. Each meeting advances the team's tick; an access is stamped with the tick of its
/// lane's latest meeting. Then, for an earlier access (lane a, stamp s) and a later one by lane b:
///   ordered  <=>  a == b,  or  s < tick of the team's last barrier,
///                 or  same thread and s < tick of that thread's last meeting.
/// So one number per access decides; no vector clock is needed inside a team. A meeting that orders less than that (see
/// base/Synchronisation.def) advances the tick all the same, but not what accesses are compared with.
///
/// A Mark keeps the first of possibly several accessors of the current interval and, in its flags, whether there were
/// others; a second accessor, in another lane (and, if any was, in another thread), is kept in a parallel Cell, which
/// is read only when the flags say so. This is exact: whether a race exists on these bytes never depends on which
/// accessors were dropped, because any two lanes of different threads conflict with every third one.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>

namespace teamsan {

/// Packed accessor: stamp (17 bits) | flags (5) | lane index in the team (10). 0: nobody.
using Who = std::uint32_t;

namespace who {
inline constexpr Who lane_mask = 0x3ff;
inline constexpr Who atomic = 1u << 10;   ///< the access was; of a word's first mark: all since the last barrier were
inline constexpr Who several = 1u << 11;  ///< other lanes of the same thread too, at the same stamp
inline constexpr Who many = 1u << 12;     ///< lanes of other threads too, since the last barrier
inline constexpr Who redundant = 1u << 13;  ///< several vector lanes of a thread stored the same value
inline constexpr Who mixed = redundant;     ///< of readers: the first is plain, and the second one atomic
inline constexpr Who result = 1u << 14;     ///< the write was the result of a collective, which every lane stores
inline constexpr Who flags_mask = 0x1fu << 10;
inline constexpr unsigned stamp_shift = 15;
inline constexpr Who first_stamp = 1u << stamp_shift;
inline constexpr Who last_stamp = 0xfff0u << stamp_shift;  ///< then ticks are numbered anew; committed ones have 16 bits

inline constexpr Who forgotten = first_stamp;  ///< under --sync portable: a read that others need no order with any more
inline constexpr Who before_launch = 1;     ///< written before this launch, by whomever
inline constexpr Who bytewise = 0xfffffffe; ///< the line keeps its state per byte
inline constexpr Who poison = 0xffffffff;   ///< no access is legal

/// Has a lane accessed the bytes in this launch?
constexpr bool touched(Who w) { return w >= first_stamp && w < bytewise; }
constexpr std::uint32_t lane(Who w) { return w & lane_mask; }
constexpr Who stamp(Who w) { return w & ~(flags_mask | lane_mask); }
}  // namespace who

/// One accessor: the low half of the instruction's address (Modules.hpp gives the rest back) and who it was.
struct Mark {
  Site site;
  Who who;
};

struct Cell {
  Mark write;
  Mark read;
};
static_assert(sizeof(Cell) == 16);

}  // namespace teamsan
