/// From the events of a team's lanes, in the order in which they happened, to bytes. The hot part is in the header and
/// writes nothing: an event that the script expects moves a cursor.
#pragma once

#include <teamsan/traces/Bytes.hpp>
#include <teamsan/traces/Event.hpp>
#include <teamsan/traces/Script.hpp>

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

  /// What the team did so far, as bytes, without what took_bytes() has taken. Between leave() and enter() all is there.
  Bytes const& bytes() const { return m_bytes; }
  Bytes take_bytes() { return std::exchange(m_bytes, {}); }

  /// Keys that appeared, in the order of their appearance.
  std::vector<Dictionary::Entry> const& keys() const { return m_dictionary.entries(); }

 private:
  Script& script() { return m_scripts[m_script]; }
  void put_token(Token token, std::uint64_t number) { put(m_bytes, number << 2 | static_cast<unsigned>(token)); }
  void put_special(Special special, std::uint64_t number) {
    put_token(Token::special, static_cast<unsigned>(special));
    put(m_bytes, number);
  }
  void end_run(Expected const* cursor);

  Bytes m_bytes;
  Scripts m_scripts;
  Dictionary m_dictionary;
  std::unordered_map<std::string, std::uint64_t> m_definitions;
  std::uint32_t m_lane = 0;    ///< that ran last
  std::uint32_t m_script = 0;  ///< that it follows
  std::size_t m_run_begin = 0;
};

}  // namespace teamsan::traces
