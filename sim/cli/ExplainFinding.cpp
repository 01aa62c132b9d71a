/// `teamsan explain-finding ID TRACE`: the life of the word that a finding is about. Every access to it in the launch, in
/// the order of barrier interval and lane, with its source line. The word is the one that both sides of the finding
/// touched, by their instructions, lanes and intervals.
#include "Commands.hpp"

#include <teamsan/sim/report/ExitStatus.hpp>
#include <teamsan/sim/report/SourceFile.hpp>
#include <teamsan/sim/report/TextLayout.hpp>
#include <teamsan/sim/trace/Replay.hpp>
#include <teamsan/traces/TraceWalk.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace teamsan::cli {
namespace {

using namespace traces;

constexpr std::uint64_t word = 4;
constexpr std::size_t most_rows = 200;

struct Deed {
  std::uint64_t interval, league;
  std::uint32_t lane;
  std::uint64_t order;  ///< of the lane
  char const* what;
  std::uint64_t bytes, address, pc;
};

/// f(lane, event, what, bytes, interval) for each access of the launch's teams.
class Accesses : public TraceVisitor {
 public:
  void on_run(RunRecord const& run) override { m_run = run; }
  void on_launch(LaunchRecord const& l, bool) override { m_lanes = l.config.team_size * l.config.vector_length; }
  void on_team(std::uint64_t rank) override {
    m_rank = rank;
    m_intervals.assign(m_lanes, 0);
    m_extents.assign(m_lanes, 0);
    m_order = 0;
  }
  void on_event(std::uint32_t lane, Event const& e, EventDecoder const&) override {
    if (lane >= m_lanes) return;
    switch (e.kind()) {
      case EventKind::read: return tell(lane, e, "read", 1u << e.detail());
      case EventKind::write: return tell(lane, e, "write", 1u << e.detail());
      case EventKind::extent: m_extents[lane] = e.operand; return;
      case EventKind::range_read:
      case EventKind::note_read: return tell(lane, e, "read", m_extents[lane]);
      case EventKind::range_write:
      case EventKind::note_write: return tell(lane, e, "write", m_extents[lane]);
      case EventKind::atomic: {
        AtomicDetail const d = AtomicDetail::of(e.detail());
        return tell(lane, e, d.operation == 0 ? "atomic read" : "atomic write", 1u << d.log_bytes);
      }
      case EventKind::meet:
        if (e.detail() < m_run.meetings.size() && m_run.meetings[e.detail()].whose == 2) ++m_intervals[lane];
        return;
      default:
        return;
    }
  }

 protected:
  virtual void on_access(Deed const& deed) = 0;

 private:
  void tell(std::uint32_t lane, Event const& e, char const* what, std::uint64_t bytes) {
    on_access({m_intervals[lane], m_rank, lane, m_order++, what, bytes, e.operand, e.pc()});
  }
  RunRecord m_run;
  std::uint32_t m_lanes = 0;
  std::uint64_t m_rank = 0, m_order = 0;
  std::vector<std::uint64_t> m_intervals, m_extents;
};

/// First: which words did each side touch?
class SideWords : public Accesses {
 public:
  SideWords(std::vector<ReportedSide> const& sides, std::uint32_t vector_length)
      : words(sides.size()), m_sides(sides), m_vector_length(vector_length) {}
  std::vector<std::set<std::uint64_t>> words;
  void on_launch(LaunchRecord const& l, bool wanted) override {
    if (wanted) m_vector_length = l.config.vector_length;
    Accesses::on_launch(l, wanted);
  }

 protected:
  void on_access(Deed const& d) override {
    for (std::size_t i = 0; i != m_sides.size(); ++i) {
      Side const& s = m_sides[i].side;
      bool const mine = s.has_lane && s.league == d.league && s.thread * m_vector_length + s.vector_lane == d.lane &&
                        s.pc == d.pc && (!s.has_interval || s.interval == d.interval);
      if (mine)
        for (std::uint64_t a = d.address / word; a * word < d.address + d.bytes && words[i].size() < 1u << 20; ++a)
          words[i].insert(a);
    }
  }

 private:
  std::vector<ReportedSide> const& m_sides;
  std::uint32_t m_vector_length;
};

/// Then: who touched that word?
class WordLife : public Accesses {
 public:
  explicit WordLife(std::uint64_t number) : m_word(number) {}
  std::vector<Deed> deeds;
  std::uint64_t more = 0;

 protected:
  void on_access(Deed const& d) override {
    if (d.address / word > m_word || d.address + d.bytes <= m_word * word) return;
    if (deeds.size() < 1u << 20)
      deeds.push_back(d);
    else
      ++more;
  }

 private:
  std::uint64_t const m_word;
};

void explain(std::string const& id, std::string const& file) {
  Report const report = trace::replay_all({file});
  auto const found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](ReportedFinding const& f) { return f.id == id; });
  if (found == report.findings.end()) {
    std::string ids;
    for (ReportedFinding const& f : report.findings) ids += (ids.empty() ? "" : ", ") + f.id;
    throw UsageError(fmt::format("the trace has no finding {}; {}", id, ids.empty() ? "it has none" : "it has " + ids));
  }
  Finding const& finding = found->finding;
  std::printf("%s [%s] %s\nkernel \"%s\", launch %llu\n", id.c_str(), rule_id(finding.rule), finding.title.c_str(),
              finding.kernel.c_str(), static_cast<unsigned long long>(finding.launch));
  TraceFilter filter;
  filter.launch = finding.launch;
  SideWords sides(found->sides, 1);
  if (finding.launch != 0) walk(file, filter, sides);
  std::set<std::uint64_t> common;
  for (std::size_t i = 0; i != sides.words.size(); ++i) {
    std::set<std::uint64_t> both;
    if (common.empty() && i == 0)
      both = sides.words[i];
    else
      std::set_intersection(common.begin(), common.end(), sides.words[i].begin(), sides.words[i].end(),
                            std::inserter(both, both.begin()));
    common = std::move(both);
  }
  if (common.empty()) {
    std::printf("it is not about a word of memory that lanes touched\n");
    return;
  }
  WordLife life(*common.begin());
  std::string const damage = walk(file, filter, life);
  std::stable_sort(life.deeds.begin(), life.deeds.end(), [](Deed const& a, Deed const& b) {
    return std::tie(a.interval, a.league, a.lane, a.order) < std::tie(b.interval, b.league, b.lane, b.order);
  });
  std::string what = finding.data.label.empty() ? "the word" : finding.data.label + finding.data.index;
  std::printf("every access to %s in that launch, of %zu in all:\n\n", what.c_str(), life.deeds.size());
  std::printf("%9s %7s %5s  %-13s %s\n", "interval", "league", "lane", "access", "place");
  std::size_t rows = 0;
  for (Deed const& d : life.deeds) {
    if (++rows > most_rows) break;
    Place const place = user_place(d.pc);
    std::printf("%9llu %7llu %5u  %-13s %s   %s\n", static_cast<unsigned long long>(d.interval),
                static_cast<unsigned long long>(d.league), d.lane, d.what, to_string(place).c_str(),
                normalised_source(source_line(place.path, place.line)).c_str());
  }
  if (std::uint64_t const left = life.deeds.size() + life.more - std::min(rows, most_rows); left > 0 && rows > most_rows)
    std::printf("and %s more\n", with_commas(left).c_str());
  if (!damage.empty()) std::fprintf(stderr, "teamsan: %s\n", damage.c_str());
}

}  // namespace

void add_explain_finding(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain-finding", "who touched the word of a finding, when: ID TRACE");
  command->formatter_fn([](CLI::App const*, std::string, CLI::AppFormatMode) {
    return std::string(
        "The life of the word that a finding is about: every access to it in its launch,\n"
        "in the order of barrier interval, league and lane.\n\n"
        "Usage: teamsan explain-finding ID TRACE\n\n"
        "ID is a finding's (TS-...), as `teamsan replay TRACE` prints it.\n");
  });
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("words", *words, "the finding's id (TS-...) and the trace");
  command->callback([words] {
    if (words->size() != 2) throw UsageError("explain-finding needs an id and a trace: teamsan explain-finding TS-... TRACE");
    try {
      trace::set_replay_options((*words)[1], {});
      explain((*words)[0], (*words)[1]);
    } catch (TraceError const& error) {
      throw UsageError(error.what());
    }
    std::fflush(nullptr);
    std::_Exit(exit_success);  // no report: the program's own exit handlers belong to replays
  });
}

}  // namespace teamsan::cli
