#include <teamsan/sim/detect/MissingFence.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/AtomicCode.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/model/device/Device.hpp>
#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/memory/TeamShadow.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/runtime/CallStack.hpp>
#include <teamsan/sim/runtime/Modules.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace teamsan::detect {

namespace {

/// A bit per byte of a line.
using Mask = std::uint64_t;

/// A kernel, or something the instance does for one, whose work is pending.
struct Work {
  LaunchFacts facts;      ///< of the kernel; number 0: a copy outside any
  char const* actor = "";  ///< no lane: "asynchronous copy"
  bool ordered = false;    ///< orders itself with atomics
  std::vector<std::uintptr_t> callers = {};  ///< who asked for it, if no lane did it
};

/// One access that stands for those of a line.
struct Deed {
  Work const* work = nullptr;
  std::uint64_t league = 0;
  std::uint32_t pc = 0;  ///< low half, see Modules.hpp
  std::uint16_t lane = 0;
  std::uint8_t byte = 0;  ///< of the line: the first that it touched
};

/// What an instance has pending in one line.
struct Footprint {
  Mask written = 0, read = 0, atomic_written = 0, atomic_read = 0;
  Deed write, reader;

  /// Bytes that conflict with an access of these bytes, and whether they were written.
  Mask conflict(Mask bytes, bool writes, bool atomic, bool& theirs_writes) const {
    Mask const w = bytes & (written | (atomic ? 0 : atomic_written));
    theirs_writes = w != 0;
    if (w != 0 || !writes) return w;
    return bytes & (read | (atomic ? 0 : atomic_read));
  }
};

/// Where two meet: at a byte whose accessor is known, if there is one. `lane_known`: there is.
std::uintptr_t meeting_place(std::uintptr_t line, Mask bytes, Deed const& theirs, bool& lane_known) {
  lane_known = bytes >> theirs.byte & 1;
  return line * Line::bytes + (lane_known ? theirs.byte : static_cast<unsigned>(std::countr_zero(bytes)));
}

struct HostRange {
  std::uintptr_t begin, end;
  Deed deed;
};

struct Instance {
  std::unordered_map<std::uintptr_t, Footprint> lines;  ///< by address / 64
  std::vector<HostRange> host;
  std::unordered_map<std::uint64_t, Deed> shared;  ///< shared allocations touched, by serial: without concurrent access
  bool empty() const { return lines.empty() && host.empty(); }
};

struct Pending {
  std::mutex mutex;
  std::atomic<bool> several{false};  ///< instances
  std::atomic<bool> any{false};
  std::deque<Work> work;
  std::map<std::uint32_t, Instance> instances;
  std::map<std::uint32_t, LaunchFacts> last;  ///< kernel of each instance
  std::unordered_set<std::uint64_t> told;     ///< host accesses, with what they met

  void clear(std::uint32_t instance) {
    if (instance == ~0u)
      instances.clear();
    else
      instances.erase(instance);
    bool const left = std::any_of(instances.begin(), instances.end(), [](auto const& i) { return !i.second.empty(); });
    if (!left) work.clear();
    any = left;
  }
};

Pending& pending() {
  static Pending* const p = new Pending;  // outlives exit handlers
  return *p;
}

bool host_reaches(std::uintptr_t address) {
  return arena::contains(arena::shared, arena::shared_bytes + arena::pinned_bytes, address);
}
bool is_global(std::uintptr_t address) { return arena::contains(arena::global, arena::global_bytes, address); }

/// The bytes of [begin, end) that lie in the line.
Mask mask_of(std::uintptr_t line, std::uintptr_t begin, std::uintptr_t end) {
  std::uintptr_t const start = line * Line::bytes;
  std::uintptr_t const from = std::max(begin, start) - start, to = std::min(end, start + Line::bytes) - start;
  Mask const below = to == Line::bytes ? ~Mask{0} : (Mask{1} << to) - 1;
  return below & ~((Mask{1} << from) - 1);
}

bool touched(Who w) { return w >= who::first_stamp && w < who::bytewise; }

AccessKind kind_of(bool writes, bool atomic) {
  if (writes) return atomic ? AccessKind::atomic_write : AccessKind::write;
  return atomic ? AccessKind::atomic_read : AccessKind::read;
}

std::string kernel_text(Work const& work) {
  if (work.facts.number == 0) return work.actor;
  return fmt::format("kernel \"{}\" (launch #{})", work.facts.config.label, work.facts.number);
}

Side side_of(Deed const& deed, bool writes, bool atomic, bool lane_known, bool name_kernel) {
  Side side;
  side.access = kind_of(writes, atomic);
  side.pc = deed.pc ? full_pc(deed.pc) : 0;
  Work const& work = *deed.work;
  if (*work.actor != 0) {
    side.actor = work.actor;
    side.callers = work.callers;
  } else if (!lane_known) {
    side.actor = "a lane";
  } else {
    LaunchConfig const& c = work.facts.config;
    side.has_lane = true;
    side.league = deed.league;
    side.thread = deed.lane / c.vector_length;
    side.vector_lane = deed.lane % c.vector_length;
    side.warp = deed.lane / work.facts.warp_width;
  }
  if (name_kernel && work.facts.number != 0) side.role = kernel_text(work);
  return side;
}

Data data_at(std::uintptr_t address, std::uint32_t bytes) {
  if (is_global(address)) return describe_global(address, bytes);
  Data data;
  data.kind = Data::Kind::host;
  return data;
}

std::uint64_t data_key(std::uintptr_t address) {
  Allocation const* const a = is_global(address) ? find_allocation(address) : nullptr;
  return a ? a->serial : address;
}

bool enabled() { return options().enabled(Rule::missing_fence); }

/// The host must keep off a whole shared allocation while a kernel works on any of its bytes.
bool is_exclusive(std::uintptr_t address) {
  return arena::contains(arena::shared, arena::shared_bytes, address) && !usm_aspects().concurrent_access;
}

}  // namespace

// ---- kernels -------------------------------------------------------------------------------------------------------

struct PendingLaunch::State {
  struct Found {
    RawFinding finding;
    Side theirs;
    Work const* work;
    std::uint64_t last_league;
  };

  Work work;
  Work* kept = nullptr;  ///< in Pending, once there is something to keep
  std::vector<Found> found;
  std::unordered_map<Key, std::size_t, KeyHash> index;

  /// One access of the launch's line: the bytes of `mask`, all by the mark's instruction.
  void meet(Pending& p, std::uintptr_t line, Mask mask, bool writes, bool atomic, Deed const& mine) {
    for (auto& [instance, theirs] : p.instances) {
      if (instance == work.facts.config.instance) continue;
      auto const there = theirs.lines.find(line);
      if (there == theirs.lines.end()) continue;
      bool their_write = false;
      Mask const bytes = there->second.conflict(mask, writes, atomic, their_write);
      if (bytes == 0) continue;
      Footprint const& f = there->second;
      Deed const& other = their_write ? f.write : f.reader;
      bool const their_atomic = !(bytes & (their_write ? f.written : f.read));
      if (other.work->ordered) continue;
      if ((atomic || is_atomic_code(full_pc(mine.pc))) && (their_atomic || is_atomic_code(full_pc(other.pc)))) continue;
      if (is_random_pool(full_pc(mine.pc)) && is_random_pool(full_pc(other.pc))) continue;
      bool lane_known = false;
      std::uintptr_t const address = meeting_place(line, bytes, other, lane_known);
      add(address, writes, atomic, mine, other, side_of(other, their_write, their_atomic, lane_known, true));
    }
  }

  void add(std::uintptr_t address, bool writes, bool atomic, Deed const& mine, Deed const& other, Side&& theirs) {
    Key const key{Rule::missing_fence, mine.pc, other.pc, data_key(address)};
    auto const [it, fresh] = index.try_emplace(key, found.size());
    if (!fresh) {
      Found& f = found[it->second];
      ++f.finding.count;
      f.finding.teams += f.last_league != mine.league;
      f.last_league = mine.league;
      return;
    }
    RawFinding f;
    f.rule = Rule::missing_fence;
    RawSide side;
    side.access = kind_of(writes, atomic);
    side.lane = {true, mine.league, mine.lane};
    side.pc = full_pc(mine.pc);
    f.title = fmt::format("{}/{} on data of another instance that is not fenced", verb(side.access),
                          verb(theirs.access));
    f.data = describe_global(address, 4);
    f.why = {fmt::format("{} was launched in another execution space instance, which no fence has ended since: the two "
                         "may run at the same time",
                         kernel_text(*other.work))};
    f.fix = "fence the other instance before this kernel is launched, or launch both in one instance";
    f.sides.push_back(std::move(side));
    found.push_back({std::move(f), std::move(theirs), other.work, mine.league});
  }
};

PendingLaunch::PendingLaunch(LaunchFacts const& facts) {
  if (!enabled()) return;
  m_state = std::make_unique<State>();
  m_state->work.facts = facts;
  Pending& p = pending();
  std::lock_guard const lock(p.mutex);
  p.last[facts.config.instance] = facts;
}

PendingLaunch::~PendingLaunch() = default;

void PendingLaunch::add(std::uint64_t league_rank, TeamShadow& shadow) {
  if (!m_state) return;
  Pending& p = pending();
  bool const several = p.several;
  std::unique_lock lock(p.mutex, std::defer_lock);
  for (std::size_t i = 0; i != shadow.size(); ++i) {
    Line const& line = shadow[i];
    if (!several && !host_reaches(line.key * Line::bytes)) continue;
    if (line.allocation == nullptr || !line.allocation->live) continue;
    if (!lock.owns_lock()) lock.lock();
    Footprint* mine = nullptr;
    auto const deed = [&](Mark const& mark, Mask mask, bool writes, bool atomic) {
      if (!m_state->kept) m_state->kept = &p.work.emplace_back(m_state->work);
      Deed const d{m_state->kept, league_rank, mark.pc, static_cast<std::uint16_t>(who::lane(mark.who)),
                   static_cast<std::uint8_t>(std::countr_zero(mask))};
      if (p.instances.size() > 1 || !p.instances.contains(m_state->work.facts.config.instance))
        m_state->meet(p, line.key, mask, writes, atomic, d);
      if (mine == nullptr) {
        mine = &p.instances[m_state->work.facts.config.instance].lines[line.key];
        p.any = true;
        if (is_exclusive(line.key * Line::bytes))
          p.instances[m_state->work.facts.config.instance].shared.try_emplace(line.allocation->serial, d);
      }
      Mask& plain = writes ? mine->written : mine->read;
      Deed& kept = writes ? mine->write : mine->reader;
      if (kept.work != d.work || (!atomic && plain == 0)) kept = d;
      (atomic ? (writes ? mine->atomic_written : mine->atomic_read) : plain) |= mask;
    };
    auto const mark = [&](Mark const& m, unsigned byte, Mask mask, bool writes) {
      if (!touched(m.who)) return;
      Mark const* const plain = m.who & who::atomic ? shadow.kept_plain(line, byte, writes) : nullptr;
      deed(plain != nullptr ? *plain : m, mask, writes, (m.who & who::atomic) && plain == nullptr);
    };
    auto const cell = [&](Cell const& c, unsigned byte, Mask mask) {
      mark(c.write, byte, mask, true);
      mark(c.read, byte, mask, false);
    };
    for (unsigned w = 0; w != Line::words; ++w) {
      if (line.per_byte == nullptr) {
        cell(line.first[w], 4 * w, Mask{15} << 4 * w);
        continue;
      }
      for (unsigned b = 4 * w; b != 4 * w + 4; ++b) cell(line.per_byte->first[b], b, Mask{1} << b);
    }
  }
}

void PendingLaunch::end(bool ordered) {
  if (!m_state) return;
  if (m_state->kept) m_state->kept->ordered = ordered;
  if (ordered) return;
  for (State::Found& f : m_state->found) {
    if (f.work->ordered) continue;
    Finding finding = finish(std::move(f.finding), m_state->work.facts);
    finding.sides.push_back(std::move(f.theirs));
    report(std::move(finding));
  }
}

// ---- fences, copies, the host --------------------------------------------------------------------------------------

namespace {

/// A copy, or a result, of one instance touches what another instance works on.
void meet_others(Pending& p, std::uint32_t instance, std::uintptr_t line, Mask mask, bool writes, Deed const& mine) {
  for (auto const& [number, theirs] : p.instances) {
    if (number == instance) continue;
    auto const there = theirs.lines.find(line);
    if (there == theirs.lines.end()) continue;
    bool their_write = false, lane_known = false;
    Mask const bytes = there->second.conflict(mask, writes, false, their_write);
    if (bytes == 0) continue;
    Deed const& other = their_write ? there->second.write : there->second.reader;
    std::uintptr_t const address = meeting_place(line, bytes, other, lane_known);
    std::uint64_t asked = 0;
    for (std::uintptr_t const caller : mine.work->callers) asked = asked * 31 + caller;
    bool const told = !p.told.insert(asked * 0x9e3779b97f4a7c15u ^ other.pc ^ data_key(address) << 40).second;
    if (other.work->ordered || told) continue;
    Mask const plain = their_write ? there->second.written : there->second.read;
    RawFinding raw;
    raw.rule = Rule::missing_fence;
    Work const& kernel = mine.work->facts.number != 0 ? *mine.work : *other.work;
    Finding f = finish(std::move(raw), kernel.facts);
    if (kernel.facts.number == 0) f.kernel.clear(), f.policy.clear();
    f.title = fmt::format("{} by {} on data of another instance that is not fenced", writes ? "write" : "read",
                          mine.work->actor);
    f.data = describe_global(address, 4);
    f.sides = {side_of(mine, writes, false, false, false),
               side_of(other, their_write, !(bytes & plain), lane_known, true)};
    f.why = {fmt::format("{} was asked for in another execution space instance, which no fence has ended since: the two "
                         "may run at the same time",
                         kernel_text(*other.work))};
    f.fix = "fence the other instance first, or use one instance for both";
    report(std::move(f));
  }
}

}  // namespace

void note_instances() { pending().several = true; }

void end_pending(std::uint32_t instance) {
  Pending& p = pending();
  if (!p.any) return;
  {
    std::lock_guard const lock(p.mutex);
    p.clear(instance);
  }
  if (!p.any && hot.lane == nullptr) hot.ignore_bytes = arena::base - arena::end;
}

void pend_access(std::uint32_t instance, void const* pointer, std::size_t bytes, bool writes, char const* actor,
                 bool of_kernel) {
  if (!enabled() || bytes == 0) return;
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer), end = begin + bytes;
  Pending& p = pending();
  bool const global = is_global(begin);
  if (global ? !host_reaches(begin) && !p.several : !writes) return;
  std::lock_guard const lock(p.mutex);
  Work work{{}, actor, false, native_stack()};
  if (of_kernel) work.facts = p.last[instance];
  Deed mine{&p.work.emplace_back(std::move(work))};
  p.any = true;
  if (!global) {
    p.instances[instance].host.push_back({begin, end, mine});
    if (hot.lane == nullptr) hot.ignore_bytes = 0;  // host memory is looked at until the fence
    return;
  }
  auto& lines = p.instances[instance].lines;
  for (std::uintptr_t line = begin / Line::bytes; line * Line::bytes < end; ++line) {
    if (p.instances.size() > 1) meet_others(p, instance, line, mask_of(line, begin, end), writes, mine);
    Footprint& f = lines[line];
    mine.byte = static_cast<std::uint8_t>(std::countr_zero(mask_of(line, begin, end)));
    (writes ? f.written : f.read) |= mask_of(line, begin, end);
    (writes ? f.write : f.reader) = mine;
  }
}

namespace {

void tell(Access const& access, std::uintptr_t address, Deed const& theirs, Side&& their_side) {
  Pending& p = pending();
  if (!p.told.insert(access.pc * 0x9e3779b97f4a7c15u ^ theirs.pc ^ data_key(address) << 40).second) return;
  Work const& work = *theirs.work;
  RawFinding raw;
  raw.rule = Rule::missing_fence;
  Finding f = finish(std::move(raw), work.facts);
  if (work.facts.number == 0) f.kernel.clear(), f.policy.clear();
  bool const reads = their_side.access == AccessKind::read || their_side.access == AccessKind::atomic_read;
  f.title = fmt::format("host {} of what a {} that is not fenced {}", verb(access.kind),
                        work.facts.number == 0 ? "copy" : "kernel", reads ? "reads" : "writes");
  f.data = data_at(address, access.bytes);
  if (f.data.kind == Data::Kind::host) f.data.label = work.actor;
  Side side;
  side.access = access.kind;
  side.bytes = access.bytes;
  side.pc = access.pc;
  side.callers = native_stack();
  f.sides = {std::move(side), std::move(their_side)};
  f.why = {fmt::format("{} is asynchronous, and nothing has fenced its execution space instance since",
                       kernel_text(work))};
  f.fix = "Kokkos::fence(), or fence() of the instance, before {first}";
  report(std::move(f));
}

/// The bytes are not the kernel's, but the allocation is one that it works on.
void tell_exclusive(Access const& access, Deed const& theirs) {
  Pending& p = pending();
  if (!p.told.insert(access.pc * 0x9e3779b97f4a7c15u ^ data_key(access.address) << 40).second) return;
  Work const& work = *theirs.work;
  RawFinding raw;
  raw.rule = Rule::missing_fence;
  Finding f = finish(std::move(raw), work.facts);
  f.title = fmt::format("host {} of a shared allocation during a kernel that works on it", verb(access.kind));
  f.data = describe_global(access.address, access.bytes);
  Side side;
  side.access = access.kind;
  side.bytes = access.bytes;
  side.pc = access.pc;
  side.callers = native_stack();
  Side lane = side_of(theirs, false, false, true, false);
  lane.access = AccessKind::none;
  lane.role = "works on the same allocation";
  f.sides = {std::move(side), std::move(lane)};
  f.why = {fmt::format("{} has no concurrent access to shared allocations: while a kernel works on one, the host must "
                       "not touch any byte of it",
                       options().model().title),
           fmt::format("{} is asynchronous, and nothing has fenced its execution space instance since",
                       kernel_text(work))};
  f.fix = "Kokkos::fence(), or fence() of the instance, before {first}; or ask for Aspect::concurrent_access first";
  report(std::move(f));
}

}  // namespace

void check_host_access(Access const& access) {
  Pending& p = pending();
  if (!p.any || !enabled()) return;
  RuntimeScope const scope;
  trace::record_host_access(access.kind, access.address, access.bytes, access.pc);
  std::uintptr_t const begin = access.address, end = begin + access.bytes;
  std::lock_guard const lock(p.mutex);
  if (!is_global(begin)) {
    bool waits = false;
    for (auto const& [number, instance] : p.instances) {
      waits |= !instance.host.empty();
      for (HostRange const& r : instance.host)
        if (begin < r.end && r.begin < end) tell(access, begin, r.deed, side_of(r.deed, true, false, false, false));
    }
    if (!waits) hot.ignore_bytes = arena::base - arena::end;
    return;
  }
  for (auto const& [number, instance] : p.instances) {
    if (instance.lines.empty()) continue;
    for (std::uintptr_t line = begin / Line::bytes; line * Line::bytes < end; ++line) {
      auto const there = instance.lines.find(line);
      if (there == instance.lines.end()) continue;
      Footprint const& f = there->second;
      bool their_write = false;
      Mask const bytes = f.conflict(mask_of(line, begin, end), access.is_write(), access.is_atomic(), their_write);
      if (bytes == 0) continue;
      Deed const& deed = their_write ? f.write : f.reader;
      bool const their_atomic = !(bytes & (their_write ? f.written : f.read));
      if (deed.work->ordered || (access.is_atomic() && is_atomic_code(full_pc(deed.pc)))) continue;
      bool lane_known = false;
      std::uintptr_t const at = meeting_place(line, bytes, deed, lane_known);
      tell(access, at, deed, side_of(deed, their_write, their_atomic, lane_known, false));
      return;
    }
  }
  if (!is_exclusive(begin)) return;
  Allocation const* const owner = find_allocation(begin);
  for (auto const& [number, instance] : p.instances) {
    if (owner == nullptr) return;
    auto const there = instance.shared.find(owner->serial);
    if (there == instance.shared.end()) continue;
    tell_exclusive(access, there->second);
    return;
  }
}

}  // namespace teamsan::detect
