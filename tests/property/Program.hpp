// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program as data: arrays, and kernels made of Kokkos' constructs with the accesses in their bodies. The
/// interpreter runs it on the simulated GPU, the oracle by its own rules on the host, the generator makes it,
/// a mutation spoils it. All values are 64-bit and wrap; an array keeps the low bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace property {

inline constexpr int max_arrays = 8;
inline constexpr int registers = 4;

enum class Place : std::uint8_t {
  team_scratch0,    ///< one array a team, level 0
  team_scratch1,    ///< the same, level 1
  thread_scratch0,  ///< one array a thread
  thread_scratch1,
  global_slice,  ///< device memory; each team of a team kernel has its own slice, a flat kernel sees all of
                 ///< it
  global_shared  ///< device memory, the same elements for all teams
};

struct Array {
  Place place = Place::global_slice;
  std::uint32_t size = 1;   ///< elements (of a slice, of a thread's part)
  std::uint32_t width = 4;  ///< bytes of an element: 1, 4 or 8
  bool filled = false;      ///< device memory: by the host, before the first kernel
};
inline bool is_global(Place p) { return p == Place::global_slice || p == Place::global_shared; }
inline bool is_per_thread(Place p) { return p == Place::thread_scratch0 || p == Place::thread_scratch1; }

/// Element (a * x + b) mod size of an array, for an item x. Array -1: no access.
struct Access {
  int array = -1;
  std::uint32_t a = 1, b = 0;
  std::int64_t past_end_at = -1;  ///< mutation: this item goes to the element after the last one
};

enum class AtomicOperation : std::uint8_t { none, add, max, min, exclusive_or };

/// What a body does for an item x: reads, makes a value of them, stores it.
struct Leaf {
  Access to;
  Access from[2];
  AtomicOperation atomic = AtomicOperation::none;
  bool torn = false;  ///< mutation: a plain read and write in place of the atomic update
  int from_register = -1;
  bool uses_thread = false;     ///< the value hangs on team_rank
  std::uint32_t next_team = 0;  ///< mutation: stores into the slice that many teams further
  std::uint64_t salt = 0;
};

enum class Reduction : std::uint8_t {
  sum,
  prod,
  min,
  max,
  land,
  lor,
  band,
  bor,
  min_loc,
  max_loc,
  min_max,
  min_max_loc,
  min_first_loc,
  max_first_loc,
  min_max_first_last_loc,
  first_loc,
  last_loc,
  std_is_partitioned,
  std_partition_point
};
inline constexpr int reductions = 19;

enum class Order : std::uint8_t { standard, left, right };  ///< of a multi-dimensional range

enum class Kind : std::uint8_t {
  // Reached by all lanes of a team.
  barrier,
  team_vector_for,
  team_vector_md_for,
  team_thread_for,
  team_thread_md_for,
  each_thread,
  team_thread_reduce,
  team_thread_md_reduce,
  team_vector_reduce,
  team_vector_md_reduce,
  team_thread_scan,
  single_team,
  single_team_value,
  team_broadcast,
  team_reduce,
  team_scan,
  repeat,
  // Reached by the lanes of a thread.
  thread_vector_for,
  thread_vector_md_for,
  thread_vector_reduce,
  thread_vector_md_reduce,
  thread_vector_scan,
  single_thread,
  single_thread_value,
  vector_reduce,
  every_lane,
  // A kernel by itself.
  range_for,
  range_reduce,
  range_scan,
  md_range_for,
  md_range_reduce
};
inline constexpr int kinds = static_cast<int>(Kind::md_range_reduce) + 1;
char const* name(Kind kind);
char const* name(Reduction reduction);

/// One construct. Plain data: the kernel carries it along.
struct Operation {
  Kind kind = Kind::barrier;
  Leaf leaf;
  int count = 0;                  ///< iterations; of a repeat: rounds
  int rank = 0;                   ///< multi-dimensional ranges
  int extents[4] = {1, 1, 1, 1};  ///< their product is `count`
  Order order = Order::standard;
  Reduction reduction = Reduction::sum;
  int result = 0;                ///< register that takes the value
  int source = 0;                ///< thread whose value is broadcast
  bool exclusive = false;        ///< scan; of a broadcast: by a function, which changes the value
  int without_thread = -1;       ///< mutation of a barrier: this thread does not call it
  bool on_every_thread = false;  ///< mutation of single(PerTeam): single(PerThread)
  bool on_every_lane = false;    ///< mutation of a single: none at all
  bool barrier_inside = false;   ///< mutation of single(PerTeam)
};

struct Statement : Operation {
  std::vector<Statement> body;
};

/// Teams that wait for one another by flags in device memory: each for the one before it in the league, or
/// after it.
enum class Chain : std::int8_t { none, up, down };

struct Kernel {
  bool team = true;      ///< TeamPolicy; otherwise `body` is the one flat construct
  bool reduces = false;  ///< parallel_reduce over the TeamPolicy
  int league = 1, team_size = 1, vector_length = 1;
  Chain chain = Chain::none;
  // Mutations of a chain.
  bool fences = true;               ///< the flags are set and read without
  bool hurried = false;             ///< a team in the middle does not wait for its turn
  bool barrier_before_flag = true;  ///< a team's flag is set before all its threads are done
  bool barrier_after_flag = true;   ///< only the thread that waits for the flag waits
  std::vector<Statement> body;
};

/// Which team of the chain is the one in the middle: the k-th to run.
constexpr int middle_of(int league) { return league / 2; }

struct Program {
  std::uint64_t seed = 0;
  int teams = 1;  ///< slices of global_slice arrays
  std::vector<Array> arrays;
  std::vector<Kernel> kernels;
};

std::string to_string(Program const& program);

/// What a program leaves behind, for comparison.
struct Result {
  std::vector<std::vector<std::uint64_t>> arrays;  ///< those in device memory; others are empty
  std::vector<std::vector<bool>> written;          ///< which of their elements are (the oracle says it)
  std::vector<std::vector<std::uint64_t>>
      lanes;                          ///< by kernel: digest of each lane's registers (team kernels)
  std::vector<std::uint64_t> values;  ///< by kernel: what it reduces to; 0 if nothing
};

}  // namespace property
