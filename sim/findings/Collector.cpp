#include <teamsan/sim/findings/Collector.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/OnReport.hpp>
#include <teamsan/sim/detect/Performance.hpp>
#include <teamsan/sim/memory/Migration.hpp>
#include <teamsan/sim/base/LaneTable.hpp>
#include <teamsan/sim/process/Exit.hpp>
#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/report/Merge.hpp>
#include <teamsan/sim/report/OtherSpaces.hpp>
#include <teamsan/sim/report/Suppressions.hpp>
#include <teamsan/sim/places/Symbolizer.hpp>
#include <teamsan/sim/findings/TextLayout.hpp>
#include <teamsan/sim/base/PatientMutex.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace teamsan {
namespace {

/// What makes two findings the same before anything is symbolised.
class KeyHash {
 public:
  void add(std::uint64_t value) noexcept {
    m_hash = (m_hash ^ value) * 0x9e3779b97f4a7c15u;
    m_hash ^= m_hash >> 29;
  }
  void add(std::string_view text) noexcept {
    add(text.size());
    for (unsigned char const c : text) m_hash = (m_hash ^ c) * 0x100000001b3u;
  }
  std::uint64_t value() const noexcept { return m_hash; }

 private:
  std::uint64_t m_hash = 0xcbf29ce484222325u;
};

std::uint64_t key_hash(Finding const& finding) {
  KeyHash hash;
  hash.add(static_cast<std::uint64_t>(finding.rule));
  hash.add(finding.kernel);
  hash.add(static_cast<std::uint64_t>(finding.data.kind));
  hash.add(finding.data.label);
  hash.add(finding.data.obtained_pc);
  hash.add(finding.message);
  hash.add(finding.sync_alone);
  for (Side const& side : finding.sides) {
    hash.add(side.pc);
    hash.add(static_cast<std::uint64_t>(side.access));
    hash.add(side.role);
    for (auto const caller : side.callers) hash.add(caller);
  }
  return hash.value();
}

bool same_key(Finding const& a, Finding const& b) {
  auto const same_side = [](Side const& x, Side const& y) {
    return x.pc == y.pc && x.access == y.access && x.role == y.role && x.callers == y.callers;
  };
  return a.rule == b.rule && a.kernel == b.kernel && a.data.kind == b.data.kind &&
         a.data.label == b.data.label && a.data.obtained_pc == b.data.obtained_pc && a.message == b.message && a.sync_alone == b.sync_alone &&
         std::equal(a.sides.begin(), a.sides.end(), b.sides.begin(), b.sides.end(), same_side);
}

/// Which locks and atomics are Kokkos' own, which barriers are one barrier, which reads copy padding: all of that goes by
/// lines.
bool is_decided_by_lines(Rule rule) {
  switch (rule) {
    case Rule::scratch_race:
    case Rule::global_race:
    case Rule::same_value:
    case Rule::lane_redundant:
    case Rule::missing_fence:
    case Rule::barrier_divergence:
    case Rule::wrong_space:
    case Rule::uninit_scratch:
    case Rule::uninit_global:
      return true;
    default:
      return false;
  }
}

/// Is it of a kind that line tables decide, and stands where there are none? Errs towards silence.
bool in_doubt(Finding const& finding) {
  return is_decided_by_lines(finding.rule) &&
         std::any_of(finding.sides.begin(), finding.sides.end(), [](Side const& side) {
           return side.pc != 0 && !user_place(side.pc, side.callers).known();
         });
}

std::string redundant_stores_note(std::unordered_map<std::uintptr_t, std::uint64_t> const& by_instruction) {
  std::uint64_t stores = 0;
  for (auto const& [pc, count] : by_instruction) stores += count;
  if (stores == 0) return {};
  return fmt::format("{} by vector lanes of one thread, at {} (--strict reports them)",
                     counted(stores, "redundant store"), counted(by_instruction.size(), "instruction"));
}

}  // namespace

struct Collector::State {
  mutable PatientMutex mutex;
  std::vector<CollectedFinding> findings;
  std::unordered_multimap<std::uint64_t, std::size_t> by_key;
  std::uint64_t errors = 0, warnings = 0, dropped = 0;
  std::uint64_t unsure = 0;  ///< might have been another verdict, had all lines been looked up
  std::unordered_map<std::string, std::uint64_t> kernel_launches;  ///< all launches of a label
  std::unordered_set<std::string> checked_kernels;
  std::vector<std::uint32_t> ordinals;  ///< launch number - 1 to which launch of its kernel it is
  std::uint64_t launches = 0, launches_checked = 0;
  std::vector<std::string> notes;
  std::set<std::tuple<std::string, std::uintptr_t, std::string>> remarks;  ///< kernel, place, sentence
  std::map<std::pair<std::string, std::string>, std::uint64_t> elsewhere;  ///< launches by space and kernel
  bool started = false;      ///< Kokkos was initialised
  bool gpu_kernels = false;  ///< was one of the program's kernels launched on the simulated GPU?
  std::vector<KernelTraffic> traffic;
  std::unordered_map<std::uintptr_t, std::uint64_t> redundant_stores;  ///< by instruction

  CollectedFinding* find(std::uint64_t key, Finding const& finding) {
    auto const [first, last] = by_key.equal_range(key);
    for (auto it = first; it != last; ++it)
      if (same_key(findings[it->second].finding, finding)) return &findings[it->second];
    return nullptr;
  }
};

Collector::Collector() : m_state(std::make_unique<State>()) {}
Collector::~Collector() = default;

Collector& Collector::instance() {
  // Never destroyed: static objects of the program may still make findings while they die. A forked child
  // starts afresh, or it would report what its parent found once more.
  static Collector& collector = *[] {
    install_exit();
    static Collector* made = new Collector;
    __teamsan_lane_table.kernels = &made->m_state->kernel_launches;
    pthread_atfork([] { made->m_state->mutex.lock(); }, [] { made->m_state->mutex.unlock(); },
                   [] {
                     made->m_state->mutex.unlock();
                     made->clear();
                   });
    return made;
  }();
  return collector;
}

void Collector::add(Finding&& finding) {
  if (finding.severity == Severity::warning && options().strict) finding.severity = Severity::error;
  if (options().fails_on(finding.rule)) finding.severity = Severity::error;
  std::uint64_t const key = key_hash(finding);
  bool const unsure = was_look_up_lost() && is_decided_by_lines(finding.rule);
  std::lock_guard const lock(m_state->mutex);
  if (unsure) {
    ++m_state->unsure;
    return;
  }
  if (CollectedFinding* known = m_state->find(key, finding)) {
    known->finding.count += finding.count;
    known->teams.add(finding.launch, finding.teams);
    return;
  }
  m_state->errors += finding.severity == Severity::error;
  m_state->warnings += finding.severity == Severity::warning;
  if (m_state->findings.size() >= max_distinct) {
    ++m_state->dropped;
    return;
  }
  CollectedFinding raw;
  raw.teams.add(finding.launch, finding.teams);
  if (finding.launch != 0 && finding.launch <= m_state->ordinals.size())
    raw.kernel_launch = m_state->ordinals[finding.launch - 1];
  raw.finding = std::move(finding);
  m_state->by_key.emplace(key, m_state->findings.size());
  m_state->findings.push_back(std::move(raw));
}

void Collector::begin_launch(std::string_view kernel, std::uint64_t number, bool checked) {
  std::string label(kernel);
  std::lock_guard const lock(m_state->mutex);
  std::uint64_t const ordinal = ++m_state->kernel_launches[label];
  if (number > m_state->ordinals.size()) m_state->ordinals.resize(number, 0);
  if (number != 0) m_state->ordinals[number - 1] = static_cast<std::uint32_t>(ordinal);
  ++m_state->launches;
  m_state->gpu_kernels = m_state->gpu_kernels || is_kernel(kernel);
  if (!checked) return;
  ++m_state->launches_checked;
  m_state->checked_kernels.insert(std::move(label));
}

void Collector::begin_program() {
  std::lock_guard const lock(m_state->mutex);
  m_state->started = true;
}

void Collector::count_elsewhere(std::string_view space, std::string_view kernel) {
  if (is_kokkos_own(kernel)) return;
  std::lock_guard const lock(m_state->mutex);
  ++m_state->elsewhere[{std::string(space), std::string(kernel)}];
}

void Collector::add_traffic(KernelTraffic&& traffic) {
  std::lock_guard const lock(m_state->mutex);
  for (KernelTraffic& known : m_state->traffic)
    if (known.kernel == traffic.kernel) return known.add(std::move(traffic));
  m_state->traffic.push_back(std::move(traffic));
}

void Collector::count_redundant_stores(std::uintptr_t pc, std::uint64_t stores) {
  std::lock_guard const lock(m_state->mutex);
  m_state->redundant_stores[pc] += stores;
}

void Collector::note(std::string sentence) {
  std::lock_guard const lock(m_state->mutex);
  auto& notes = m_state->notes;
  if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(std::move(sentence));
}

void Collector::remark(std::uintptr_t pc, std::string_view kernel, std::string_view sentence) {
  std::lock_guard const lock(m_state->mutex);
  m_state->remarks.emplace(kernel, pc, sentence);
}

bool Collector::has_worked() const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->launches != 0 || !m_state->findings.empty();
}

std::uint64_t Collector::errors() const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->errors;
}

std::uint64_t Collector::warnings() const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->warnings;
}

std::vector<Finding> Collector::findings() const {
  std::lock_guard const lock(m_state->mutex);
  std::vector<Finding> result;
  for (CollectedFinding const& raw : m_state->findings) {
    result.push_back(raw.finding);
    result.back().teams = raw.teams.teams();
  }
  return result;
}

Report Collector::finish() const {
  Report report;
  std::vector<CollectedFinding> raw;
  std::vector<KernelTraffic> traffic;
  std::vector<std::uint32_t> ordinals;
  decltype(State::remarks) remarks;
  {
    std::lock_guard const lock(m_state->mutex);
    raw = m_state->findings;
    traffic = m_state->traffic;
    ordinals = m_state->ordinals;
    remarks = m_state->remarks;
    report.program.kernels = m_state->checked_kernels.size();
    auto& names = report.program.kernel_names;
    names.assign(m_state->checked_kernels.begin(), m_state->checked_kernels.end());
    std::sort(names.begin(), names.end());
    report.program.launches = m_state->launches;
    report.program.started = m_state->started;
    report.program.launches_checked = m_state->launches_checked;
    report.program.notes = m_state->notes;
    for (auto const& [where, launches] : m_state->elsewhere)
      report.program.other_launches.push_back({where.first, where.second, launches});
    judge_other_spaces(report.program, m_state->gpu_kernels, options().other_spaces);
    if (std::string note = redundant_stores_note(m_state->redundant_stores); !note.empty() && options().summary)
      report.program.notes.push_back(std::move(note));
    if (m_state->unsure != 0) {
      report.program.judged = false;
      report.program.notes.push_back(fmt::format(
          "{} not told: a line of the program could not be looked up, for a crash, or for want of memory or open files, and "
          "what is Kokkos' own was no longer known",
          m_state->unsure == 1 ? "1 finding is" : fmt::format("{} findings are", with_commas(m_state->unsure))));
    }
    if (m_state->dropped != 0)
      report.program.notes.push_back(fmt::format(
          "more than {} different findings were made; {} of the later ones are not in this report",
          max_distinct, m_state->dropped));
  }
  std::set<std::string> sentences;  // by line: which instruction and address it was may differ from build to build
  for (auto const& [kernel, pc, sentence] : remarks)
    sentences.insert(fmt::format("kernel \"{}\", {}: {}", kernel, to_string(user_place(pc)), sentence));
  report.program.notes.insert(report.program.notes.end(), sentences.begin(), sentences.end());
  for (KernelTraffic const& kernel : traffic) {
    report.kernels.push_back(merge_traffic(kernel));
    std::size_t const before = raw.size();
    detect::add_performance_findings(report.kernels.back(), raw);
    for (std::size_t i = before; i != raw.size(); ++i) raw[i].kernel_launch = ordinals[raw[i].finding.launch - 1];
  }
  if (std::size_t const unknown = std::erase_if(raw, [](CollectedFinding const& f) { return in_doubt(f.finding); })) {
    report.program.judged = false;
    report.program.notes.push_back(fmt::format(
        "{} not told, since the program has no line tables there: Kokkos' own locks, atomics and barriers are known by them "
        "alone. Compile for checking with -g1 or more, and do not strip the program",
        unknown == 1 ? "1 finding is" : fmt::format("{} findings are", with_commas(unknown))));
  }
  report.findings = merge_by_lines(raw);
  report.migrations = migration::counts();
  return report;
}

void Collector::clear() {
  migration::forget();
  std::lock_guard const lock(m_state->mutex);
  State& state = *m_state;
  state.findings.clear();
  state.by_key.clear();
  state.kernel_launches.clear();
  state.checked_kernels.clear();
  state.ordinals.clear();
  state.notes.clear();
  state.remarks.clear();
  state.traffic.clear();
  state.redundant_stores.clear();
  state.elsewhere.clear();
  state.started = state.gpu_kernels = false;
  state.errors = state.warnings = state.dropped = state.unsure = state.launches = state.launches_checked = 0;
}

namespace {

/// Looked at by itself: an id that hangs on earlier findings of the same lines is not known yet.
bool is_suppressed(Finding const& finding) {
  Report one;
  one.findings = merge_by_lines({CollectedFinding{finding, {}, 0}});
  suppressions_of(options()).apply(one);
  return one.findings.empty();
}

}  // namespace

bool ends_the_program(Finding const& finding) {
  Options const& chosen = options();
  if (!chosen.halt_on_error || is_ending()) return false;
  bool const error = finding.severity == Severity::error || (finding.severity == Severity::warning && chosen.strict) ||
                     chosen.fails_on(finding.rule);
  return error && !in_doubt(finding) && !is_suppressed(finding);
}

void report(Finding&& finding) {
  detect::tell_debugger(finding);
  trace::record_finding(finding);
  bool const ends = ends_the_program(finding);
  Collector::instance().add(std::move(finding));
  if (ends) halt_program(exit_findings);
}

void count_redundant_stores(std::uintptr_t pc, std::uint64_t stores) {
  Collector::instance().count_redundant_stores(pc, stores);
}

void count_launch(std::string_view kernel, std::uint64_t number, bool checked) {
  Collector::instance().begin_launch(kernel, number, checked);
}

}  // namespace teamsan
