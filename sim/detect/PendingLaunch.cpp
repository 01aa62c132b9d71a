// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Checker.hpp"
#include "FlatFootprints.hpp"
#include "MissingFence.hpp"
#include "PendingRows.hpp"
#include "PendingSides.hpp"
#include "PendingWork.hpp"
#include "../base/Shard.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/TeamShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "../places/KokkosNames.hpp"
#include "../trace/Mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace teamsan::detect {

struct PendingLaunch::State {
  struct Found {
    RawFinding finding;
    Side theirs;
    Work const* work;
    std::uint64_t league;
    std::uintptr_t address;
    std::unordered_set<std::uint64_t> teams;
  };

  explicit State(LaunchFacts const& of) : facts(of) {}

  LaunchFacts const& facts;
  Work* kept = nullptr;  ///< in Pending, once there is something to keep
  Instance left;         ///< goes there at the end
  std::vector<Found> found;
  std::unordered_map<Key, std::size_t, KeyHash> index;
  using Others = std::vector<std::pair<std::uint32_t, Footprint>>;  ///< by instance
  struct OfLine {
    std::uintptr_t line = 0;
    std::size_t fenced = 0;  ///< by other host threads, when it was looked at
    Others others;
  };
  static constexpr std::size_t kept_lines = 4096;
  std::vector<OfLine> of_lines;
  Others const* others = nullptr;  ///< of the line that is looked at:
  Footprint* here = nullptr;
  Extent* extent = nullptr;

  /// The launch's accesses to come lie in that line.
  void go_to(Pending& p, std::uintptr_t line, Allocation const& allocation) {
    look_for_others(p, line);
    here = &left.lines[line];
    extent = &left.extents[allocation.serial];
  }

  void look_for_others(Pending const& p, std::uintptr_t line) {
    static Others const nothing;
    others = &nothing;
    auto const is_other = [&](auto const& i) { return !p.is_before(facts.config.instance, i.first); };
    if (std::ranges::none_of(p.instances, is_other) && std::ranges::none_of(p.fenced, is_other)) return;
    // Rows are gone through for it: of lines that team after team comes to, once.
    if (of_lines.empty()) of_lines.resize(kept_lines);
    OfLine& there = of_lines[line % kept_lines];
    others = &there.others;
    if (there.line == line && there.fenced == p.fenced.size()) return;
    there = {line, p.fenced.size(), std::move(there.others)};
    there.others.clear();
    auto const look = [&](std::uint32_t instance, Instance const& theirs) {
      if (p.is_before(facts.config.instance, instance)) return;
      if (std::optional<Footprint> const known = theirs.footprint(line)) there.others.emplace_back(instance, *known);
    };
    for (auto const& [instance, theirs] : p.instances) look(instance, theirs);
    for (auto const& [instance, theirs] : p.fenced) look(instance, theirs);
  }

  /// One access of that line: the bytes of `mask`.
  void add(std::uintptr_t line, PendingAccess const& mine, Mask mask, bool writes, bool atomic) {
    for (auto const& [instance, f] : *others) meet(instance, f, line, mask, writes, atomic, mine);
    extent->add(line, writes);
    here->add(mine, mask, writes, atomic);
  }

  void keep_work(Pending& p) {
    if (kept) return;
    Work work;
    work.facts = facts;
    kept = &p.keep(std::move(work));
  }

  PendingAccess access(Pending& p, std::uint64_t league, std::uint32_t lane, Site site, Mask mask) {
    keep_work(p);
    return {kept, league, site, static_cast<std::uint16_t>(lane), static_cast<std::uint8_t>(std::countr_zero(mask))};
  }

  void meet(std::uint32_t instance, Footprint const& f, std::uintptr_t line, Mask mask, bool writes, bool atomic,
            PendingAccess const& mine) {
    Footprint::Conflict const met = f.conflict(mask, writes, atomic);
    if (met.bytes == 0 || !shard.judges(line * Line::bytes)) return;  // of the margin another shard tells
    PendingAccess const& other = *met.with;
    if (other.work->ordered || other.work->beside == facts.number) return;
    if (is_part_of_atomic(atomic, mine.site) && is_part_of_atomic(met.atomic, other.site)) return;
    if (has_code(KokkosCode::random_pool, mine.site) && has_code(KokkosCode::random_pool, other.site)) return;
    bool lane_known = false;
    std::uintptr_t const address = meeting_place(line, met.bytes, other, lane_known);
    tell(address, writes, atomic, mine, other, side_of(other, met.writes, met.atomic, lane_known, true),
         instance >= Pending::first_node);
  }

  /// Of each pair of instructions the first team's, there the one that lies first, whichever order they come in.
  void tell(std::uintptr_t address, bool writes, bool atomic, PendingAccess const& mine, PendingAccess const& other,
            Side&& theirs, bool of_node) {
    Key const key{Rule::missing_fence, mine.site, other.site, data_key(address)};
    auto const [it, fresh] = index.try_emplace(key, found.size());
    if (!fresh) {
      Found& f = found[it->second];
      ++f.finding.count;
      f.teams.insert(mine.league);
      if (std::pair(f.league, f.address) <= std::pair(mine.league, address)) return;
    }
    RawFinding f;
    f.rule = Rule::missing_fence;
    f.at_least = true;  // of a word that many lanes touched one is told
    RawSide side;
    side.access = access_kind(writes, atomic);
    side.lane = {true, mine.league, mine.lane};
    side.site = mine.site;
    f.title = fmt::format("{}/{} on data of another {}", verb(side.access), verb(theirs.access),
                          of_node ? "node that no edge puts before this one" : "instance that is not fenced");
    f.data = describe_global(address, 4);
    f.why = {because(of_node ? Reason::launch_in_other_node : Reason::launch_in_other_instance, kernel_text(*other.work))};
    f.fix = remedy(of_node ? Cure::edge_between : Cure::fence_before_launch);
    f.sides.push_back(std::move(side));
    if (fresh) found.emplace_back().teams.insert(mine.league);
    Found& told = found[it->second];
    if (!fresh) f.count = told.finding.count;
    told.finding = std::move(f);
    told.theirs = std::move(theirs);
    told.work = other.work;
    told.league = mine.league;
    told.address = address;
  }
};

PendingLaunch::PendingLaunch(LaunchFacts const& facts) : m_facts(missing_fence_enabled() ? &facts : nullptr) {}

PendingLaunch::~PendingLaunch() = default;

void PendingLaunch::make_state() {
  if (!m_state) m_state = std::make_unique<State>(*m_facts);
}

void PendingLaunch::add(std::uint64_t league_rank, TeamShadow& shadow) {
  if (m_facts == nullptr) return;
  Pending& p = pending();
  bool const several = p.several;
  if (!several && !shadow.host_reaches()) return;
  make_state();
  std::unique_lock lock(p.mutex, std::defer_lock);
  for (std::size_t i = 0; i != shadow.size(); ++i) {
    Line const& line = shadow[i];
    if (!several && !host_reaches(line.key * Line::bytes)) continue;
    if (line.allocation == nullptr || !line.allocation->live) continue;
    if (!lock.owns_lock()) lock.lock();
    bool first = true;
    auto const add = [&](Mark const& mark, Mask mask, bool writes, bool atomic) {
      PendingAccess const d = m_state->access(p, league_rank, who::lane(mark.who), mark.site, mask);
      if (std::exchange(first, false)) {
        m_state->go_to(p, line.key, *line.allocation);
        if (is_exclusive(line.key * Line::bytes)) m_state->left.shared.try_emplace(line.allocation->serial, d);
      }
      m_state->add(line.key, d, mask, writes, atomic);
    };
    auto const mark = [&](Mark const& m, unsigned byte, Mask mask, bool writes) {
      if (!who::touched(m.who)) return;
      Mark const* const plain = m.who & who::atomic ? shadow.kept_plain(line, byte, writes) : nullptr;
      add(plain != nullptr ? *plain : m, mask, writes, (m.who & who::atomic) && plain == nullptr);
    };
    auto const cell = [&](Cell const& c, unsigned byte, Mask mask) {
      mark(c.write, byte, mask, true);
      mark(c.read, byte, mask, false);
    };
    for (unsigned w = 0; w != Line::words; ++w) {
      if (line.per_byte == nullptr) {
        cell(line.word(w), 4 * w, Mask{15} << 4 * w);
        continue;
      }
      for (unsigned b = 4 * w; b != 4 * w + 4; ++b) cell(line.per_byte->first[b], b, Mask{1} << b);
    }
  }
}

void PendingLaunch::add(FlatShadow& flat, std::uint64_t teams) {
  Pending& p = pending();
  if (m_facts == nullptr || !p.several) return;
  make_state();
  AllocationsHeld const held;
  std::lock_guard const lock(p.mutex);
  std::uint32_t const team_size = flat.team_size();
  FlatFootprints footprints(flat, m_facts->number, teams * team_size);
  auto const begin = [&](Allocation const& allocation, std::uintptr_t line) {
    m_state->go_to(p, line, allocation);
    return !m_state->others->empty();
  };
  footprints.for_each(begin, [&](std::uintptr_t line, std::vector<FlatFootprints::Deed> const& deeds) {
    for (auto const& [mark, bytes, kind] : deeds)
      m_state->add(line, m_state->access(p, mark.lane / team_size, mark.lane % team_size, mark.site, bytes), bytes,
                   is_write(kind), is_atomic(kind));
  });
}

bool PendingLaunch::take(LaneRows const& of_lanes, LaunchWords const& first_block) {
  Pending& p = pending();
  if (m_facts == nullptr || !p.several) return true;
  make_state();
  std::optional<PendingRows> rows = PendingRows::of(of_lanes, *m_facts, first_block);
  if (!rows) return false;
  std::lock_guard const lock(p.mutex);
  auto const may_meet = [&](std::uint32_t instance, Instance const& theirs) {
    return !p.is_before(m_facts->config.instance, instance) && std::ranges::any_of(rows->rows(), [&](auto const& r) {
      return theirs.may_meet(r.begin, r.end, r.writes, r.atomic);
    });
  };
  for (auto const& [instance, theirs] : p.instances)
    if (may_meet(instance, theirs)) return false;
  for (auto const& [instance, theirs] : p.fenced)
    if (may_meet(instance, theirs)) return false;
  constexpr std::size_t most_launches = 256;  // that a line may be of
  auto const mine = p.instances.find(p.launch_instance);
  if (mine != p.instances.end() && mine->second.rows.size() >= most_launches) return false;
  m_state->keep_work(p);
  rows->set_work(m_state->kept);
  m_state->left.rows.push_back(std::move(*rows));
  return true;
}

void PendingLaunch::end(bool ordered, bool more_beside, Note const& note) {
  RuntimeScope const scope;
  if (m_state && m_state->kept) {
    std::lock_guard const lock(pending().mutex);
    m_state->kept->ordered = ordered;
  }
  if (m_state && !ordered) {
    std::ranges::stable_sort(m_state->found, {}, [](State::Found const& f) { return std::pair(f.league, f.address); });
    for (State::Found& f : m_state->found) {
      if (f.work->ordered) continue;
      f.finding.teams = f.teams.size();
      Finding finding = finish(std::move(f.finding), *m_facts);
      finding.sides.push_back(std::move(f.theirs));
      report(std::move(finding));
    }
  }
  if (m_state) {
    m_state->found.clear();
    m_state->index.clear();
  }
  Pending& p = pending();
  std::lock_guard const lock(p.mutex);
  note();
  if (m_state) p.of_launch = std::move(m_state->left);
  if (!more_beside) p.close();
}

}  // namespace teamsan::detect
