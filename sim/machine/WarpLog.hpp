// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the lanes of a team accessed since its last synchronisation, put together to accesses of warps. Lanes run one
/// after the other; the k-th execution of an instruction by one lane of a warp belongs with the k-th by each of the
/// others: (site, occurrence), in the window between two synchronisations. Lanes that take the same way find each
/// other's record by being next in line; a lane that goes another way looks its records up by instruction.
///
/// A window ends where all lanes of the warp have met: at a team's meeting, at a thread's meeting if a thread fills a
/// warp, or at the end. It is cut when it holds `max_records`: the lanes take turns then, so that memory stays bounded
/// and lanes that take the same way are still counted together.
#pragma once

#include "../../traces/Site.hpp"
#include "../../model/device/WarpAccess.hpp"
#include "../base/Lane.hpp"
#include "../base/Shard.hpp"
#include "../memory/Hot.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace teamsan {

/// One access of one warp. Of the lanes' addresses the lower halves are kept: two lanes 4 GiB apart look alike. While lanes
/// run, `active` lacks the lanes that came the common way: what a lane does for each access is to be little, see log_plain
/// and WarpLog::finish. One size for all widths of warps, so that a lane finds the next by adding a constant.
struct WarpRecord {
  static constexpr Site no_site{~std::uint32_t{0}};
  /// Where the load or store stands, at plain_index of what it is; a plain one is as wide as its instruction says.
  Site plain[4] = {no_site, no_site, no_site, no_site};
  std::uint64_t key = 0;      ///< see warp_key; 0: no record
  std::uint64_t active = 0;   ///< bit l: lane l takes part
  std::uintptr_t base = 0;    ///< address of the lane that came first
  std::uint32_t next = 0;     ///< record of the next occurrence, 0: none yet
  std::uint32_t occurrence = 0;
  std::uint32_t scopes = 0;   ///< a bit per Scope that the lane which came first was in
  Site scope_site{};  ///< where it entered the innermost of them
  std::uint32_t low[model::max_warp_width];  ///< halves of addresses, by lane; of lanes that take no part, that of `base`
  /// Bytes from `base`.
  std::int32_t offset(std::uint32_t lane) const {
    return static_cast<std::int32_t>(low[lane] - static_cast<std::uint32_t>(base));
  }
};

/// An instruction, as far as the model tells it from others: where, what, how wide (as log2), and in which memory.
constexpr std::uint64_t warp_key(Site site, model::Operation operation, unsigned log_bytes, bool scratch,
                                 model::AtomicKind atomic = model::AtomicKind::integer_add) {
  return std::uint64_t{number_of(site)} << 8 | static_cast<unsigned>(atomic) << 6 | log_bytes << 3 |
         static_cast<unsigned>(operation) << 1 | scratch;
}
constexpr unsigned plain_index(model::Operation operation, bool scratch) {
  return static_cast<unsigned>(operation) << 1 | scratch;
}
constexpr Site key_site(std::uint64_t key) { return static_cast<Site>(static_cast<std::uint32_t>(key >> 8)); }
constexpr model::Operation key_operation(std::uint64_t key) { return static_cast<model::Operation>(key >> 1 & 3); }
constexpr std::uint32_t key_bytes(std::uint64_t key) { return 1u << (key >> 3 & 7); }
constexpr model::AtomicKind key_atomic(std::uint64_t key) { return static_cast<model::AtomicKind>(key >> 6 & 3); }
constexpr bool key_scratch(std::uint64_t key) { return key & 1; }

class WarpLog {
 public:
  static constexpr std::uint32_t max_records = 4096;  ///< of a warp: 1.3 MB, for lanes that run apart

  /// Empty, for a team of that shape.
  void begin(std::uint32_t lanes, std::uint32_t warp_width);

  /// The lane runs from here on: hot.warp_next and its like are its.
  void enter(std::uint32_t lane) {
    m_lane = lane;
    hot.warp_next = m_next[lane];
    hot.warp_lane = static_cast<std::uint16_t>(lane & (m_width - 1));
  }
  /// It does no more.
  void leave(std::uint32_t lane) {
    m_next[lane] = hot.warp_next;
    hot.warp_next = nullptr;
    m_lane = nobody;
  }

  /// The running lane's access, if it is the first of its warp to come there and does what some window before this one did.
  bool lead(std::uint64_t key, std::uintptr_t address);
  /// The running lane's access, however it fits. False: the warp's log is full and the lane must let others run.
  bool add(std::uint64_t key, std::uintptr_t address, bool even_if_full);

  /// The running lane enters the scope there.
  void enter_scope(Scope scope, Site site);

  /// Calls count(record, warp) for each record of the warp, in program order of the first lane; then forgets them. Before,
  /// if some lane takes no part in some of them, parted(record, warp) for each.
  template <class Parted, class Count>
  void flush(std::uint32_t warp, Parted parted, Count count) {
    bool const apart = finish(warp);
    Warp& w = m_warps[warp];
    if (apart)
      for (std::uint32_t i = 1; i <= w.count; ++i) parted(w.records[i], warp);
    for (std::uint32_t i = 1; i <= w.count; ++i) count(w.records[i], warp);
    clear(warp);
  }
  template <class Count>
  void flush(std::uint32_t warp, Count count) {
    flush(warp, [](WarpRecord const&, std::uint32_t) {}, count);
  }
  template <class Count>
  void flush_all(Count count) {
    for (std::uint32_t w = 0; w != m_used_warps; ++w) flush(w, count);
  }

  std::uint32_t warp_of(std::uint32_t lane) const { return lane >> m_shift; }
  std::uint32_t width() const { return m_width; }
  /// Changes whenever that warp's records are forgotten.
  std::uint32_t window(std::uint32_t warp) const { return m_warps[warp].window; }

 private:
  /// All records of one key.
  struct Slot {
    std::uint64_t key = 0;  ///< 0: free
    std::uint32_t window = 0;  ///< of which the numbers below are
    std::uint32_t first = 0, last = 0;
    std::uint32_t hint = 0, hint_lane = ~0u;  ///< the record that lane came to last
    std::uint32_t follower = 0;  ///< the slot of the record that came next, when last one did
  };
  struct Warp {
    std::vector<WarpRecord> records;  ///< from number 1 on; one more, empty, ends them
    std::vector<Slot> slots;          ///< open addressing
    std::uint32_t count = 0;
    std::uint32_t keys = 0;           ///< slots that are not free
    std::uint32_t window = 1;
    std::uint32_t last_slot = 0;      ///< of the last record
  };
  /// Where a lane entered scopes, by Scope: of those that it is in.
  struct ScopeSites {
    Site of[6];
    /// As the hierarchy nests them.
    Site innermost(std::uint32_t scopes) const;
  };
  static constexpr std::uint32_t nobody = ~0u;

  /// The first record that the lane was not at by the common way; those before it are its own, too.
  std::uint32_t common_of(std::uint32_t lane) const;
  /// Of those before `number`: the lanes that were at them by the common way. `until`: the first number for which it is not so.
  std::uint64_t lanes_before(std::uint32_t number, std::uint32_t begin, std::uint32_t end, std::uint32_t& until) const;
  /// Gives each record its final form. True: some lane of the team takes no part in some of them.
  bool finish(std::uint32_t warp);
  void clear(std::uint32_t warp);
  /// The index of the key's slot, for the warp's window.
  std::uint32_t slot(Warp& w, std::uint64_t key);
  void rebuild_slots(Warp& w);
  void make_room(std::uint32_t warp);
  /// The next record, for which there is room, and the first lane's access.
  void create(Warp& w, WarpRecord& next, std::uint32_t slot, std::uint64_t key, std::uintptr_t address);

  std::uint32_t m_width = 32, m_shift = 5, m_lanes = 0, m_used_warps = 0;
  std::uint32_t m_lane = nobody;      ///< that runs
  std::vector<Warp> m_warps;
  std::vector<WarpRecord*> m_next;      ///< by lane: where one that does not run goes on; &no_record: it left the common way
  std::vector<std::uint32_t> m_common;  ///< by lane, for those that left the common way: see common_of
  std::vector<ScopeSites> m_scope_sites;
};

/// For a lane with no common way to go: never matches.
extern WarpRecord no_record;

/// The common case of WarpLog::add: the lane does what the lanes of its warp did before it.
[[gnu::always_inline]] inline void follow(WarpRecord* r, std::uintptr_t address) {
  r->low[hot.warp_lane] = static_cast<std::uint32_t>(address);
  hot.warp_next = r + 1;
}
[[gnu::always_inline]] inline bool log_quickly(std::uint64_t key, std::uintptr_t address) {
  WarpRecord* const r = hot.warp_next;
  if (r->key != key) [[unlikely]] return false;
  follow(r, address);
  return true;
}
/// The same of a load or store that no other access shares its instruction with.
[[gnu::always_inline]] inline bool log_plain(Site site, model::Operation operation, bool scratch,
                                             std::uintptr_t address) {
  WarpRecord* const r = hot.warp_next;
  if (r->plain[plain_index(operation, scratch)] != site) [[unlikely]] return false;
  follow(r, address);
  return true;
}

/// The running lane accesses memory: scratch and global memory are logged, all else is none of the model's business.
[[gnu::noinline]] void log_slowly(std::uint64_t key, std::uintptr_t address);

[[gnu::always_inline]] inline void log_access(std::uintptr_t address, unsigned log_bytes, model::Operation operation,
                                              Site site,
                                              model::AtomicKind atomic = model::AtomicKind::integer_add) {
  bool const scratch = address - hot.scratch_begin < hot.scratch_bytes;
  if (!scratch && address - arena::global >= (shard.on() && hot.in_runtime == 0 ? arena::global_bytes : hot.global_bytes))
    return;
  std::uint64_t const key = warp_key(site, operation, log_bytes, scratch, atomic);
  if (!log_quickly(key, address)) [[unlikely]] log_slowly(key, address);
}

/// A copied struct, as the widest accesses that its size and place allow.
void log_range(std::uintptr_t address, std::size_t bytes, model::Operation operation, Site site);

}  // namespace teamsan
