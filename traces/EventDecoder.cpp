// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EventDecoder.hpp"

#include "TraceRecords.hpp"

#include <algorithm>

namespace teamsan::traces {

void EventDecoder::begin() {
  m_bytes = ByteReader({});
  m_scripts.begin();
  m_dictionary.clear();
  m_definitions.clear();
  m_any_lane = false;
  m_lane = m_script = 0;
  m_place = 0;
  m_run = 0;
}

std::string const& EventDecoder::definition(std::uint64_t number) const {
  if (number >= m_definitions.size()) throw TraceError("an event refers to a definition that is not there");
  return m_definitions[static_cast<std::size_t>(number)];
}

void EventDecoder::emit(std::uint64_t key, std::uint64_t operand, std::uint32_t& lane, Event& event) {
  lane = m_lane;
  event = {key, operand};
  if (!event.is_known()) throw TraceError("an event that no lane has");
  if (event.kind() != EventKind::meet) return;
  m_script = m_scripts.after(key);
  m_place = 0;
  m_scripts[m_script].begin();
}

void EventDecoder::correct(Script& s, std::uint64_t difference, std::uint32_t& lane, Event& event) {
  if (m_place == s.size() && m_place == Script::most) m_place = 0;
  if (m_place >= s.size()) throw TraceError("a correction of nothing");
  Expected& e = *s.at(m_place);
  std::uint64_t const key = e.key, operand = e.operand + e.stride + static_cast<std::uint64_t>(unzigzag(difference));
  Script::correct(e, operand);
  s.count_followed(1);
  ++m_place;
  emit(key, operand, lane, event);
}

bool EventDecoder::next(std::uint32_t& lane, Event& event) {
  for (;;) {
    Script& s = m_scripts[m_script];
    if (m_run != 0) {
      if (m_place >= s.size()) throw TraceError("more events are expected than the script has");
      Expected& e = *s.at(m_place);
      e.operand += e.stride;
      ++m_place;
      --m_run;
      emit(e.key, e.operand, lane, event);
      if (m_run != 0 && event.kind() == EventKind::meet) throw TraceError("a run goes on behind a meeting");
      return true;
    }
    if (m_bytes.empty()) return false;
    std::uint64_t const token = m_bytes.number(), number = token >> 2;
    switch (static_cast<Token>(token & 3)) {
      case Token::expected:
        m_run = number;
        s.count_followed(number);
        break;
      case Token::corrected:
        correct(s, number, lane, event);
        return true;
      case Token::other: {
        if (m_place == s.size() && m_place == Script::most) m_place = 0;
        if (number > m_dictionary.size()) throw TraceError("an event refers to a key that is not there");
        Dictionary::Entry& known = number == 0 ? m_dictionary.add(m_bytes.number()) : m_dictionary[number];
        std::uint64_t const operand = known.expected() + static_cast<std::uint64_t>(m_bytes.signed_number());
        known.update(operand);
        if (m_place == s.size()) {
          s.append(known.key, operand);
          ++m_place;
        } else {
          s.count_other();
        }
        emit(known.key, operand, lane, event);
        return true;
      }
      case Token::special:
        switch (std::uint64_t const value = m_bytes.number(); static_cast<Special>(number)) {
          case Special::lane:
            if (value >= most_lanes) throw TraceError("a lane's number is too large");
            if (m_any_lane) m_scripts.of(m_lane) = {m_script, static_cast<std::uint32_t>(m_place)};
            m_any_lane = true;
            m_lane = static_cast<std::uint32_t>(value);
            m_script = m_scripts.of(m_lane).script;
            m_place = m_scripts.of(m_lane).at;
            if (m_place == 0) m_scripts[m_script].begin();
            m_place = std::min(m_place, m_scripts[m_script].size());
            break;
          case Special::skip:
            if (m_place == s.size() && m_place == Script::most) m_place = 0;
            if (value >= Script::search || m_place + value >= s.size()) throw TraceError("a skip leads nowhere");
            m_place += value;
            break;
          case Special::define: {
            auto const text = m_bytes.bytes(value);
            m_definitions.emplace_back(reinterpret_cast<char const*>(text.data()), text.size());
            break;
          }
          case Special::far:
            correct(s, value, lane, event);
            return true;
          default:
            throw TraceError("an unknown token");
        }
        break;
    }
  }
}

}  // namespace teamsan::traces
