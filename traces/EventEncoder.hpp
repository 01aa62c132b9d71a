// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From the events of a team's lanes, in the order in which they happened, to bytes. The hot part is in the header and
/// writes nothing: an event that the script expects moves a cursor.
#pragma once

#include "Bytes.hpp"
#include "Event.hpp"
#include "Script.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace teamsan::traces {

/// Moves on if the event (none that is a meeting) is as expected; else nothing changes and it must go to
/// EventEncoder::add.
[[gnu::always_inline]] inline bool follow(Expected*& cursor, std::uint64_t key, std::uint64_t operand) {
  Expected* const e = cursor;
  if (e->key != key || e->operand + e->stride != operand) [[unlikely]] return false;
  e->operand = operand;
  cursor = e + 1;
  return true;
}

class EventEncoder {
 public:
  /// A team begins.
  void begin();

  /// The lane runs from here on. Returns its cursor, which add() and leave() take.
  Expected* enter(std::uint32_t lane);
  /// It does no more for now.
  void leave(Expected* cursor);

  /// Any event of the running lane. Returns the cursor.
  Expected* add(Expected* cursor, std::uint64_t key, std::uint64_t operand);

  /// The number by which events refer to these bytes; equal bytes get the same one.
  std::uint64_t define(Expected*& cursor, std::string_view bytes);

  /// How many bytes there are. Between leave() and enter() all that the team did is in them.
  std::size_t size() const { return m_used; }
  /// Takes them; those of what comes next follow them.
  Bytes take_bytes() {
    Bytes result(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_used));
    m_used = 0;
    return result;
  }

  /// Keys that appeared, in the order of their appearance.
  std::vector<Dictionary::Entry> const& keys() const { return m_dictionary.entries(); }

 private:
  /// No step writes more at once, definitions apart.
  static constexpr std::size_t most_of_a_step = 64;

  Script& script() { return *m_script; }
  void make_room(std::size_t bytes) {
    if (m_used + bytes > m_bytes.size()) [[unlikely]] m_bytes.resize(2 * m_bytes.size() + bytes);
  }
  void put_number(std::uint64_t value) {
    std::uint8_t* p = m_bytes.data() + m_used;
    while (value >= 0x80) {
      *p++ = static_cast<std::uint8_t>(value | 0x80);
      value >>= 7;
    }
    *p++ = static_cast<std::uint8_t>(value);
    m_used = static_cast<std::size_t>(p - m_bytes.data());
  }
  void put_token(Token token, std::uint64_t number) { put_number(number << 2 | static_cast<unsigned>(token)); }
  void put_special(Special special, std::uint64_t number) {
    put_token(Token::special, static_cast<unsigned>(special));
    put_number(number);
  }
  /// Events that were as expected since the last token.
  void end_run(Expected const* cursor);
  void correct(Expected& e, std::uint64_t operand);
  Expected* add_elsewhere(std::uint64_t key, std::uint64_t operand);
  void follow_script(std::uint32_t number);

  Bytes m_bytes;
  std::size_t m_used = 0;
  Scripts m_scripts;
  Dictionary m_dictionary;
  std::unordered_map<std::string, std::uint64_t> m_definitions;
  std::uint32_t m_lane = 0;           ///< that ran last
  std::uint32_t m_script_number = 0;  ///< that it follows
  Script* m_script = nullptr;
  std::size_t m_run_begin = 0;
  std::uint64_t m_meeting = 0;        ///< that was passed last, by any lane
  std::uint32_t m_after_meeting = 0;  ///< the script from there
};

}  // namespace teamsan::traces
