// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PerfettoJson.hpp"

#include "../model/device/SharedMemory.hpp"
#include "Printable.hpp"
#include "TeamTimes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace teamsan::traces {

namespace {

/// As a JSON string, quotes included.
std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (char const c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// Scratch accesses of a team's warps in one interval, put together by instruction and occurrence. Of a long loop the
/// first rounds are looked at.
class WarpAccesses {
 public:
  static constexpr std::uint64_t most_occurrences = 256;

  explicit WarpAccesses(model::Device const& device) : m_device(device) {}

  void clear() {
    m_accesses.clear();
    m_seen.clear();
  }
  void add(std::uint32_t lane, std::uint64_t interval, model::Operation operation, std::uint32_t bytes,
           Event const& e) {
    std::uint32_t const width = m_device.warp_width, warp = lane / width;
    std::uint64_t const occurrence = m_seen[{lane, interval, e.key}]++;
    if (occurrence >= most_occurrences) return;
    Access& a = m_accesses[{warp, interval, e.key, occurrence}];
    a.operation = operation;
    a.bytes = bytes;
    a.active |= std::uint64_t{1} << lane % width;
    a.addresses[lane % width] = e.operand;
  }
  /// The most wavefronts for one that an access of that warp took in that interval; 0: it did not touch scratch. They
  /// are forgotten then.
  std::uint32_t worst(std::uint32_t warp, std::uint64_t interval) {
    std::uint32_t ways = 0;
    auto const first = m_accesses.lower_bound({warp, interval, 0, 0});
    auto const last = m_accesses.lower_bound({warp, interval + 1, 0, 0});
    for (auto a = first; a != last; ++a) {
      model::WarpAccess const access{a->second.operation, a->second.bytes, a->second.active,
                                     {a->second.addresses.data(), m_device.warp_width}};
      model::SharedCounts const counts = count_shared(m_device, access);
      std::uint32_t const ideal = std::max<std::uint32_t>(counts.ideal(), 1);
      ways = std::max(ways, (counts.wavefronts + ideal - 1) / ideal);
    }
    m_accesses.erase(first, last);
    return ways;
  }

 private:
  struct Access {
    model::Operation operation{};
    std::uint32_t bytes = 0;
    std::uint64_t active = 0;
    std::array<std::uint64_t, model::max_warp_width> addresses{};
  };
  model::Device const& m_device;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>, Access> m_accesses;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::uint64_t> m_seen;
};

bool is_race(FindingRecord const& f) {
  return f.sides.size() == 2 && f.sides[0].has_lane && f.sides[1].has_lane &&
         (f.rule.ends_with("-race") || f.rule == "same-value");
}

/// What an arrow stands for.
struct Race {
  FindingRecord finding;
  std::string id;  ///< in reports; empty: an older trace
};

/// First time through: what was found, and where.
struct Findings : TraceVisitor {
  std::vector<Race> races;
  std::unordered_map<Site, std::string> places;  ///< the user's lines, by instruction

  void on_frames(FramesRecord const& chain) override {
    for (auto const& f : chain.frames)
      if (!f.internal && f.line != 0) {
        places.try_emplace(chain.site, fmt::format("{}:{}", f.file, f.line));
        return;
      }
  }
  void on_finding(FindingRecord const& f) override {
    m_last_is_race = is_race(f);
    if (m_last_is_race) races.push_back({f, {}});
  }
  void on_finding_id(FindingIdRecord const& r) override {
    if (m_last_is_race) races.back().id = r.id;
  }
  std::string place(Site site) const {
    auto const found = places.find(site);
    return found == places.end() ? std::string("unknown place") : found->second;
  }

 private:
  bool m_last_is_race = false;
};

class Writer : public TraceVisitor {
 public:
  Writer(Findings found, model::Device const& device, std::ostream& output)
      : m_found(std::move(found)), m_device(device), m_warps(device), m_output(output) {
    m_output << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"note\":\"a microsecond is a step of a "
                "lane\"},\"traceEvents\":[";
  }
  void finish() { m_output << "\n]}\n"; }

  void on_run(RunRecord const& run) override {
    m_run = run;
    m_run.warp_width = m_device.warp_width;
  }
  void on_launch(LaunchRecord const& launch, bool wanted) override {
    if (!wanted) return;
    m_launch = launch;
    m_longest = 0;
    put("\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}", launch.number,
        json_string(fmt::format("{} (launch {})", launch.config.label, launch.number)));
    put("\"ph\":\"M\",\"pid\":{},\"tid\":0,\"name\":\"thread_name\",\"args\":{{\"name\":\"kernel\"}}", launch.number);
    m_times.clear();
  }
  void on_team(std::uint64_t) override {
    m_team.begin(m_run, lanes());
    m_warps.clear();
  }
  void on_event(std::uint32_t lane, Event const& event, EventDecoder const&) override {
    if (lane >= lanes()) throw TraceError("a lane that its team does not have");
    m_team.step(lane, event, [&](IntervalTime const& t) { m_intervals.push_back(t); });
    AddressSpace const* const space = space_of(m_run, event.operand);
    if (space == nullptr || space->name != "scratch") return;
    std::uint64_t const interval = m_team.interval_of(lane);
    if (event.kind() == EventKind::read)
      m_warps.add(lane, interval, model::Operation::load, 1u << event.detail(), event);
    else if (event.kind() == EventKind::write)
      m_warps.add(lane, interval, model::Operation::store, 1u << event.detail(), event);
  }
  void on_team_end(std::uint64_t rank) override {
    m_team.end([&](IntervalTime const& t) { m_intervals.push_back(t); });
    std::uint32_t const warps = (lanes() + m_run.warp_width - 1) / m_run.warp_width;
    for (std::uint32_t w = 0; w != warps; ++w) {
      std::uint64_t const track = 1 + rank * warps + w;
      std::uint64_t end = 0;
      for (IntervalTime const& t : m_intervals)
        if (t.warp == w) end = std::max(end, t.end);
      put("\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":\"team {} warp {}\"}}",
          m_launch.number, track, rank, w);
      put("\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":\"team {}\",\"cat\":\"team\"",
          m_launch.number, track, m_clock, std::max<std::uint64_t>(end, 1), rank);
      for (IntervalTime const& t : m_intervals) {
        if (t.warp != w) continue;
        std::string args;
        for (Race const& race : m_found.races)
          for (auto const& side : race.finding.sides) {
            if (race.finding.launch != m_launch.number || side.league != rank || warp_of(side) != w ||
                (side.has_interval && side.interval != t.interval))
              continue;
            m_times.try_emplace({rank, w, side.has_interval ? side.interval : any_interval}, track,
                                m_clock + t.begin + std::max<std::uint64_t>(t.end - t.begin, 1) / 2);
            std::string const text = json_string(fmt::format("{} at {}", called(race), m_found.place(side.site)));
            if (args.find(text) == args.npos) args += (args.empty() ? "" : ",") + text;
          }
        put("\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":\"interval {}\",\"cat\":\"interval\"{}",
            m_launch.number, track, m_clock + t.begin, std::max<std::uint64_t>(t.end - t.begin, 1), t.interval,
            args.empty() ? args : fmt::format(",\"args\":{{\"findings\":[{}]}}", args));
        if (std::uint32_t const ways = m_warps.worst(w, t.interval); ways != 0)
          put("\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"bank conflict, team {} warp {}\",\"args\":{{\"ways\":{}}}",
              m_launch.number, m_clock + t.begin, rank, w, ways);
      }
      m_longest = std::max(m_longest, std::max<std::uint64_t>(end, 1));
    }
    m_intervals.clear();
  }
  void on_launch_end(LaunchEndRecord const& end) override {
    if (end.number != m_launch.number) return;
    put("\"ph\":\"X\",\"pid\":{},\"tid\":0,\"ts\":{},\"dur\":{},\"name\":{},\"cat\":\"kernel\"", m_launch.number,
        m_clock, std::max<std::uint64_t>(m_longest, 1), json_string(m_launch.config.label));
    for (Race const& race : m_found.races) {
      FindingRecord const& f = race.finding;
      if (f.launch != m_launch.number) continue;
      auto const from = time_of(f.sides[0]), to = time_of(f.sides[1]);
      if (from == m_times.end() || to == m_times.end()) continue;  // a team that was left out
      std::string const name = json_string(fmt::format("{}: {}", f.rule, f.title));
      std::string const args =
          fmt::format("{{\"id\":{},\"first\":{},\"second\":{}}}", json_string(race.id),
                      json_string(m_found.place(f.sides[0].site)), json_string(m_found.place(f.sides[1].site)));
      ++m_arrows;
      put("\"ph\":\"s\",\"pid\":{},\"tid\":{},\"ts\":{},\"id\":{},\"name\":{},\"cat\":\"race\",\"args\":{}", m_launch.number,
          from->second.first, from->second.second, m_arrows, name, args);
      put("\"ph\":\"f\",\"bp\":\"e\",\"pid\":{},\"tid\":{},\"ts\":{},\"id\":{},\"name\":{},\"cat\":\"race\",\"args\":{}",
          m_launch.number, to->second.first, std::max(to->second.second, from->second.second), m_arrows, name, args);
    }
    m_clock += std::max<std::uint64_t>(m_longest, 1) + 10;
  }

 private:
  static constexpr std::uint64_t any_interval = ~std::uint64_t{0};
  using Times =
      std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>;

  static std::string called(Race const& race) {
    return race.id.empty() ? race.finding.rule : race.id + ' ' + race.finding.rule;
  }
  std::uint32_t lanes() const { return m_launch.config.team_size * m_launch.config.vector_length; }
  std::uint32_t warp_of(FindingRecord::Side const& side) const {
    return (side.thread * m_launch.config.vector_length + side.vector_lane) / m_run.warp_width;
  }
  Times::const_iterator time_of(FindingRecord::Side const& side) const {
    return m_times.find({side.league, warp_of(side), side.has_interval ? side.interval : any_interval});
  }
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... values) {
    m_output << (m_first ? "\n{" : ",\n{") << fmt::format(format, std::forward<T>(values)...) << '}';
    m_first = false;
  }

  Findings m_found;
  model::Device const& m_device;
  RunRecord m_run;
  LaunchRecord m_launch;
  TeamTimes m_team;
  WarpAccesses m_warps;
  std::vector<IntervalTime> m_intervals;
  Times m_times;  ///< track and time of the sides of races
  std::ostream& m_output;
  std::uint64_t m_clock = 0, m_longest = 0, m_arrows = 0;
  bool m_first = true;
};

}  // namespace

std::string write_perfetto(std::string const& file, TraceFilter const& filter, model::Device const& device,
                           std::ostream& output) {
  Findings found;
  walk(file, filter, found, false);
  Writer writer(std::move(found), device, output);
  std::string const damage = walk(file, filter, writer);
  writer.finish();
  return damage;
}

}  // namespace teamsan::traces
