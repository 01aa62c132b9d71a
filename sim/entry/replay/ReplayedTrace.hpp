// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The trace that is replayed: its records from any place on, each counted against what a file of its size may ask for; what it
/// says of its program; and whether something in it was found wrong, from where on nothing of it is done any more.
#pragma once

#include "../../base/Options.hpp"
#include "Admission.hpp"
#include "RecordedProgram.hpp"
#include "../../../traces/TraceError.hpp"
#include "../../../traces/TraceFile.hpp"
#include "../../../traces/TraceRecords.hpp"

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

namespace teamsan::trace {

/// As the run had them, but for what names files: the trace may be somebody else's. Throws traces::TraceError.
Options recorded_options(traces::RunRecord const& run, std::string const& file);

class ReplayedTrace {
 public:
  /// Throws traces::TraceError if the file is no trace.
  explicit ReplayedTrace(std::string const& file);

  std::string const& name() const { return m_reader.name(); }
  RecordedProgram& program() { return m_program; }
  Admission& admission() { return m_admission; }

  /// Where the first record stands.
  traces::Position begin() const { return m_begin; }
  /// The record at that place, which moves behind it; false: the trace is over.
  bool read(traces::Position& at, traces::TraceRecord& record);

  /// How the trace was recorded.
  void learn(traces::RunRecord const& run);
  /// On a device of the same name as the one that is simulated now; else this replay is a what-if.
  bool is_of_this_device() const { return m_of_this_device; }
  /// The construct (a Meeting) that the trace's `meet` events give that number; ~0u: none that this TeamSan knows.
  std::uint32_t meeting_now(std::uint32_t recorded) const;

  bool damaged() const { return m_damaged; }
  /// Of the team whose turn it is nothing counts.
  void note_damage(std::exception const& error);
  /// What the reader found wrong with the file, if anything.
  void note_damage_of_file();
  void set_damaged() { m_damaged = true; }

  /// f(), which reads the trace on the simulator's behalf; `otherwise` where it is damaged there.
  template <class F>
  std::invoke_result_t<F> guarded(F f, std::invoke_result_t<F> otherwise) {
    try {
      return f();
    } catch (traces::TraceError const& error) {
      note_damage(error);
      return otherwise;
    }
  }

 private:
  void note_damage(std::string const& sentence);

  traces::TraceReader m_reader;
  traces::Position const m_begin = m_reader.position();
  Admission m_admission{m_reader};
  RecordedProgram& m_program = *new RecordedProgram;  ///< never destroyed: the report asks at the very end
  std::vector<std::uint32_t> m_meetings;  ///< the recorded constructs, by this build's numbers; ~0: it has none such
  bool m_of_this_device = true;
  bool m_damaged = false;
};

}  // namespace teamsan::trace
