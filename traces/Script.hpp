// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a lane is expected to do next. Lanes of a team do much the same between two meetings, at addresses that differ
/// by the same distance from lane to lane: a script is what the lanes before did, entry by entry, with that distance. An
/// event that is as expected costs nothing but a count. Encoder and decoder keep the same scripts, each from what the
/// bytes say alone.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace teamsan::traces {

struct Expected {
  std::uint64_t key;
  std::uint64_t operand;    ///< of the latest lane
  std::uint64_t stride;     ///< to the next lane
  std::uint64_t candidate;  ///< distance that was seen last; a stride must be seen twice, but for the first
};
static_assert(sizeof(Expected) == 32);

class Script {
 public:
  static constexpr std::size_t most = 1 << 15;
  static constexpr std::size_t search = 32;
  static constexpr std::uint64_t no_candidate = std::uint64_t{1} << 63;

  Script() { m_entries.push_back({}); }

  std::size_t size() const { return m_entries.size() - 1; }
  /// The entry at that place; the one behind the last has key 0.
  Expected* at(std::size_t place) { return m_entries.data() + place; }
  std::size_t place_of(Expected const* entry) const { return static_cast<std::size_t>(entry - m_entries.data()); }

  /// A lane begins: a script that most lanes did not follow is written anew.
  void begin() {
    if (m_others > m_followed) {
      m_entries.assign(1, {});
      m_others = m_followed = 0;
    }
    if (m_followed > 1u << 20) m_followed = m_others = 0;
  }
  void count_followed(std::uint64_t events) { m_followed += events; }
  void count_other() { ++m_others; }

  void append(std::uint64_t key, std::uint64_t operand) {
    m_entries.back() = {key, operand, 0, no_candidate};
    m_entries.push_back({});
  }

  /// The distance of the next entry with that key from `place`; 0 if there is none near, or it is there.
  std::size_t ahead(std::size_t place, std::uint64_t key) const {
    for (std::size_t i = 1; i != search && place + i < size(); ++i)
      if (m_entries[place + i].key == key) return i;
    return 0;
  }

  /// The entry's event came with another operand.
  static void correct(Expected& e, std::uint64_t operand) {
    std::uint64_t const distance = operand - e.operand;
    if (e.candidate == no_candidate || e.candidate == distance) e.stride = distance;
    e.candidate = distance;
    e.operand = operand;
  }

 private:
  std::vector<Expected> m_entries;
  std::uint64_t m_followed = 0, m_others = 0;
};

/// The scripts of a team by the meeting from which lanes go on, and where each lane is.
class Scripts {
 public:
  static constexpr std::size_t most = 64;

  void begin() {
    m_by_meeting.clear();
    m_scripts.clear();
    m_lanes.clear();
    m_scripts.emplace_back();
    m_by_meeting.emplace(0, 0);
  }
  struct Place {
    std::uint32_t script = 0;
    std::uint32_t at = 0;
  };
  Place& of(std::uint32_t lane) {
    if (lane >= m_lanes.size()) m_lanes.resize(lane + 1);
    return m_lanes[lane];
  }
  Script& operator[](std::uint32_t script) { return m_scripts[script]; }

  /// Which one a lane follows that has passed the meeting with that key.
  std::uint32_t after(std::uint64_t meeting) {
    auto const [found, fresh] = m_by_meeting.try_emplace(meeting, static_cast<std::uint32_t>(m_scripts.size()));
    if (fresh) {
      if (m_scripts.size() == most)
        found->second = static_cast<std::uint32_t>(m_by_meeting.size() % most);
      else
        m_scripts.emplace_back();
    }
    return found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> m_by_meeting;
  std::vector<Script> m_scripts;
  std::vector<Place> m_lanes;
};

/// Events that no script expects, by key, with what to add to the latest operand.
class Dictionary {
 public:
  struct Entry {
    std::uint64_t key, operand = 0, stride = 0;
    std::uint64_t expected() const { return operand + stride; }
    void update(std::uint64_t now) {
      stride = now - operand;
      operand = now;
    }
  };
  void clear() {
    m_entries.clear();
    m_index.clear();
  }
  /// Its number from 1 on; 0: not known yet.
  std::uint64_t find(std::uint64_t key) const {
    auto const found = m_index.find(key);
    return found == m_index.end() ? 0 : found->second;
  }
  Entry& add(std::uint64_t key) {
    m_index.emplace(key, m_entries.size() + 1);
    return m_entries.emplace_back(Entry{key});
  }
  std::size_t size() const { return m_entries.size(); }
  Entry& operator[](std::uint64_t number) { return m_entries[static_cast<std::size_t>(number - 1)]; }
  std::vector<Entry> const& entries() const { return m_entries; }

 private:
  std::vector<Entry> m_entries;
  std::unordered_map<std::uint64_t, std::uint64_t> m_index;
};

/// What a token of a team's bytes says: the two low bits; the rest is its number.
enum class Token : std::uint8_t {
  expected,   ///< that many events as the script has them
  corrected,  ///< the script's next event, with another operand: the zigzagged difference
  other,      ///< an event of the dictionary, by number, or a new key (0), then the difference of its operand
  special     ///< see Special
};
enum class Special : std::uint8_t {
  lane,    ///< the lane that runs from here on
  skip,    ///< that many entries of the script did not happen
  define,  ///< a definition: its bytes; numbered from 0 in the team
  far,     ///< a correction whose number does not fit a token
};

}  // namespace teamsan::traces
