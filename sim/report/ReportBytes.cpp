#include <teamsan/sim/report/ReportBytes.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace teamsan {

namespace {

using traces::ByteReader;
using traces::Bytes;

/// One function a type says its fields, to both.
struct Out {
  Bytes bytes;
  template <class T>
  void number(T const& value) {
    traces::put(bytes, static_cast<std::uint64_t>(value));
  }
  void text(std::string const& value) { traces::put(bytes, std::string_view(value)); }
  std::size_t size(std::size_t count) {
    traces::put(bytes, count);
    return count;
  }
};
struct In {
  ByteReader bytes;
  template <class T>
  void number(T& value) {
    value = static_cast<T>(bytes.number());
  }
  void text(std::string& value) { value = bytes.text(); }
  std::size_t size(std::size_t) {
    std::uint64_t const count = bytes.number();
    if (count > bytes.left()) throw traces::TraceError("a list of a report is cut off");
    return static_cast<std::size_t>(count);
  }
};

template <class Io, class T>
void tell(Io& io, T& value);

template <class Io, class... T>
void all(Io& io, T&... values) {
  (tell(io, values), ...);
}

template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};

template <class Io, class T>
void tell(Io& io, T& v) {
  if constexpr (std::is_same_v<T, std::string>) {
    io.text(v);
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    io.number(v);
  } else if constexpr (is_vector<T>::value) {
    std::size_t const size = io.size(v.size());
    if constexpr (std::is_same_v<Io, In>) v.resize(size);
    for (auto& element : v) tell(io, element);
  } else if constexpr (std::is_same_v<T, Place>) {
    all(io, v.file, v.line, v.column, v.function, v.path, v.internal);
  } else if constexpr (std::is_same_v<T, Trail>) {
    all(io, v.place, v.callers, v.function);
  } else if constexpr (std::is_same_v<T, Side>) {
    all(io, v.access, v.bytes, v.has_lane, v.league, v.thread, v.vector_lane, v.warp, v.has_interval, v.interval, v.pc,
        v.callers, v.actor, v.role);
  } else if constexpr (std::is_same_v<T, Data>) {
    all(io, v.kind, v.label, v.scratch_level, v.offset, v.bytes, v.element_bytes, v.obtained_pc, v.shape, v.index);
  } else if constexpr (std::is_same_v<T, Finding>) {
    all(io, v.rule, v.severity, v.title, v.kernel, v.policy, v.launch, v.league_size, v.region, v.data, v.sides, v.why,
        v.fix, v.message, v.sync_alone, v.count, v.teams);
  } else if constexpr (std::is_same_v<T, ReportedSide>) {
    all(io, v.side, v.trail, v.source);
  } else if constexpr (std::is_same_v<T, ReportedFinding>) {
    all(io, v.finding, v.sides, v.obtained, v.launches, v.kernel_launch, v.id);
  } else if constexpr (std::is_same_v<T, TrafficCounts>) {
    all(io, v.requests, v.lane_accesses, v.wavefronts, v.ideal_wavefronts, v.sectors, v.ideal_sectors);
  } else if constexpr (std::is_same_v<T, WorstWarp>) {
    all(io, v.league, v.warp, v.occurrence, v.active, v.misalignment, v.cost, v.ideal, v.vector_length, v.launch);
    for (std::int64_t& offset : v.offsets) tell(io, offset);
  } else if constexpr (std::is_same_v<T, AccessSite>) {
    all(io, v.pc, v.operation, v.bytes_per_lane, v.banked, v.data, v.counts, v.worst);
  } else if constexpr (std::is_same_v<T, ReportedSite>) {
    all(io, v.site, v.place, v.source, v.fix);
  } else if constexpr (std::is_same_v<T, ReportedTraffic>) {
    all(io, v.kernel, v.policy, v.warp_width, v.launches, v.teams, v.teams_of_all, v.shared_loads, v.shared_stores,
        v.shared_atomics, v.global_loads, v.global_stores, v.global_atomics, v.sites);
  } else if constexpr (std::is_same_v<T, ProgramFacts>) {
    all(io, v.arguments, v.flags, v.device, v.device_name, v.kernels, v.kernel_names, v.launches, v.launches_checked,
        v.suppressed, v.crashed, v.notes);
  } else {
    static_assert(std::is_same_v<T, Report>);
    all(io, v.program, v.findings, v.kernels);
  }
}

template <class T>
void add_missing(std::vector<T>& to, std::vector<T> const& from) {
  for (T const& one : from)
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

void merge_traffic_into(ReportedTraffic& to, ReportedTraffic&& from) {
  to.launches += from.launches;
  to.teams += from.teams;
  to.teams_of_all += from.teams_of_all;
  to.shared_loads.add(from.shared_loads);
  to.shared_stores.add(from.shared_stores);
  to.shared_atomics.add(from.shared_atomics);
  to.global_loads.add(from.global_loads);
  to.global_stores.add(from.global_stores);
  to.global_atomics.add(from.global_atomics);
  for (ReportedSite& fresh : from.sites) {
    auto const known = std::find_if(to.sites.begin(), to.sites.end(), [&](ReportedSite const& s) {
      return s.place == fresh.place && s.site.operation == fresh.site.operation && s.site.banked == fresh.site.banked &&
             s.site.bytes_per_lane == fresh.site.bytes_per_lane && s.site.data.label == fresh.site.data.label;
    });
    if (known == to.sites.end()) {
      to.sites.push_back(std::move(fresh));
      continue;
    }
    known->site.counts.add(fresh.site.counts);
    if (fresh.site.worst.cost - fresh.site.worst.ideal > known->site.worst.cost - known->site.worst.ideal)
      known->site.worst = fresh.site.worst;
  }
  std::stable_sort(to.sites.begin(), to.sites.end(),
                   [](ReportedSite const& a, ReportedSite const& b) { return a.excess() > b.excess(); });
}

}  // namespace

Bytes report_bytes(Report const& report) {
  Out out;
  tell(out, const_cast<Report&>(report));
  return std::move(out.bytes);
}

Report report_of(std::span<std::uint8_t const> bytes) {
  Report report;
  In in{ByteReader(bytes)};
  tell(in, report);
  return report;
}

Report merge_reports(std::vector<Report> reports) {
  Report result = std::move(reports.front());
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i != result.findings.size(); ++i) known.emplace(result.findings[i].id, i);
  for (std::size_t r = 1; r != reports.size(); ++r) {
    ProgramFacts& program = result.program;
    ProgramFacts const& other = reports[r].program;
    add_missing(program.kernel_names, other.kernel_names);
    std::sort(program.kernel_names.begin(), program.kernel_names.end());
    program.kernels = program.kernel_names.size();
    program.launches += other.launches;
    program.launches_checked += other.launches_checked;
    program.suppressed += other.suppressed;
    program.crashed |= other.crashed;
    add_missing(program.notes, other.notes);
    for (ReportedFinding& fresh : reports[r].findings) {
      auto const [it, first] = known.try_emplace(fresh.id, result.findings.size());
      if (first) {
        result.findings.push_back(std::move(fresh));
        continue;
      }
      ReportedFinding& kept = result.findings[it->second];
      kept.finding.count += fresh.finding.count;
      kept.finding.teams += fresh.finding.teams;
      kept.finding.severity = std::max(kept.finding.severity, fresh.finding.severity);
      kept.launches += fresh.launches;
    }
    for (ReportedTraffic& fresh : reports[r].kernels) {
      auto const same = std::find_if(result.kernels.begin(), result.kernels.end(),
                                     [&](ReportedTraffic const& k) { return k.kernel == fresh.kernel; });
      if (same == result.kernels.end())
        result.kernels.push_back(std::move(fresh));
      else
        merge_traffic_into(*same, std::move(fresh));
    }
  }
  return result;
}

}  // namespace teamsan
