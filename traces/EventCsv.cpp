/// RFC 4180: fields that hold a comma, a quote or a line's end are quoted.
#include <teamsan/traces/PerfettoJson.hpp>

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <vector>

namespace teamsan::traces {

namespace {

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"') result += c;
    result += c;
  }
  return result + '"';
}

class Csv : public TraceVisitor {
 public:
  explicit Csv(std::ostream& output) : m_output(output) {
    m_output << "launch,kernel,team,lane,interval,access,bytes,space,offset,view,file,line\n";
  }
  void on_run(RunRecord const& run) override { m_run = run; }
  void on_frames(FramesRecord const& frames) override {
    std::string& place = m_places[frames.pc];
    for (auto const& f : frames.frames) {
      if (f.line == 0) continue;
      if (place.empty() || !f.internal) place = fmt::format("{},{}", field(f.file), f.line);
      if (!f.internal) break;
    }
  }
  void on_allocate(AllocateRecord const& a) override { m_views[a.address] = a; }
  void on_launch(LaunchRecord const& launch, bool) override { m_launch = launch; }
  void on_team(std::uint64_t rank) override {
    m_rank = rank;
    m_intervals.assign(std::size_t{m_launch.config.team_size} * m_launch.config.vector_length, 0);
    m_extents.assign(m_intervals.size(), 0);
  }
  void on_event(std::uint32_t lane, Event const& e, EventDecoder const&) override {
    if (lane >= m_intervals.size()) throw TraceError("a lane that its team does not have");
    switch (e.kind()) {
      case EventKind::read: return access(lane, e, "read", 1u << e.detail());
      case EventKind::write: return access(lane, e, "write", 1u << e.detail());
      case EventKind::extent: m_extents[lane] = e.operand; return;
      case EventKind::range_read:
      case EventKind::note_read: return access(lane, e, "read", m_extents[lane]);
      case EventKind::range_write:
      case EventKind::note_write: return access(lane, e, "write", m_extents[lane]);
      case EventKind::atomic: {
        AtomicDetail const d = AtomicDetail::of(e.detail());
        return access(lane, e, d.operation == 0 ? "atomic read" : d.operation == 1 ? "atomic write" : "atomic update", 1u << d.log_bytes);
      }
      case EventKind::meet:
        if (e.detail() < m_run.meetings.size() && m_run.meetings[e.detail()].whose == 2) ++m_intervals[lane];
        return;
      default:
        return;
    }
  }

 private:
  void access(std::uint32_t lane, Event const& e, char const* what, std::uint64_t bytes) {
    AddressSpace const* const space = space_of(m_run, e.operand);
    std::string view;
    std::uint64_t offset = space ? e.operand - space->begin : e.operand;
    if (auto after = m_views.upper_bound(e.operand); after != m_views.begin()) {
      AllocateRecord const& a = (--after)->second;
      if (e.operand - a.address < a.bytes) {
        view = a.label;
        offset = e.operand - a.address - a.header_bytes;
      }
    }
    auto const place = m_places.find(e.pc());
    m_output << fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", m_launch.number, field(m_launch.config.label), m_rank, lane,
                            m_intervals[lane], what, bytes, space ? space->name : "host", offset, field(view),
                            place == m_places.end() || place->second.empty() ? "," : place->second);
  }

  std::ostream& m_output;
  RunRecord m_run;
  LaunchRecord m_launch;
  std::uint64_t m_rank = 0;
  std::vector<std::uint64_t> m_intervals, m_extents;  ///< by lane
  std::map<std::uint64_t, AllocateRecord> m_views;
  std::unordered_map<std::uint64_t, std::string> m_places;  ///< "file,line"
};

}  // namespace

std::string write_csv(std::string const& file, TraceFilter const& filter, std::ostream& output) {
  Csv csv(output);
  return walk(file, filter, csv);
}

}  // namespace teamsan::traces
