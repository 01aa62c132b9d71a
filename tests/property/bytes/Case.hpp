// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A case as data: allocations, and kernels whose lanes make accesses by byte. Each kernel has up to eight operations, each of
/// which stands at a source line of its own (Lines.cpp), so that a finding can be held against the operations that made it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace property::bytes {

inline constexpr int most_arrays = 4;
inline constexpr int slots = 8;  ///< operations of a kernel
inline constexpr int wide_atomic = 24;  ///< bytes of atomics that Kokkos makes under a lock

enum class Place : std::uint8_t { device, team0, team1, thread0, thread1 };
inline bool is_scratch(Place p) { return p != Place::device; }
inline bool is_per_thread(Place p) { return p == Place::thread0 || p == Place::thread1; }

enum class Filling : std::uint8_t {
  none,
  host,  ///< all of it, by a copy from the host
  part   ///< bytes [from, to), by a kernel
};

/// Device memory or scratch; or an alias: another pointer into an array of device memory.
struct Array {
  Place place = Place::device;
  std::int32_t bytes = 64;
  std::int32_t alias_of = -1, alias_at = 0;  ///< that many bytes into it
  Filling filling = Filling::none;
  std::int32_t from = 0, to = 0;
};

enum class Deed : std::uint8_t {
  read,  ///< of 1, 2, 4 or 8 bytes, aligned
  write,
  modify,     ///< +=
  view_read,  ///< through an unmanaged View: 4 or 8 bytes
  view_write,
  struct_read,  ///< a copy of a struct: of bytes at any address, or of members of 4 and 8 bytes
  struct_write,
  copy_read,  ///< memcpy of a constant size, at any address
  copy_write,
  any_read,  ///< memcpy and memset of a size that the compiler does not know
  any_write,
  any_set,
  volatile_read,  ///< 1, 2, 4 or 8 bytes
  volatile_write,
  volatile_modify,
  atomic_load,  ///< Kokkos'
  atomic_store,
  atomic_add,
  atomic_max,
  atomic_exchange,
  atomic_compare,   ///< compare and exchange
  atomic_add_real,  ///< of a double
  builtin_load,     ///< the compiler's, relaxed
  builtin_store,
  builtin_add,
  leave,  ///< the lane's body ends here
  fence,  ///< Kokkos::memory_fence
  raise   ///< the lane's body ends here, by an exception
};
/// It touches no memory.
inline bool is_of_flow(Deed deed) { return deed >= Deed::leave; }
char const* name(Deed deed);

/// What a deed is to the oracle.
struct Nature {
  bool reads = false, writes = false, atomic = false;
  bool perhaps = false;  ///< it may turn out to be a load alone
};
Nature nature(Deed deed);
/// sync=portable: volatile accesses are plain ones.
inline bool volatile_is_plain = false;

/// Does lane or item x take part?
struct Mask {
  std::uint32_t modulus = 1, remainder = 0;  ///< x % modulus == remainder
  std::uint32_t from = 0, until = ~0u;       ///< from <= x < until
};

/// Where item x of a team goes: start + team * league_step + ((a * x + b) mod 2^32 mod modulus) * stride, in bytes.
struct Map {
  std::uint32_t a = 1, b = 0, modulus = 1;
  std::int32_t start = 0, stride = 1, league_step = 0;
};

struct Operation {
  Deed deed = Deed::leave;
  std::uint8_t bytes = 0;
  std::int8_t array = 0;
  std::uint8_t alignment = 1;  ///< of a struct: of its members
  bool own_values = true;      ///< what is stored hangs on the item; otherwise it is a constant
  std::uint8_t repeats = 1;    ///< so often, `repeat_step` bytes further each time
  std::int32_t repeat_step = 0;
  Mask mask;
  Map map;
};

enum class Policy : std::uint8_t { range_for, range_reduce, range_scan, md_for, md_reduce, team_for, team_reduce };
inline constexpr int policies = 7;
inline bool is_team(Policy p) { return p == Policy::team_for || p == Policy::team_reduce; }
inline bool is_md(Policy p) { return p == Policy::md_for || p == Policy::md_reduce; }
char const* name(Policy policy);

/// What stands around an operation of a team kernel, and which x it gets.
enum class Construct : std::uint8_t {
  every_lane,         ///< nothing: x is the lane's number
  every_thread,       ///< nothing: x is the thread's number, the same for its vector lanes
  thread_range,       ///< TeamThreadRange(count)
  vector_range,       ///< ThreadVectorRange(count): x is thread * count + item
  team_vector_range,  ///< TeamVectorRange(count)
  thread_vector,      ///< TeamThreadRange(count), ThreadVectorRange(inner) in it: x is item * inner + inner item
  thread_single,      ///< TeamThreadRange(count), single(PerThread) in it
  single_team,        ///< x is 0
  single_thread,      ///< x is the thread's number
  single_team_value,
  single_thread_value,
  thread_reduce,  ///< as the ranges, by parallel_reduce
  vector_reduce,
  team_vector_reduce,
  thread_scan,  ///< parallel_scan; the operation in the final pass alone, or in both
  vector_scan,
  thread_md,      ///< TeamThreadMDRange(count, inner): x is row-major
  vector_md,      ///< ThreadVectorMDRange(count, inner)
  team_vector_md  ///< TeamVectorMDRange(count, inner)
};
inline constexpr int constructs = static_cast<int>(Construct::team_vector_md) + 1;
char const* name(Construct construct);

/// What the team does behind it.
enum class After : std::uint8_t { nothing, barrier, reduce, scan, broadcast };
char const* name(After after);

struct Step {
  Construct construct = Construct::every_lane;
  After after = After::nothing;
  bool final_only = true;  ///< of a scan
  std::int32_t count = 1, inner = 1;
};

struct Kernel {
  Policy policy = Policy::range_for;
  std::int32_t count = 1;  ///< iterations of a range; of a multi-dimensional one the product of its extents
  std::int32_t rank = 2;
  std::array<std::int32_t, 6> extents{1, 1, 1, 1, 1, 1}, tile{1, 1, 1, 1, 1, 1};
  bool left = false;       ///< Iterate::Left
  bool final_only = true;  ///< of a scan
  std::int32_t league = 1, team = 1, vector = 1;
  std::int32_t used = 0;  ///< operations
  std::array<Operation, slots> operations{};
  std::array<Step, slots> steps{};  ///< of a team kernel
};

struct Case {
  std::vector<Array> arrays;
  std::vector<Kernel> kernels;
  /// Launches of a range's kernel in which iterations write elements of their own, elsewhere: a kernel that is known by an
  /// earlier launch is judged otherwise than in its first one.
  std::int32_t quiet_before = 0, quiet_after = 0;
};

std::string to_string(Case const& c);

}  // namespace property::bytes
