// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReplayedTrace.hpp"

#include "../../base/Synchronisation.hpp"
#include "../../findings/Collector.hpp"
#include "../../machine/RunningTeam.hpp"

#include <fmt/format.h>

#include <utility>

namespace teamsan::trace {

using namespace traces;

Options recorded_options(RunRecord const& run, std::string const& file) {
  try {
    return parse_recorded_options(run.options);
  } catch (OptionError const& error) {
    throw TraceError(fmt::format("the trace \"{}\" was recorded with options that are none: {}", file, error.what()));
  }
}

ReplayedTrace::ReplayedTrace(std::string const& file) : m_reader(file) {
  m_program.ask_for_damage([this] { return m_damaged; });
}

bool ReplayedTrace::read(Position& at, TraceRecord& record) {
  m_reader.seek(at);
  m_admission.spend(1 + record.bytes.size() / 64);
  if (!m_reader.next(record)) return false;
  at = m_reader.position();
  return true;
}

void ReplayedTrace::learn(RunRecord const& run) {
  m_program.learn(run);
  m_meetings.assign(run.meetings.size(), ~0u);
  for (std::size_t i = synchronisation_count(); i-- != 0;)
    for (std::size_t m = 0; m != m_meetings.size(); ++m)
      if (synchronisation(static_cast<Meeting>(i)).construct == run.meetings[m].construct)
        m_meetings[m] = static_cast<std::uint32_t>(i);
  m_of_this_device = recorded_options(run, name()).m_device == options().m_device;
}

std::uint32_t ReplayedTrace::meeting_now(std::uint32_t recorded) const {
  return recorded < m_meetings.size() ? m_meetings[recorded] : ~0u;
}

void ReplayedTrace::note_damage(std::exception const& error) { note_damage(damage_of(name(), error)); }

void ReplayedTrace::note_damage_of_file() {
  if (!m_reader.damage().empty()) note_damage(m_reader.damage());
}

void ReplayedTrace::note_damage(std::string const& sentence) {
  if (!std::exchange(m_damaged, true)) Collector::instance().note(sentence);
  if (hot.team != nullptr) running_team().leave_unchecked();
}

}  // namespace teamsan::trace
