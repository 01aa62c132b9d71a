// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The golden traces as Perfetto and spreadsheets get them. ui.perfetto.dev asks of the JSON form: valid JSON; slices
/// of a track nest; an arrow begins and ends inside a slice of its track; counters are numbers; every track has a name.
#include <boost/test/unit_test.hpp>

#include "../../traces/EventCsv.hpp"
#include "../../traces/PerfettoJson.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace teamsan;
using Json = nlohmann::json;

namespace {

std::filesystem::path samples() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "traces" / "samples";
}

std::vector<std::string> all_samples() {
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(samples()))
    if (entry.path().extension() == ".trace") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

Json perfetto(std::string const& file, traces::TraceFilter const& filter = {}) {
  std::ostringstream output;
  BOOST_CHECK_EQUAL(traces::write_perfetto(file, filter, *model::find_device("h100"), output), "");
  return Json::parse(output.str());
}

using Track = std::pair<std::uint64_t, std::uint64_t>;
Track track_of(Json const& event) { return {event.at("pid"), event.value("tid", 0)}; }

struct Slice {
  std::uint64_t begin, end;
};

void check_rules(Json const& trace) {
  std::map<Track, std::vector<Slice>> slices;
  std::set<Track> named;
  std::map<std::uint64_t, int> arrows;
  for (Json const& e : trace.at("traceEvents")) {
    std::string const phase = e.at("ph");
    if (phase == "X") {
      BOOST_REQUIRE(e.at("ts").is_number_unsigned() && e.at("dur").is_number_unsigned() && e.at("name").is_string());
      slices[track_of(e)].push_back({e.at("ts"), e.at("ts").get<std::uint64_t>() + e.at("dur").get<std::uint64_t>()});
    } else if (phase == "M" && e.at("name") == "thread_name") {
      named.insert(track_of(e));
    } else if (phase == "C") {
      for (auto const& [name, value] : e.at("args").items()) BOOST_REQUIRE(value.is_number());
    }
  }
  for (auto& [track, list] : slices) {
    BOOST_CHECK(named.contains(track));
    std::sort(list.begin(), list.end(), [](Slice const& a, Slice const& b) {
      return std::pair(a.begin, b.end) < std::pair(b.begin, a.end);
    });
    std::vector<Slice> open;
    for (Slice const& s : list) {
      while (!open.empty() && open.back().end <= s.begin) open.pop_back();
      BOOST_CHECK(open.empty() || s.end <= open.back().end);
      open.push_back(s);
    }
  }
  for (Json const& e : trace.at("traceEvents")) {
    std::string const phase = e.at("ph");
    if (phase != "s" && phase != "f") continue;
    arrows[e.at("id")] += phase == "s" ? 1 : -1;
    std::uint64_t const at = e.at("ts");
    auto const& list = slices[track_of(e)];
    BOOST_CHECK(std::any_of(list.begin(), list.end(), [&](Slice const& s) { return s.begin <= at && at <= s.end; }));
    if (phase == "f") BOOST_CHECK_EQUAL(e.at("bp"), "e");
  }
  for (auto const& [id, balance] : arrows) BOOST_CHECK_EQUAL(balance, 0);
}

std::size_t count(Json const& trace, std::string const& phase) {
  auto const& events = trace.at("traceEvents");
  return static_cast<std::size_t>(
      std::count_if(events.begin(), events.end(), [&](Json const& e) { return e.at("ph") == phase; }));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_sample_follows_the_rules) {
  BOOST_REQUIRE_GE(all_samples().size(), 12u);
  for (std::string const& file : all_samples()) {
    BOOST_TEST_CONTEXT(file) check_rules(perfetto(file));
  }
}

BOOST_AUTO_TEST_CASE(races_are_arrows_and_conflicts_counters) {
  Json const race = perfetto((samples() / "scratch-race.trace").string());
  BOOST_CHECK_GE(count(race, "s"), 1u);
  BOOST_CHECK_EQUAL(count(race, "s"), count(race, "f"));
  for (Json const& e : race.at("traceEvents")) {
    if (e.at("ph") != "s" && e.at("ph") != "f") continue;
    BOOST_TEST_CONTEXT(e.dump()) {
      BOOST_CHECK(std::regex_match(e.at("args").at("first").get<std::string>(), std::regex(".*\\.cpp:[0-9]+")));
      BOOST_CHECK(std::regex_match(e.at("args").at("second").get<std::string>(), std::regex(".*\\.cpp:[0-9]+")));
      BOOST_CHECK(e.at("args").contains("id"));
    }
  }
  BOOST_CHECK(std::ranges::any_of(race.at("traceEvents"), [](Json const& e) {
    return e.value("cat", "") == "interval" && e.contains("args") &&
           std::regex_match(e.at("args").at("findings").at(0).get<std::string>(),
                            std::regex("(TS-[0-9a-f]+ )?scratch-race at .*\\.cpp:[0-9]+"));
  }));
  Json const conflict = perfetto((samples() / "bank-conflict.trace").string());
  std::uint64_t most = 0;
  for (Json const& e : conflict.at("traceEvents"))
    if (e.at("ph") == "C") most = std::max<std::uint64_t>(most, e.at("args").at("ways"));
  BOOST_CHECK_EQUAL(most, 32u);
}

BOOST_AUTO_TEST_CASE(filters_leave_out) {
  std::string const file = (samples() / "scratch-race.trace").string();
  traces::TraceFilter one;
  one.team = 0;
  BOOST_CHECK_LT(count(perfetto(file, one), "X"), count(perfetto(file), "X"));
  traces::TraceFilter none;
  none.kernel = "no such kernel*";
  BOOST_CHECK_EQUAL(count(perfetto(file, none), "X"), 0u);
  traces::TraceFilter second;
  second.launches = {2};
  Json const matmul = perfetto(file, second);
  BOOST_CHECK_GT(count(matmul, "X"), 0u);
  BOOST_CHECK_LT(count(matmul, "X"), count(perfetto(file), "X"));
  for (Json const& e : matmul.at("traceEvents"))
    if (e.at("ph") == "X") BOOST_CHECK_EQUAL(e.at("pid"), 2u);
}

BOOST_AUTO_TEST_CASE(spreadsheets_get_a_line_an_access) {
  std::ostringstream output;
  BOOST_CHECK_EQUAL(traces::write_csv((samples() / "global-race.trace").string(), {}, output), "");
  std::istringstream lines(output.str());
  std::string line;
  std::getline(lines, line);
  BOOST_CHECK_EQUAL(line, "launch,kernel,team,lane,interval,access,bytes,space,offset,view,file,line");
  std::size_t rows = 0, named = 0;
  for (; std::getline(lines, line); ++rows) {
    BOOST_REQUIRE_EQUAL(std::count(line.begin(), line.end(), ','), 11);
    named += line.find(",device,") != std::string::npos && line.find("neighbour_team.cpp") != std::string::npos;
  }
  BOOST_CHECK_GT(rows, 0u);
  BOOST_CHECK_GT(named, 0u);
}

BOOST_AUTO_TEST_CASE(patterns_match_as_shells_do) {
  BOOST_CHECK(traces::matches("*", ""));
  BOOST_CHECK(traces::matches("assem*", "assemble"));
  BOOST_CHECK(traces::matches("*sem*le", "assemble"));
  BOOST_CHECK(!traces::matches("assem", "assemble"));
  BOOST_CHECK(!traces::matches("*x*", "assemble"));
}
