// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OrderedTeams.hpp"

#include "../base/Synchronisation.hpp"
#include "../places/AtomicCode.hpp"

#include <algorithm>
#include <bit>

namespace teamsan::detect {

OrderedTeams::OrderedTeams(CommitContext& context, std::uint64_t league_rank, TeamShadow const& shadow)
    : m_context(context),
      m_league_rank(league_rank),
      m_team(static_cast<std::uint32_t>(league_rank)),
      m_shadow(shadow),
      m_on(!context.wide_league && context.atomic_order->used()),
      m_log(m_on ? context.atomic_order->find(league_rank) : nullptr) {}

AtomicOrder::Log const* OrderedTeams::log_of(std::uint32_t team) {
  KnownLog& known = m_known_logs[team % m_known_logs.size()];
  if (known.team != team + 1) known = {team + 1, m_context.atomic_order->find(team)};
  return known.log;
}

std::uint32_t OrderedTeams::tick_of(Mark const& mark) {
  // A read that was forgotten is kept as an earlier one.
  if (who::stamp(mark.who) == who::forgotten && sync_mode() != Sync::cuda) return AtomicOrder::unknown_tick;
  return std::min(mark.who >> who::stamp_shift, AtomicOrder::unknown_tick);
}

bool OrderedTeams::at_one_time(Mark const& a, Mark const& b) const {
  if (m_log == nullptr) return true;
  auto const lane = [&](Mark const& m) { return m_log->normal({who::lane(m.who), 0}).lane; };
  return lone_tick_of(a) == lone_tick_of(b) && lane(a) == lane(b);
}

std::uint32_t OrderedTeams::lone_tick_of(Mark const& mark) {
  return mark.who & (who::redundant | who::result) ? AtomicOrder::unknown_tick : tick_of(mark);
}

bool OrderedTeams::concerns(std::uintptr_t word_address, GlobalWord const& g) {
  bool const others = (g.written | g.read) != 0 && (g.team != m_team || g.split);
  return others && (m_log != nullptr || log_of(static_cast<std::uint32_t>(g.team)) != nullptr ||
                    m_context.shared_words.of(word_address) != nullptr);
}

void OrderedTeams::collect(Mark const& mark, std::uint32_t bytes, bool writes) {
  if (!who::touched(mark.who)) return;
  PastAccess const access{m_team,
                          static_cast<std::uint16_t>(who::lane(mark.who)),
                          static_cast<std::uint16_t>(tick_of(mark)),
                          mark.site,
                          static_cast<std::uint8_t>(bytes),
                          writes,
                          (mark.who & who::atomic) != 0,
                          alike(mark.who, writes)};
  for (PastAccess& known : m_mine)
    if (known.lane == access.lane && known.tick == access.tick && known.site == access.site && known.writes == access.writes &&
        known.atomic == access.atomic && known.alike == access.alike) {
      known.bytes |= access.bytes;
      return;
    }
  m_mine.push_back(access);
}

void OrderedTeams::collect(Mark const& first, Mark const& second, std::uint32_t bytes, bool writes) {
  collect(first, bytes, writes);
  if (first.who >= who::bytewise || !(first.who & (who::several | who::many))) return;
  collect({second.site, second.who | (first.who & (who::redundant | who::result))}, bytes, writes);
}

/// All that the team did to the word, as far as it differs.
void OrderedTeams::collect(Line const& line, unsigned w) {
  m_mine.clear();
  auto const cell = [&](Cell const& first, Cell const& second, unsigned byte, std::uint32_t bytes) {
    collect(first.write, second.write, bytes, true);
    collect(first.read, second.read, bytes, false);
    for (bool const writes : {true, false})
      if (Mark const* const plain = m_shadow.kept_plain(line, byte, writes)) collect(*plain, bytes, writes);
  };
  if (line.per_byte == nullptr) {
    cell(line.word(w), line.second_of_word(w), 4 * w, 15);
  } else {
    for (unsigned b = 0; b != 4; ++b)
      cell(line.per_byte->first[4 * w + b], line.per_byte->second[4 * w + b], 4 * w + b, 1u << b);
  }
  m_shadow.for_each_earlier(
      line, w, [&](EarlierMark const& e) { collect(e.mark, ((1u << e.bytes) - 1) << e.byte, e.writes); });
}

void OrderedTeams::collect_first_team(std::uintptr_t word_address, GlobalWord const& g) {
  m_theirs.clear();
  auto const add = [&](GlobalWord const& part) {
    if (part.team == m_team) return;
    auto const team = static_cast<std::uint32_t>(part.team);
    // Bytes may be other instructions'.
    auto const by_site = [&](std::uint32_t bytes, std::uint32_t number, PastAccess access) {
      while (bytes != 0) {
        access.site = m_context.sites.site(number, static_cast<unsigned>(std::countr_zero(bytes)));
        access.bytes = 0;
        for (unsigned b = 0; b != 4; ++b)
          if ((bytes >> b & 1) != 0 && m_context.sites.site(number, b) == access.site)
            access.bytes = static_cast<std::uint8_t>(access.bytes | 1u << b);
        bytes &= ~std::uint32_t{access.bytes};
        m_theirs.push_back(access);
      }
    };
    by_site(part.written_by_first(), part.write_site,
            {team, static_cast<std::uint16_t>(part.write_lane), static_cast<std::uint16_t>(part.write_tick), Site{}, 0, true,
             part.write_atomic});
    by_site(part.read, part.read_site,
            {team, static_cast<std::uint16_t>(part.read_lane), static_cast<std::uint16_t>(part.read_tick), Site{}, 0, false,
             part.read_atomic, AtomicOrder::Alike::thread});
  };
  if (!g.split) return add(g);
  GlobalWord const* const parts = global_shadow::split_word(word_address);
  for (unsigned b = 0; b != 4; ++b) add(parts[b]);
}

std::optional<OrderedTeams::Conflict> OrderedTeams::judge(std::uintptr_t word_address, GlobalWord const& g,
                                                          Line const& line, unsigned w) {
  collect(line, w);
  collect_first_team(word_address, g);
  if (auto const* const others = m_context.shared_words.of(word_address))
    m_theirs.insert(m_theirs.end(), others->begin(), others->end());
  std::optional<Conflict> conflict;
  for (PastAccess const& theirs : m_theirs) {
    for (PastAccess const& mine : m_mine)
      if (!conflict && races(theirs, mine))
        conflict = {theirs, mine, m_log != nullptr && log_of(theirs.team) != nullptr};
  }
  auto const lacks = [&](PastAccess const& mine) { return m_context.shared_words.lacks_some_for(word_address, mine); };
  if (!conflict && std::any_of(m_mine.begin(), m_mine.end(), lacks))
    m_context.not_judged.add(Shortfall::word_accesses, m_league_rank);
  bool writes = false;
  for (PastAccess const& mine : m_mine) {
    m_context.shared_words.add(word_address, mine);
    writes |= mine.writes;
  }
  if (writes && g.init != 15 && !m_context.uninit->has_word(word_address))
    m_context.shared_words.note_blind_write(word_address);
  return conflict;
}

void OrderedTeams::keep(std::uintptr_t word_address, Line const& line, unsigned w) {
  collect(line, w);
  unsigned twice = 0, once[2] = {0, 0};
  bool stores_alike = false;
  for (PastAccess const& mine : m_mine) {
    twice |= once[mine.writes] & mine.bytes;
    once[mine.writes] |= mine.bytes;
    stores_alike |= mine.writes && mine.alike != AtomicOrder::Alike::none;
  }
  if (twice == 0 && !stores_alike) return;
  for (PastAccess const& mine : m_mine) m_context.shared_words.add(word_address, mine);
}

void OrderedTeams::keep_first_team(std::uintptr_t word_address, GlobalWord const& g) {
  collect_first_team(word_address, g);
  for (PastAccess const& theirs : m_theirs) m_context.shared_words.add(word_address, theirs);
}

bool OrderedTeams::races(PastAccess const& theirs, PastAccess const& mine) {
  if (theirs.team == m_team || (theirs.bytes & mine.bytes) == 0 || !(theirs.writes || mine.writes)) return false;
  auto const kind = [](PastAccess const& a) { return access_kind(a.writes, is_part_of_atomic(a.atomic, a.site)); };
  return conflict(kind(theirs), kind(mine)) && !ordered(theirs, mine);
}

bool OrderedTeams::ordered(PastAccess const& theirs, PastAccess const& mine) {
  AtomicOrder::Log const* const other = log_of(theirs.team);
  if (m_log == nullptr || other == nullptr) return false;
  AtomicOrder::Moment const x = other->normal({theirs.lane, theirs.tick, theirs.atomic, theirs.alike});
  AtomicOrder::Moment const y = m_log->normal({mine.lane, mine.tick, mine.atomic, mine.alike});
  std::uint64_t const question = AtomicOrder::question(theirs.team, x, m_league_rank, y);
  if (m_context.recorded_verdicts != nullptr) {
    auto const found = m_context.recorded_verdicts->find(question);
    return found == m_context.recorded_verdicts->end() || found->second;  // nobody asked then: who knows
  }
  Answer& known = m_answers[question % m_answers.size()];
  if (known.question == question) return known.ordered;
  auto const [answer, fresh] = m_context.verdicts->try_emplace(question, false);
  if (fresh) answer->second = m_context.atomic_order->orders(other, x, m_log, y);
  known = {question, answer->second};
  return answer->second;
}

}  // namespace teamsan::detect
