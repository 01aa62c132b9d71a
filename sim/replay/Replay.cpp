#include <teamsan/sim/replay/Replay.hpp>

#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/base/Start.hpp>
#include <teamsan/sim/base/Synchronisation.hpp>
#include <teamsan/sim/detect/MissingFence.hpp>
#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/host/HostMisuse.hpp>
#include <teamsan/sim/host/Launch.hpp>
#include <teamsan/sim/host/Limit.hpp>
#include <teamsan/sim/host/Memory.hpp>
#include <teamsan/sim/host/NextAllocation.hpp>
#include <teamsan/sim/host/Usm.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/Migration.hpp>
#include <teamsan/sim/process/Exit.hpp>
#include <teamsan/sim/replay/Admission.hpp>
#include <teamsan/sim/replay/DeviceLimits.hpp>
#include <teamsan/sim/replay/RecordedProgram.hpp>
#include <teamsan/sim/replay/TeamReplay.hpp>
#include <teamsan/sim/report/Join.hpp>
#include <teamsan/sim/report/JsonReader.hpp>
#include <teamsan/sim/report/JsonReport.hpp>
#include <teamsan/sim/runtime/Access.hpp>
#include <teamsan/sim/trace/Fields.hpp>

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace teamsan::trace {

using namespace traces;

namespace {

void replay_lane(void const*, Lane const& lane) {
  Team& team = *hot.team;
  if (team.checked()) static_cast<TeamReplay*>(team.script())->run_lane(team, lane);
}

/// As the run had them, but for what names files: the trace may be somebody else's.
Options recorded_options(RunRecord const& run, std::string const& file) {
  try {
    return parse_recorded_options(run.options);
  } catch (OptionError const& error) {
    throw TraceError(fmt::format("the trace \"{}\" was recorded with options that are none: {}", file, error.what()));
  }
}

class Replay : public LaunchScript {
 public:
  explicit Replay(std::string const& file) : name(file), m_reader(file), admission(m_reader) {
    program.ask_for_stack([this] { return stack_now(); });
    program.ask_for_damage([this] { return damaged; });
  }

  std::string const name;

  void run() {
    m_next = m_reader.position();
    for (TraceRecord record; !damaged && read(m_next, record);) {
      m_next_stack = m_next;
      host(record);
    }
    if (!m_reader.damage().empty()) note_damage(m_reader.damage());
  }

  void note_damage(std::string const& sentence) {
    if (!std::exchange(damaged, true)) Collector::instance().note(sentence);
    if (hot.team != nullptr) hot.team->leave_unchecked();
  }

  std::uint64_t find_next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size) {
    Position at = m_team_scan;
    for (TraceRecord record; read(at, record);) {
      auto const tag = static_cast<RecordTag>(record.tag);
      if (tag == RecordTag::launch || tag == RecordTag::launch_end) break;
      if (tag != RecordTag::piece) continue;
      ByteReader numbers(record.bytes);
      if (numbers.number() != launch) break;
      if (std::uint64_t const rank = numbers.number(); rank >= league_rank) return std::min(rank, size);
    }
    return size;
  }

  bool find_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes, TeamReplay& team) {
    std::optional<Position> first;
    return scan(m_team_scan, launch, league_rank, [&](Position at, RecordTag tag, TraceRecord const& record) {
      if (tag != RecordTag::piece) return false;
      auto const piece = decode<PieceRecord>(record.bytes);
      if (piece.league_rank != league_rank) return false;
      if (piece.first) first = at;
      if (!piece.last || !first) return false;
      team.begin(launch, league_rank, lanes, *first);
      return true;
    });
  }

  bool find_piece(std::uint64_t launch, std::uint64_t league_rank, Position& from, Bytes& bytes, bool& last) {
    return scan(from, launch, league_rank, [&](Position, RecordTag tag, TraceRecord const& record) {
      if (tag != RecordTag::piece) return false;
      auto const piece = decode<PieceRecord>(record.bytes);
      if (piece.league_rank != league_rank) return false;
      bytes.assign(piece.bytes.begin(), piece.bytes.end());
      last = piece.last;
      return true;
    });
  }

  std::unordered_map<std::uint64_t, bool> const& read_verdicts(std::uint64_t launch, std::uint64_t league_rank) {
    m_verdicts.clear();
    scan(m_verdict_scan, launch, league_rank, [&](Position, RecordTag tag, TraceRecord const& record) {
      if (tag != RecordTag::verdicts) return false;
      auto const verdicts = decode<VerdictsRecord>(record.bytes);
      if (verdicts.league_rank != league_rank) return false;
      for (std::uint64_t const v : verdicts.verdicts) m_verdicts[v >> 1] = v & 1;
      return true;
    });
    return m_verdicts;
  }

  std::vector<std::uintptr_t> find_stack() {
    // What other threads did may stand in between.
    std::uint32_t thread = m_thread;
    Position at = m_next_stack;
    for (TraceRecord record; read(at, record);) {
      auto const tag = static_cast<RecordTag>(record.tag);
      if (tag == RecordTag::host_thread) thread = decode<HostThreadRecord>(record.bytes).number;
      if (program.learn(record) || !is_deed_of_host(tag) || thread != m_thread) continue;
      if (tag != RecordTag::stack) break;
      m_next_stack = at;
      auto const frames = decode<StackRecord>(record.bytes).frames;
      return {frames.begin(), frames.end()};
    }
    return {};
  }

  // What the machine asks of a launch's teams; what is damaged is left out.
  std::uint64_t next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size) override {
    if (damaged) return size;
    return guarded([&] { return find_next_team(launch, league_rank, size); }, size);
  }
  bool begin_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes,
                  std::unique_ptr<Answers>& answers) override {
    if (damaged) return false;
    if (!answers) answers = std::make_unique<TeamReplay>();
    return guarded([&] { return find_team(launch, league_rank, lanes, static_cast<TeamReplay&>(*answers)); }, false);
  }
  std::unordered_map<std::uint64_t, bool> const& verdicts(std::uint64_t launch, std::uint64_t league_rank) override {
    static std::unordered_map<std::uint64_t, bool> const none;
    auto const* const found = guarded([&]() -> std::unordered_map<std::uint64_t, bool> const* { return &read_verdicts(launch, league_rank); },
                                      &none);
    return *found;
  }
  std::vector<std::uintptr_t> calls() override { return m_calls; }
  bool read_piece(std::uint64_t launch, std::uint64_t league_rank, Position& from, Bytes& piece, bool& last) {
    return guarded([&] { return find_piece(launch, league_rank, from, piece, last); }, false);
  }

  /// What another trace says of its program.
  void learn(std::string const& file) {
    TraceReader reader(file);
    for (TraceRecord record; reader.next(record);) program.learn(record);
  }

  RecordedProgram& program = *new RecordedProgram;  ///< never destroyed: the report asks at the very end
  std::vector<std::uint32_t> meetings;  ///< the recorded constructs, by this build's numbers; ~0: it has none such
  bool damaged = false;
  bool crashed = false;

 private:
  /// f(), which reads the trace on the simulator's behalf; `otherwise` where it is damaged there.
  template <class F>
  std::invoke_result_t<F> guarded(F f, std::invoke_result_t<F> otherwise) {
    try {
      return f();
    } catch (TraceError const& error) {
      note_damage(damage_of(name, error));
      return otherwise;
    }
  }

  /// The stack that the program had where the host is now.
  std::vector<std::uintptr_t> stack_now() {
    if (hot.lane != nullptr || damaged) return {};
    return guarded([&] { return find_stack(); }, {});
  }

  bool read(Position& at, TraceRecord& record) {
    m_reader.seek(at);
    admission.spend(1 + record.bytes.size() / 64);
    if (!m_reader.next(record)) return false;
    at = m_reader.position();
    return true;
  }

  /// f(position, tag, record) for the records of the launch from `at` on, until it returns true or the records of later
  /// teams begin. `at` stays in front of what was not for this team.
  template <class F>
  bool scan(Position& at, std::uint64_t launch, std::uint64_t league_rank, F f) {
    for (Position here = at; ; at = here) {
      TraceRecord record;
      if (!read(here, record)) return false;
      if (program.learn(record)) continue;
      auto const tag = static_cast<RecordTag>(record.tag);
      if (tag == RecordTag::launch || tag == RecordTag::launch_end) return false;
      if (tag == RecordTag::piece || tag == RecordTag::verdicts) {
        ByteReader numbers(record.bytes);
        if (numbers.number() != launch || numbers.number() > league_rank) return false;
      }
      Position const before = at;
      if (!f(before, tag, record)) continue;
      at = here;
      return true;
    }
  }

  void host(TraceRecord const& record) {
    if (program.learn(record)) return;
    switch (static_cast<RecordTag>(record.tag)) {
      case RecordTag::host_thread:
        m_thread = decode<HostThreadRecord>(record.bytes).number;
        break;
      case RecordTag::run: {
        auto const run_record = decode<RunRecord>(record.bytes);
        program.learn(run_record);
        meetings.assign(run_record.meetings.size(), ~0u);
        for (std::size_t i = synchronisation_count(); i-- != 0;)
          for (std::size_t m = 0; m != meetings.size(); ++m)
            if (synchronisation(static_cast<Meeting>(i)).construct == run_record.meetings[m].construct)
              meetings[m] = static_cast<std::uint32_t>(i);
        m_other_device = recorded_options(run_record, name).m_device != options().m_device;
        break;
      }
      case RecordTag::run_end:
        crashed = decode<RunEndRecord>(record.bytes).crashed;
        break;
      case RecordTag::allocate:
        allocate_again(admitted<AllocateRecord>(record));
        break;
      case RecordTag::free: {
        auto const address = decode<FreeRecord>(record.bytes).address;
        if (Allocation const* const a = find_allocation(address)) beside_launch(a->begin, a->bytes);
        deallocate(reinterpret_cast<void*>(address));
        break;
      }
      case RecordTag::copy: {
        auto const copy = admitted<CopyRecord>(record);
        beside_launch(copy.to, copy.bytes);
        note_copied(copy.to, copy.from, copy.bytes);
        break;
      }
      case RecordTag::initialised: {
        auto const zero = admitted<InitialisedRecord>(record);
        beside_launch(zero.address, zero.bytes);
        note_initialised(zero.address, zero.bytes);
        break;
      }
      case RecordTag::usm_allocation: {
        auto const a = admitted<UsmAllocationRecord>(record);
        usm_adopt(reinterpret_cast<void*>(a.address), static_cast<UsmKind>(a.kind), a.context);
        break;
      }
      case RecordTag::usm_free: {
        auto const f = decode<UsmFreeRecord>(record.bytes);
        usm_may_free(reinterpret_cast<void*>(f.address), f.context);
        break;
      }
      case RecordTag::usm_context: {
        auto const c = decode<UsmContextRecord>(record.bytes);
        usm_bind_instance(c.instance, c.context);
        break;
      }
      case RecordTag::transfer: {
        auto const t = decode<TransferRecord>(record.bytes);
        detect::check_transfer(t.what.c_str(), t.preposition.c_str(), t.address, t.bytes, t.context);
        break;
      }
      case RecordTag::prefetch: {
        auto const p = admitted<PrefetchRecord>(record);
        migration::prefetch(p.address, p.bytes, p.to_device);
        break;
      }
      case RecordTag::host_touch: {
        auto const t = admitted<HostTouchRecord>(record);
        beside_launch_touches(t.address);
        migration::host_touches(t.address, t.bytes);
        break;
      }
      case RecordTag::fence:
        fence(static_cast<std::uint32_t>(decode<FenceRecord>(record.bytes).instance));
        break;
      case RecordTag::instances:
        note_instances();
        break;
      case RecordTag::pending: {
        auto const p = admitted<PendingRecord>(record);
        auto const instance = static_cast<std::uint32_t>(p.instance);
        auto const begin = reinterpret_cast<void const*>(p.address);
        if (p.writes)
          pend_write(instance, begin, p.bytes, p.result ? AsyncWork::result : AsyncWork::copy);
        else
          pend_read(instance, begin, p.bytes);
        break;
      }
      case RecordTag::launch_end:
        detect::end_beside();
        m_beside = false;
        break;
      case RecordTag::host_access: {
        auto const a = admitted<HostAccessRecord>(record);
        checked_access({a.address, static_cast<std::uint32_t>(a.bytes), static_cast<AccessKind>(a.kind), a.pc}, true);
        break;
      }
      case RecordTag::limit: {
        auto const l = admitted<LimitRecord>(record);
        if (m_other_device)
          check_limit_again(l);
        else
          report_limit(static_cast<LimitKind>(l.kind), config_of(l.config), l.requested, l.maximum, l.message);
        break;
      }
      case RecordTag::launch: {
        auto const l = decode<LaunchRecord>(record.bytes);
        admission.check(l, ++m_launches);
        m_team_scan = m_verdict_scan = m_next;
        LaunchConfig const config = config_of(l.config);
        m_calls.assign(l.calls.begin(), l.calls.end());
        if (m_other_device) check_limits(config);
        launch(config, nullptr, 0, &replay_lane, this);
        m_beside = config.league_size != 0 && config.team_size != 0;
        break;
      }
      default:
        break;  // of kernels, or of a later version
    }
  }

  /// The memory is freed or written by the host.
  void beside_launch(std::uintptr_t begin, std::size_t bytes) {
    if (!m_beside || !global_shadow::touched_by_launch(begin, bytes)) return;
    Collector::instance().note(
        "a host thread freed or wrote memory while a kernel of another one used it: the replay takes the kernel to have come "
        "first, which the run may have seen otherwise");
  }

  /// The host touches a page of shared memory that was not there.
  void beside_launch_touches(std::uintptr_t address) {
    Allocation const* const a = m_beside ? find_allocation(address) : nullptr;
    if (a == nullptr || address < a->data()) return;
    std::uintptr_t const page = address - (address - a->data()) % options().page_size;
    if (global_shadow::touched_by_launch(page, std::min<std::size_t>(options().page_size, a->end() - page)))
      Collector::instance().note(
          "a host thread touched a page of shared memory while a kernel of another one used it: the replay takes the kernel "
          "to have come first, so that it may count other migrations");
  }

  template <class T>
  T admitted(TraceRecord const& record) {
    T result = decode<T>(record.bytes);
    admission.check(result);
    return result;
  }

  void allocate_again(AllocateRecord const& a) {
    auto const space = static_cast<Space>(a.space);
    try {
      if (!a.system) check_memory_limit(space, a.bytes - a.header_bytes, a.label);
    } catch (OutOfMemory const&) {  // it is a finding; another device's run went on
    }
    if (a.address == 0) return;
    std::size_t const bytes = a.bytes - a.header_bytes;
    if (Shape const shape = shape_of(a.shape); shape.known()) shape_next_allocation(shape, bytes / shape.element_bytes);
    Shape const shape = take_next_shape(bytes);
    void* const got = allocate({space, a.bytes, a.header_bytes, a.label, shape, a.system, false, {a.calls.begin(), a.calls.end()}}, false);
    if (reinterpret_cast<std::uintptr_t>(got) != a.address)
      throw TraceError(fmt::format("the allocation \"{}\" came to lie elsewhere than in the recorded run", a.label));
  }

  TraceReader m_reader;

 public:
  Admission admission;

 private:
  std::uint64_t m_launches = 0;
  std::vector<std::uintptr_t> m_calls;  ///< the host's to the latest of them
  bool m_other_device = false;  ///< than the recorded one: a what-if
  bool m_beside = false;        ///< what comes next, another host thread did while the last launch ran
  Position m_next;  ///< of the host's next record
  Position m_next_stack;
  std::uint32_t m_thread = 0;  ///< of the host, whose record it is
  Position m_team_scan, m_verdict_scan;
  std::unordered_map<std::uint64_t, bool> m_verdicts;
};

/// Never destroyed: the report asks for it at the very end.
Replay* current = nullptr;

/// Gives the report of this process to the one that reads the pipe.
int hand_over(Report const& report, int pipe) {
  std::string const text = json_report(report);
  for (std::size_t done = 0; done != text.size();) {
    ssize_t const n = ::write(pipe, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) return exit_tool_failure;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return damaged() ? exit_tool_failure : exit_success;
}

}  // namespace

RunRecord run_of(std::string const& file) {
  TraceReader reader(file);
  for (TraceRecord record; reader.next(record);)
    if (static_cast<RecordTag>(record.tag) == RecordTag::run) return decode<RunRecord>(record.bytes);
  throw TraceError(reader.damage().empty() ? fmt::format("the trace \"{}\" does not say how it was recorded", file)
                                           : reader.damage());
}

void set_replay_options(std::string const& file, std::string const& chosen) {
  RunRecord const run = run_of(file);
  if (run.spaces != address_spaces())
    throw TraceError(fmt::format("the trace \"{}\" comes from a TeamSan whose simulated memory lay at other addresses ({}); "
                                 "record it again", file, run.teamsan));
  // Nothing runs beside a replay, and what it takes is shadow alone. A lane that waits in vain does so for nobody's sake.
  constexpr std::uint64_t longest_wait = 1'000'000'000'000;
  Options const recorded = recorded_options(run, file);
  std::string const text =
      fmt::format("{}:explore=0:gdb=0:num_threads=1:memory_limit=4194304G:spin_limit={}{}", options_text(recorded),
                  std::min(recorded.spin_limit, longest_wait), chosen);
  parse_options(text);
  ::setenv("TEAMSAN_OPTIONS", text.c_str(), 1);
}

namespace {

void begin(std::string const& file) {
  current = new Replay(file);
  set_file(file);
  set_program(current->program);
}

}  // namespace

void replay(std::string const& file) {
  begin(file);
  start();
  try {
    current->run();
  } catch (std::exception const& error) {
    note_damage(error);
  }
}

Report replay_all(std::vector<std::string> const& files) {
  std::vector<Report> reports;
  begin(files.front());
  for (std::string const& file : files) {
    current->learn(file);
    int ends[2];
    if (::pipe(ends) != 0) throw TraceError(fmt::format("no pipe could be made: {}", std::strerror(errno)));
    std::fflush(nullptr);
    pid_t const child = ::fork();
    if (child < 0) throw TraceError(fmt::format("no process could be made: {}", std::strerror(errno)));
    if (child == 0) {
      ::close(ends[0]);
      give_report_to([pipe = ends[1]](Report const& report) { return hand_over(report, pipe); });
      replay(file);
      end_program(recorded_crash(), 0);
    }
    ::close(ends[1]);
    std::string text;
    char part[65536];
    for (ssize_t n = 0; (n = ::read(ends[0], part, sizeof part)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0) text.append(part, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    current->damaged |= !WIFEXITED(status) || WEXITSTATUS(status) != exit_success;
    try {
      reports.push_back(read_json_report(text, file));
    } catch (ReportReadError const&) {
      throw TraceError(fmt::format("the replay of \"{}\" ended without a report", file));
    }
  }
  return join_reports(reports);
}

bool recorded_crash() { return current->crashed; }

bool damaged() { return current->damaged; }

void note_damage(std::exception const& error) { current->note_damage(damage_of(current->name, error)); }

Admission& admission() { return current->admission; }

std::uint32_t meeting_now(std::uint32_t recorded) {
  return recorded < current->meetings.size() ? current->meetings[recorded] : ~0u;
}

bool read_piece(std::uint64_t launch, std::uint64_t league_rank, Position& from, Bytes& piece, bool& last) {
  return current->read_piece(launch, league_rank, from, piece, last);
}

}  // namespace teamsan::trace
