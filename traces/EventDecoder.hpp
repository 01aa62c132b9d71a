// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From a team's bytes back to its events, in the order in which they happened.
#pragma once

#include "Bytes.hpp"
#include "Event.hpp"
#include "Script.hpp"

#include <span>
#include <string>
#include <vector>

namespace teamsan::traces {

class EventDecoder {
 public:
  /// A team begins.
  void begin();

  /// The next piece of the team's bytes; the piece before it is read to its end. The bytes must stay where they are
  /// until then. Pieces end between tokens.
  void feed(std::span<std::uint8_t const> piece) { m_bytes = ByteReader(piece); }

  /// The next event and who did it; false: the piece is over. Throws TraceError for bytes that no encoder makes.
  bool next(std::uint32_t& lane, Event& event);

  std::string const& definition(std::uint64_t number) const;

 private:
  void correct(Script& script, std::uint64_t difference, std::uint32_t& lane, Event& event);
  void emit(std::uint64_t key, std::uint64_t operand, std::uint32_t& lane, Event& event);

  ByteReader m_bytes{{}};
  Scripts m_scripts;
  Dictionary m_dictionary;
  std::vector<std::string> m_definitions;
  bool m_any_lane = false;
  std::uint32_t m_lane = 0, m_script = 0;
  std::size_t m_place = 0;
  std::uint64_t m_run = 0;  ///< events left of the latest run
};

}  // namespace teamsan::traces
