#include <teamsan/traces/EventEncoder.hpp>

#include <algorithm>
#include <utility>

namespace teamsan::traces {

void EventEncoder::begin() {
  m_bytes.clear();
  m_scripts.begin();
  m_dictionary.clear();
  m_definitions.clear();
  m_lane = ~0u;
}

Expected* EventEncoder::enter(std::uint32_t lane) {
  if (lane == m_lane) return script().at(m_run_begin);
  put_special(Special::lane, lane);
  m_lane = lane;
  Scripts::Place const place = m_scripts.of(lane);
  m_script = place.script;
  Script& s = script();
  if (place.at == 0) s.begin();
  m_run_begin = std::min<std::size_t>(place.at, s.size());
  return s.at(m_run_begin);
}

void EventEncoder::leave(Expected* cursor) {
  end_run(cursor);
  m_scripts.of(m_lane) = {m_script, static_cast<std::uint32_t>(script().place_of(cursor))};
}

void EventEncoder::end_run(Expected const* cursor) {
  std::size_t const place = script().place_of(cursor);
  if (std::size_t const count = place - m_run_begin; count != 0) {
    put_token(Token::expected, count);
    script().count_followed(count);
  }
  m_run_begin = place;
}

Expected* EventEncoder::add(Expected* cursor, std::uint64_t key, std::uint64_t operand) {
  if (!follow(cursor, key, operand)) {
    end_run(cursor);
    Script& s = script();
    std::size_t place = m_run_begin;
    if (place == s.size() && place == Script::most) place = m_run_begin = 0;  // a long way without a meeting: once more
    if (s.at(place)->key != key)
      if (std::size_t const skipped = s.ahead(place, key); skipped != 0) {
        put_special(Special::skip, skipped);
        place += skipped;
      }
    Expected& e = *s.at(place);
    if (e.key == key) {
      // A skip may have led to what is expected: a correction of nothing then.
      std::uint64_t const difference = zigzag(static_cast<std::int64_t>(operand - (e.operand + e.stride)));
      if (difference >> 61 == 0)
        put_token(Token::corrected, difference);
      else
        put_special(Special::far, difference);
      Script::correct(e, operand);
      s.count_followed(1);
      ++place;
    } else {
      std::uint64_t const number = m_dictionary.find(key);
      put_token(Token::other, number);
      if (number == 0) put(m_bytes, key);
      Dictionary::Entry& known = number == 0 ? m_dictionary.add(key) : m_dictionary[number];
      put_signed(m_bytes, static_cast<std::int64_t>(operand - known.expected()));
      known.update(operand);
      if (place == s.size()) {
        s.append(key, operand);
        ++place;
      } else {
        s.count_other();
      }
    }
    m_run_begin = place;
    cursor = s.at(place);
  }
  if (kind_of(key) == EventKind::meet) {
    end_run(cursor);
    m_script = m_scripts.after(key);
    m_run_begin = 0;
    script().begin();
    cursor = script().at(0);
    m_scripts.of(m_lane) = {m_script, 0};
  }
  return cursor;
}

std::uint64_t EventEncoder::define(Expected*& cursor, std::string_view bytes) {
  auto const [found, fresh] = m_definitions.try_emplace(std::string(bytes), m_definitions.size());
  if (fresh) {
    end_run(cursor);
    put_special(Special::define, bytes.size());
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
  }
  return found->second;
}

}  // namespace teamsan::traces
