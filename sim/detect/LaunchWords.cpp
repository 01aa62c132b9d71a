// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchWords.hpp"

#include "LaunchChecks.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/GlobalShadow.hpp"

namespace teamsan::detect {

LaunchWords LaunchWords::for_later(LaunchState const& launch) {
  LaunchWords words;
  words.m_epoch = launch.epoch;
  words.m_lanes = launch.facts.config.team_size;
  words.m_wide = launch.facts.config.league_size - 1 > global_shadow::max_team;
  words.m_sites = launch.checks->instructions();
  if (launch.is_flat) words.m_flat = launch.flat;
  return words;
}

bool LaunchWords::settle() {
  if (m_flat != nullptr && m_flat->epoch() != m_epoch) return false;
  if (m_flat != nullptr && m_flat_sites.empty()) m_flat_sites = m_flat->sites();
  return m_epoch != 0;
}

Site LaunchWords::first_site(std::uintptr_t word, FlatWord flat) const {
  if (flat.place() < m_flat_sites.size()) return m_flat_sites[flat.place()];
  return m_flat != nullptr && m_flat->epoch() == m_epoch ? m_flat->first_site(word, flat) : Site{};
}

LaunchWords::LaunchWords(LaunchState const& launch) : LaunchWords(for_later(launch)) { settle(); }

std::optional<WordAccess> LaunchWords::find(std::uintptr_t word, bool a_read) const {
  if (m_epoch == 0) return {};
  std::uint64_t const main = *global_shadow::cell(word);
  if (((main ^ m_epoch) & FlatWord::launch_mask) != 0) return {};
  FlatWord const flat(main);
  if (flat.is_parted(FlatWord::of_lane(m_epoch, 0))) return of_bytes(word, a_read);
  if (flat.is_flat()) {
    Site const site = first_site(word, flat);
    if (a_read || flat.is_aside() || flat.is_busy() || site == Site{}) return {};
    bool const updated = flat.is_updated();
    return WordAccess{flat.lane() / m_lanes, flat.lane() % m_lanes, site, flat.is_written() || updated, updated};
  }
  GlobalWord const w = global_shadow::load(word, m_wide);
  bool const writes = w.written != 0 && !a_read;
  std::uint32_t const number = writes ? w.write_site : w.read_site;
  if (w.split || w.raced || (!writes && w.read == 0) || number >= m_sites.size()) return {};
  return WordAccess{w.team, writes ? w.write_lane : w.read_lane, m_sites[number], writes,
                    writes ? w.write_atomic : w.read_atomic, static_cast<std::uint8_t>(writes ? w.written : w.read), true};
}

/// Of bytes that lanes of several teams touched nothing is told, as of others' words.
std::optional<WordAccess> LaunchWords::of_bytes(std::uintptr_t word, bool a_read) const {
  if (m_flat == nullptr || m_flat->epoch() != m_epoch) return {};
  FlatShadow::Word const known = m_flat->known_of(word);
  if (known.parts == nullptr) return {};
  FlatShadow::Mark one, first[2];
  std::uint8_t bytes[2]{};
  bool atomic = false;
  for (unsigned b = 0; b != 4; ++b)
    for (AccessKind const kind : {AccessKind::read, AccessKind::write, AccessKind::atomic_write}) {
      FlatShadow::Accesses const& of_byte = (*known.parts)[b][kind];
      if (!of_byte.first) continue;
      if (one && one.lane / m_lanes != of_byte.first.lane / m_lanes) return {};
      one = of_byte.first;
      bool const writes = is_write(kind);
      bytes[writes] |= static_cast<std::uint8_t>(1u << b);
      atomic = atomic || is_atomic(kind);
      if (one.lane < first[writes].lane) first[writes] = one;
    }
  bool const writes = bytes[1] != 0 && !a_read;
  FlatShadow::Mark const mark = first[writes];
  if (!mark || mark.site == Site{}) return {};
  return WordAccess{mark.lane / m_lanes, mark.lane % m_lanes, mark.site, writes, writes && atomic, bytes[writes], true};
}

bool LaunchWords::may_be_written(std::uintptr_t word) const {
  std::uint64_t const main = *global_shadow::cell(word);
  if (m_epoch == 0 || ((main ^ m_epoch) & FlatWord::launch_mask) != 0) return m_epoch == 0;
  FlatWord const flat(main);
  if (flat.is_parted(FlatWord::of_lane(m_epoch, 0))) return flat.bytes_written() != 0;
  if (flat.is_flat()) return flat.is_aside() || flat.is_busy() || flat.is_written() || flat.is_updated();
  GlobalWord const w = global_shadow::load(word, m_wide);
  return w.written != 0 || w.split || w.raced;
}

}  // namespace teamsan::detect
