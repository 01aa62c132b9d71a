// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of a launch, numbered for the global shadow, which has no room for 32 bits of each.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/PatientMutex.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace teamsan {
struct LaneTable;
}

namespace teamsan::detect {

/// 0 stands for "unknown" once numbers have run out. Any worker may ask.
class SiteTable {
 public:
  std::uint32_t id(Site site);
  /// Of a word whose bytes are different instructions': those by byte, none where there is none. They are one number.
  using Bytes = std::array<Site, 4>;
  std::uint32_t id(Bytes const& sites);
  /// Of several, the first one.
  Site site(std::uint32_t id) const;
  Site site(std::uint32_t id, unsigned byte) const;
  /// Of a launch of which one worker alone runs teams just now.
  std::vector<Site> const& sites() const { return m_sites; }
  std::uint32_t count() const { return m_count.load(std::memory_order_relaxed); }
  /// Numbers have run out.
  bool full() const { return m_full; }
  /// No other table of the program has it.
  std::uint64_t number() const { return m_number; }

 private:
  friend struct teamsan::LaneTable;
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> latest{0};
    return latest.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  std::uint64_t const m_number = next_number();
  Site site_of(std::uint32_t id) const;
  mutable PatientMutex m_mutex;
  std::unordered_map<Site, std::uint32_t> m_ids;
  std::vector<Site> m_sites{Site{}};
  std::map<Bytes, std::uint32_t> m_ids_of_bytes;
  std::unordered_map<std::uint32_t, Bytes> m_bytes;
  std::atomic<std::uint32_t> m_count{0};
  std::atomic<bool> m_full{false};
};

/// Its numbers as one thread remembers them.
class KnownSites {
 public:
  explicit KnownSites(SiteTable& table) : m_table(table) {}
  /// This thread's, of the table that it asked last: what it has learnt from one team serves the next.
  static KnownSites& of_this_thread(SiteTable& table) {
    thread_local std::optional<KnownSites> known;
    if (!known || known->m_number != table.number()) known.emplace(table);
    return *known;
  }
  std::uint32_t id(Site site) {
    Recent& recent = m_recent[(number_of(site) ^ number_of(site) >> 8) & 255];
    if (recent.site != site) recent = {site, m_table.id(site)};
    return recent.id;
  }
  std::uint32_t id(SiteTable::Bytes const& sites) { return m_table.id(sites); }

 private:
  struct Recent {
    Site site{};
    std::uint32_t id = 0;
  };
  SiteTable& m_table;
  std::uint64_t const m_number = m_table.number();
  Recent m_recent[256];
};

}  // namespace teamsan::detect
