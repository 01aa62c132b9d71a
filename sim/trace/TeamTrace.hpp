// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the lanes of one running team do, as bytes for the trace. The callbacks follow the team's script themselves
/// (check/Watched.hpp); all other events come here.
#pragma once

#include "../../traces/Site.hpp"
#include "../memory/Hot.hpp"
#include "Fields.hpp"
#include "OpenAtomic.hpp"
#include "Recorder.hpp"
#include "../../traces/EventEncoder.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teamsan::trace {

using traces::EventKind;

class TeamTrace {
 public:
  /// `when_full` is called when the bytes so far should go to the trace.
  explicit TeamTrace(std::function<void()> when_full) : m_when_full(std::move(when_full)) {}

  void begin();

  /// The running lane: hot.trace_next is its cursor from here on.
  void enter(std::uint32_t lane) {
    hot.team_trace = this;
    hot.trace_next = m_encoder.enter(lane);
  }
  void leave() {
    close_atomic();
    m_encoder.leave(hot.trace_next);
    hot.trace_next = nullptr;
  }

  void add(std::uint64_t key, std::uint64_t operand) {
    close_atomic();
    put(key, operand);
  }
  std::uint64_t define(std::string_view bytes) {
    close_atomic();
    return m_encoder.define(hot.trace_next, bytes);
  }

  /// The running lane makes an atomic: what becomes of it joins its event, which is put once the lane does anything else. Until
  /// then nothing is as the callbacks expect.
  void open_atomic(AtomicDeed const& deed) {
    close_atomic();
    m_atomic.open(deed);
    m_next_behind_atomic = std::exchange(hot.trace_next, &m_unexpected);
  }
  /// A step of that atomic?
  bool is_of_atomic(std::uint64_t key, std::uint64_t operand) { return m_atomic.take(key, operand); }

  void note_places(std::vector<Site> const& sites) {
    m_more_sites.insert(m_more_sites.end(), sites.begin(), sites.end());
  }

  /// What was recorded since the last call joins `to`.
  void take(TeamRecording& to);

 private:
  static constexpr std::size_t piece_bytes = 128 * 1024;

  void put(std::uint64_t key, std::uint64_t operand) {
    hot.trace_next = m_encoder.add(hot.trace_next, key, operand);
    if (m_encoder.size() >= piece_bytes) m_when_full();
  }
  void close_atomic() {
    if (!m_atomic.is_open()) return;
    hot.trace_next = m_next_behind_atomic;
    m_atomic.close([this](std::uint64_t key, std::uint64_t operand) { put(key, operand); });
  }

  std::function<void()> m_when_full;
  traces::EventEncoder m_encoder;
  OpenAtomic m_atomic;
  traces::Expected m_unexpected{};  ///< no event has its key
  traces::Expected* m_next_behind_atomic = nullptr;
  std::size_t m_keys_taken = 0;
  std::vector<Site> m_more_sites;
};

/// An event of the running lane that is no access, if it is recorded.
[[gnu::cold]] void note_slowly(std::uint64_t key, std::uint64_t operand);
[[gnu::always_inline]] inline void note(EventKind kind, Site site = {}, std::uint64_t operand = 0,
                                        std::uint64_t detail = 0) {
  if (hot.trace_next != nullptr) [[unlikely]] note_slowly(traces::event_key(kind, site, detail), operand);
}
/// An atomic is about to be carried out: what is noted of it from here on joins its event. Call it if hot.trace_next is set.
[[gnu::cold]] void note_atomic(AtomicDeed const& deed);
/// The same for an event that refers to a definition. Call it if hot.trace_next is set.
[[gnu::cold]] void note_defined(EventKind kind, Site site, std::string_view definition,
                                std::uint64_t detail = 0);
/// Places in the code that a definition names.
[[gnu::cold]] void note_places(std::vector<Site> const& sites);

/// An access by the callbacks that the script did not expect. Those that nobody looks at are not recorded.
[[gnu::cold]] void note_access(std::uint64_t key, std::uintptr_t address);
/// An exception left the kernel, or a signal ended it. Call it if hot.trace_next is set.
void note_end(EventKind kind, LaneEnd const& end);
/// A range of bytes.
void note_range(EventKind kind, std::uintptr_t address, std::size_t bytes, Site site);

}  // namespace teamsan::trace
