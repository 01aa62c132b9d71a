// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Recorder.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../base/ScratchSlots.hpp"
#include "../base/Synchronisation.hpp"
#include "../findings/Ending.hpp"
#include "../memory/Hot.hpp"
#include "../places/Program.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include "../../model/device/Device.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace teamsan::trace {

constinit bool is_recording = false;

namespace {

using namespace traces;

/// Lines of a file that is not the user's: those that a report may quote, and the one above each.
constexpr unsigned lines_before = 1;

class Recorder {
 public:
  explicit Recorder(std::string const& file) : m_writer(file) {}

  std::recursive_timed_mutex mutex;

  void write(RecordTag tag, Bytes const& bytes) {
    if (is_host_action(tag)) name_thread();
    m_writer.add(static_cast<Tag>(tag), bytes);
    // Who is killed in a kernel that does not end wants to know which it was, and what came before.
    if (tag == RecordTag::launch) m_writer.flush();
  }
  template <class T>
  void put(T const& what) {
    write(T::tag, encode(what));
  }

  void finish() { m_writer.finish(); }

  /// Once for each place: its inline chain, and the text that it stands in.
  void place(Site site) {
    if (site == Site{} || !m_places.insert(site).second) return;
    if (modules_changed()) {
      SegmentsRecord segments;
      for (Segment const& s : loaded_segments()) segments.segments.push_back({s.begin, s.end, s.code, s.writable});
      put(segments);
    }
    FramesRecord record;
    record.site = site;
    for (Frame const& f : frames_of(site)) {
      record.frames.push_back({f.function, f.file, f.line, f.column, f.internal, f.clang});
      if (f.line != 0) source(f);
    }
    put(record);
  }

  void variable(std::uint64_t address, std::string const& name) {
    if (m_variables.insert(address).second) put(VariableRecord{address, name});
  }

 private:
  void name_thread() {
    thread_local std::uint32_t const number = m_threads++;
    if (std::exchange(m_thread, number) != number) put(HostThreadRecord{number});
  }

  bool modules_changed() {
    std::size_t const now = loaded_segments().size();
    return std::exchange(m_segments, now) != now;
  }

  void source(Frame const& f) {
    if (f.file.empty()) return;
    if (!f.internal) {
      if (m_files.insert(f.file).second) put(SourceRecord{f.file, 1, raw_source_lines(f.file)});
      return;
    }
    unsigned const first = f.line > lines_before ? f.line - lines_before : 1;
    if (!m_lines.insert(fmt::format("{}:{}", f.file, f.line)).second) return;
    std::vector<std::string> const& all = raw_source_lines(f.file);
    SourceRecord record{f.file, first, {}};
    for (unsigned l = first; l <= f.line && l <= all.size(); ++l) record.lines.push_back(all[l - 1]);
    if (!record.lines.empty()) put(record);
  }

  TraceWriter m_writer;
  std::unordered_set<Site> m_places;
  std::unordered_set<std::uint64_t> m_variables;
  std::unordered_set<std::string> m_files, m_lines;
  std::size_t m_segments = 0;
  std::uint32_t m_threads = 0;  ///< of the host, so far
  std::uint32_t m_thread = 0;   ///< whose action was written last
};

Recorder* recorder = nullptr;  ///< never destroyed
std::string& file_name() {
  static std::string* const name = new std::string;
  return *name;
}
bool failed = false;

void stop(std::exception const& error) {
  is_recording = false;
  failed = true;
  write_to_stderr(fmt::format("teamsan: {}; the recording ends here\n", error.what()));
}

/// f(recorder), by one thread at a time.
template <class F>
void with_recorder(F f) {
  if (!recording()) return;
  RuntimeScope const scope;
  std::lock_guard const lock(recorder->mutex);
  if (!recording()) return;
  try {
    f(*recorder);
  } catch (std::exception const& error) {
    stop(error);
  }
}

}  // namespace

std::vector<traces::AddressSpace> address_spaces() {
  return {{"device", arena::device, arena::device_bytes},       {"shared", arena::shared, arena::shared_bytes},
          {"pinned", arena::pinned, arena::pinned_bytes},       {"scratch", arena::scratch, arena::scratch_bytes},
          {"constant", arena::constant, arena::constant_bytes}, {"stack", arena::stacks, arena::stacks_bytes}};
}

namespace {

/// What is asked of the program while it is recorded goes into the trace.
class RecordedLive : public Program {
 public:
  std::string variable(std::uintptr_t address) override {
    std::string const name = Program::variable(address);
    with_recorder([&](Recorder& r) { r.variable(address, name); });
    return name;
  }
  std::string field(Site site, std::string const& type, std::uint32_t bytes, std::uint32_t byte) override {
    std::string const name = Program::field(site, type, bytes, byte);
    with_recorder([&](Recorder& r) { r.put(FieldRecord{site, type, bytes, byte, name}); });
    return name;
  }
  std::vector<Site> stack() override {
    std::vector<Site> const frames = Program::stack();
    if (hot.lane == nullptr)
      with_recorder([&](Recorder& r) {
        for (Site const site : frames) r.place(site);
        r.put(StackRecord{{frames.begin(), frames.end()}});
      });
    return frames;
  }
};

}  // namespace

void begin_recording(std::string const& file) {
  if (file.empty() || recording()) return;
  try {
    file_name() = file;
    recorder = new Recorder(file);
  } catch (std::exception const& error) {
    stop(error);
    return;
  }
  is_recording = true;
  set_program(*new RecordedLive);
  // A child that fork made would write into its parent's trace.
  pthread_atfork(nullptr, nullptr, [] { is_recording = false; });
  RunRecord run;
  run.teamsan = TEAMSAN_VERSION;
  run.options = environment_options();
  run.arguments = program().arguments();
  run.directory = start_directory();
  run.spaces = address_spaces();
  for (std::size_t i = 0; i != synchronisation_count(); ++i) {
    Synchronisation const& row = synchronisation(static_cast<Meeting>(i));
    run.meetings.push_back({std::string(row.construct), static_cast<std::uint8_t>(row.meets)});
  }
  run.warp_width = options().model().warp_width;
  run.scratch_slots = scratch_slots::in_turn();
  record(run);
}

std::string file() { return failed ? "" : file_name(); }
void set_file(std::string const& name) { file_name() = name; }
bool replaying() {
  static bool const replays = !recording() && !file().empty();
  return replays;
}

bool finish_recording(bool crashed) noexcept {
  if (!recording()) return !failed;
  std::unique_lock const lock(recorder->mutex, std::chrono::seconds(crashed ? 5 : 60));
  try {
    if (!lock.owns_lock()) throw TraceError("the trace could not be ended: the program crashed while it was written");
    recorder->put(RunEndRecord{crashed});
    recorder->finish();
    is_recording = false;
  } catch (std::exception const& error) {
    stop(error);
  }
  return !failed;
}

void write(RecordTag tag, Bytes const& bytes) {
  with_recorder([&](Recorder& r) { r.write(tag, bytes); });
}

void record_host_access(AccessKind kind, std::uintptr_t address, std::uint64_t bytes, Site site) {
  with_recorder([&](Recorder& r) {
    r.place(site);
    r.put(HostAccessRecord{static_cast<std::uint8_t>(kind), address, bytes, site});
  });
}

void record_places(std::span<Site const> sites) {
  with_recorder([&](Recorder& r) {
    for (Site const site : sites) r.place(site);
  });
}

void record_finding(Finding const& f) {
  if (!recording()) return;
  std::string const id = id_of(f);  // asks the program, whose answers go into the trace
  with_recorder([&](Recorder& r) {
    FindingRecord record;
    record.rule = rule_id(f.rule);
    record.severity = severity_name(f.severity);
    record.title = f.title;
    record.kernel = f.kernel;
    record.label = f.data.label;
    record.launch = f.launch;
    record.offset = f.data.offset;
    record.count = f.count;
    for (Side const& s : f.sides)
      record.sides.push_back({s.site, s.has_lane, s.has_interval, s.league, s.interval, s.thread, s.vector_lane,
                              static_cast<std::uint8_t>(s.access), s.role});
    r.put(record);
    r.put(FindingIdRecord{id});
  });
}

void record_team(std::uint64_t launch, std::uint64_t league_rank, TeamRecording&& team, bool last) {
  with_recorder([&](Recorder& r) {
    for (Site const site : team.sites) r.place(site);
    team.sites.clear();
    if (last && team.pieces.empty()) team.pieces.emplace_back();
    for (TeamRecording::Piece& piece : team.pieces) {
      PieceRecord record;
      record.launch = launch;
      record.league_rank = league_rank;
      record.first = !std::exchange(team.begun, true);
      record.last = last && &piece == &team.pieces.back();
      record.accesses = piece.accesses;
      record.bytes = piece.bytes;
      r.put(record);
    }
    team.pieces.clear();
  });
}

void record_verdicts(std::uint64_t launch, std::uint64_t league_rank,
                     std::unordered_map<std::uint64_t, bool> const& verdicts) {
  if (!recording()) return;
  VerdictsRecord verdict{launch, league_rank, {}};
  for (auto const& [question, ordered] : verdicts) verdict.verdicts.push_back(question << 1 | ordered);
  std::sort(verdict.verdicts.begin(), verdict.verdicts.end());
  record(verdict);
}

}  // namespace teamsan::trace
