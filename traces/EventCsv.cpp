// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// RFC 4180: fields that hold a comma, a quote or a line's end are quoted.
#include "EventCsv.hpp"

#include "AccessVisitor.hpp"
#include "Printable.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

namespace teamsan::traces {

namespace {

std::string field(std::string_view raw) {
  std::string const text = printable(raw);
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"') result += c;
    result += c;
  }
  return result + '"';
}

class Csv : public AccessVisitor {
 public:
  explicit Csv(std::ostream& output) : m_output(output) {
    m_output << "launch,kernel,team,lane,interval,access,bytes,space,offset,view,file,line\n";
  }
  void on_frames(FramesRecord const& frames) override {
    std::string& place = m_places[frames.site];
    for (auto const& f : frames.frames) {
      if (f.line == 0) continue;
      if (place.empty() || !f.internal) place = fmt::format("{},{}", field(f.file), f.line);
      if (!f.internal) break;
    }
  }
  void on_allocate(AllocateRecord const& a) override { m_views[a.address] = a; }

 protected:
  void on_access(LaneAccess const& a) override {
    AddressSpace const* const space = space_of(run(), a.address);
    std::string view;
    std::uint64_t offset = space ? a.address - space->begin : a.address;
    if (auto after = m_views.upper_bound(a.address); after != m_views.begin()) {
      AllocateRecord const& v = (--after)->second;
      if (a.address - v.address < v.bytes) {
        view = v.label;
        offset = a.address - v.address - v.header_bytes;
      }
    }
    auto const place = m_places.find(a.site);
    m_output << fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", launch().number, field(launch().config.label),
                            league_rank(), a.lane, a.interval, name_of(a.kind), a.bytes, space ? field(space->name) : "host",
                            offset, field(view),
                            place == m_places.end() || place->second.empty() ? "," : place->second);
  }

 private:
  std::ostream& m_output;
  std::map<std::uint64_t, AllocateRecord> m_views;
  std::unordered_map<Site, std::string> m_places;  ///< "file,line"
};

}  // namespace

std::string write_csv(std::string const& file, TraceFilter const& filter, std::ostream& output) {
  Csv csv(output);
  return walk(file, filter, csv);
}

}  // namespace teamsan::traces
