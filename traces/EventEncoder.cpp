// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EventEncoder.hpp"

#include <algorithm>
#include <cstring>

namespace teamsan::traces {

void EventEncoder::begin() {
  m_used = 0;
  m_scripts.begin();
  m_dictionary.clear();
  m_definitions.clear();
  m_lane = ~0u;
  m_meeting = 0;
  follow_script(0);
  m_run_begin = 0;
}

void EventEncoder::follow_script(std::uint32_t number) {
  m_script_number = number;
  m_script = &m_scripts[number];
}

Expected* EventEncoder::enter(std::uint32_t lane) {
  if (lane == m_lane) return script().at(m_run_begin);
  make_room(most_of_a_step);
  put_special(Special::lane, lane);
  m_lane = lane;
  Scripts::Place const place = m_scripts.of(lane);
  follow_script(place.script);
  Script& s = script();
  if (place.at == 0) s.begin();
  m_run_begin = std::min<std::size_t>(place.at, s.size());
  return s.at(m_run_begin);
}

void EventEncoder::leave(Expected* cursor) {
  make_room(most_of_a_step);
  end_run(cursor);
  m_scripts.of(m_lane) = {m_script_number, static_cast<std::uint32_t>(m_run_begin)};
}

void EventEncoder::end_run(Expected const* cursor) {
  std::size_t const place = script().place_of(cursor);
  if (std::size_t const count = place - m_run_begin; count != 0) {
    put_token(Token::expected, count);
    script().count_followed(count);
  }
  m_run_begin = place;
}

void EventEncoder::correct(Expected& e, std::uint64_t operand) {
  std::uint64_t const difference = zigzag(static_cast<std::int64_t>(operand - (e.operand + e.stride)));
  if (difference >> 61 == 0)
    put_token(Token::corrected, difference);
  else
    put_special(Special::far, difference);
  Script::correct(e, operand);
  script().count_followed(1);
}

Expected* EventEncoder::add(Expected* cursor, std::uint64_t key, std::uint64_t operand) {
  make_room(most_of_a_step);
  if (!follow(cursor, key, operand)) {
    end_run(cursor);
    if (cursor->key == key) {
      correct(*cursor, operand);
      ++cursor;
      ++m_run_begin;
    } else {
      cursor = add_elsewhere(key, operand);
    }
  }
  if (kind_of(key) != EventKind::meet) return cursor;
  end_run(cursor);
  if (key != m_meeting) {
    m_meeting = key;
    m_after_meeting = m_scripts.after(key);
  }
  follow_script(m_after_meeting);
  m_run_begin = 0;
  script().begin();
  return script().at(0);
}

/// The event is not the script's next one.
Expected* EventEncoder::add_elsewhere(std::uint64_t key, std::uint64_t operand) {
  Script& s = script();
  std::size_t place = m_run_begin;
  if (place == s.size() && place == Script::most) place = 0;  // a long way without a meeting: once more
  if (s.at(place)->key != key)
    if (std::size_t const skipped = s.ahead(place, key); skipped != 0) {
      put_special(Special::skip, skipped);
      place += skipped;
    }
  if (Expected& e = *s.at(place); e.key == key) {
    correct(e, operand);  // of nothing, if the entry is as expected
    ++place;
  } else {
    std::uint64_t const number = m_dictionary.find(key);
    put_token(Token::other, number);
    if (number == 0) put_number(key);
    Dictionary::Entry& known = number == 0 ? m_dictionary.add(key) : m_dictionary[number];
    put_number(zigzag(static_cast<std::int64_t>(operand - known.expected())));
    known.update(operand);
    if (place == s.size()) {
      s.append(key, operand);
      ++place;
    } else {
      s.count_other();
    }
  }
  m_run_begin = place;
  return s.at(place);
}

std::uint64_t EventEncoder::define(Expected*& cursor, std::string_view bytes) {
  auto const [found, fresh] = m_definitions.try_emplace(std::string(bytes), m_definitions.size());
  if (fresh) {
    make_room(most_of_a_step + bytes.size());
    end_run(cursor);
    put_special(Special::define, bytes.size());
    std::memcpy(m_bytes.data() + m_used, bytes.data(), bytes.size());
    m_used += bytes.size();
  }
  return found->second;
}

}  // namespace teamsan::traces
