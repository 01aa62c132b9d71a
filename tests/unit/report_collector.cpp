// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Merging: what counts as the same finding, in which order findings come out, and what an id hangs on.
#include "../../sim/findings/Collector.hpp"
#include "../../sim/places/Sites.hpp"
#include "../../sim/findings/Sentences.hpp"
#include "../../sim/findings/TeamCount.hpp"
#include "../../sim/places/SourceFile.hpp"
#include "../../sim/process/FinishedReport.hpp"
#include "../../sim/report/Merge.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <fstream>
#include <thread>

#include <gnu/libc-version.h>

using namespace teamsan;

namespace {

[[gnu::noinline]] Site here() {
  asm volatile("" ::: "memory");  // each call is one of its own
  return site_at(__builtin_extract_return_addr(__builtin_return_address(0)));
}

Finding race(Site first, Site second, std::string kernel = "k", std::string label = "a") {
  Finding finding;
  finding.rule = Rule::global_race;
  finding.kernel = std::move(kernel);
  finding.launch = 1;
  finding.data.kind = Data::Kind::view;
  finding.data.label = std::move(label);
  finding.sides.resize(2);
  finding.sides[0].site = first;
  finding.sides[1].site = second;
  return finding;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_findings_are_counted) {
  Collector collector;
  for (int i = 0; i < 5; ++i) collector.add(race(Site{10}, Site{20}));
  BOOST_REQUIRE(collector.findings().size() == 1u);
  BOOST_TEST(collector.findings()[0].count == 5u);
  BOOST_TEST(collector.errors() == 1u);
}

BOOST_AUTO_TEST_CASE(other_sites_kernels_and_labels_are_other_findings_in_order) {
  Collector collector;
  collector.add(race(Site{10}, Site{20}));
  collector.add(race(Site{11}, Site{20}));
  collector.add(race(Site{10}, Site{20}, "other"));
  collector.add(race(Site{10}, Site{20}, "k", "b"));
  collector.add(race(Site{10}, Site{20}));
  auto const findings = collector.findings();
  BOOST_REQUIRE(findings.size() == 4u);
  BOOST_TEST(findings[0].count == 2u);
  BOOST_TEST((findings[1].sides[0].site == Site{11}));
  BOOST_TEST(findings[2].kernel == "other");
  BOOST_TEST(findings[3].data.label == "b");
}

BOOST_AUTO_TEST_CASE(the_first_finding_is_the_example) {
  Collector collector;
  for (std::uint64_t league : {3, 4, 5}) {
    Finding finding = race(Site{10}, Site{20});
    finding.sides[0].league = league;
    collector.add(std::move(finding));
  }
  BOOST_TEST(collector.findings()[0].sides[0].league == 3u);
}

BOOST_AUTO_TEST_CASE(an_error_is_no_warning_because_a_warning_came_first) {
  Collector collector;
  Finding warning = race(Site{10}, Site{20});
  warning.severity = Severity::warning;
  for (Severity const severity : {Severity::warning, Severity::error, Severity::warning}) {
    Finding next = warning;
    next.severity = severity;
    next.teams = severity == Severity::error ? 19 : 1;
    collector.add(std::move(next));
  }
  BOOST_REQUIRE(collector.findings().size() == 1u);
  BOOST_TEST((collector.findings()[0].severity == Severity::error));
  BOOST_TEST(collector.findings()[0].count == 3u);
  BOOST_TEST(collector.findings()[0].teams == 19u);
  BOOST_TEST(collector.errors() == 1u);
  BOOST_TEST(collector.warnings() == 0u);
}

BOOST_AUTO_TEST_CASE(sites_of_one_line_become_one_finding) {
  Site one{}, two{}, other{};
  one = here(), two = here();
  other = here();
  Collector collector;
  collector.add(race(one, other));
  collector.add(race(two, other));
  collector.add(race(other, two));  // the same pair of lines, seen from the other side
  collector.add(race(other, other));
  BOOST_TEST(collector.findings().size() == 4u);
  Report const report = finished_report(collector);
  BOOST_REQUIRE(report.findings.size() == 2u);
  BOOST_TEST(report.findings[0].finding.count == 3u);
  BOOST_TEST(report.findings[0].sides[0].source.find("one = here()") != std::string::npos);
  BOOST_TEST(report.findings[0].id != report.findings[1].id);
  BOOST_TEST(report.count(Severity::error) == 2u);
}

BOOST_AUTO_TEST_CASE(ids_hang_on_kernel_and_label_but_not_on_lanes) {
  Site const site = here();
  auto const id_of = [&](Finding finding) { return merge_by_lines({{std::move(finding), {}, 0}}).at(0).id; };
  std::string const id = id_of(race(site, site));
  BOOST_TEST(id.size() == 11u);
  BOOST_TEST(id.starts_with("TS-"));
  BOOST_TEST(id_of(race(site, site, "other")) != id);
  BOOST_TEST(id_of(race(site, site, "k", "b")) != id);
  Finding moved = race(site, site);
  moved.launch = 9;
  moved.sides[0].league = 7;
  moved.count = 1000;
  BOOST_TEST(id_of(moved) == id);
}

BOOST_AUTO_TEST_CASE(sentences_name_places_and_labels_stay_as_they_are) {
  Site const site = here();
  unsigned const line = __LINE__ - 1;
  Finding finding = race(site, site);
  std::string const label = "tmp{first}{pc:10}";
  finding.why = {because(Reason::largest_frame, CodePlace{site}, 3), because(Reason::index_beyond, label, "extent 64")};
  finding.fix = remedy(Cure::iterations_hand_over);
  auto const found = merge_by_lines({{finding, {}, 0}}).at(0);
  std::string const place = "report_collector.cpp:" + std::to_string(line);
  BOOST_TEST(found.why[0].find(place + ", takes 3 bytes") != std::string::npos, found.why[0]);
  BOOST_TEST(found.why[1] == label + ", extent 64");
  BOOST_TEST(found.fix.find("between ") == 0u);
  BOOST_TEST(found.fix.find(place + " and ") != std::string::npos, found.fix);
  BOOST_TEST(found.fix.find(place + " let the one") != std::string::npos, found.fix);
}

BOOST_AUTO_TEST_CASE(launches_are_numbered_by_kernel) {
  Collector collector;
  collector.begin_launch("a", 1, true);
  collector.begin_launch("b", 2, false);
  collector.begin_launch("a", 3, true);
  Finding finding = race(here(), here(), "a");
  finding.launch = 3;
  collector.add(std::move(finding));
  Report const report = finished_report(collector);
  BOOST_TEST(report.findings.at(0).kernel_launch == 2u);
  BOOST_TEST(report.program.launches == 3u);
  BOOST_TEST(report.program.launches_checked == 2u);
  BOOST_TEST(report.program.kernels == 1u);
}

BOOST_AUTO_TEST_CASE(what_lines_decide_is_not_told_without_lines) {
  Collector collector;
  collector.add(race(Site{10}, here()));
  Finding outside = race(Site{10}, here());
  outside.rule = Rule::out_of_bounds;
  collector.add(std::move(outside));
  Report const report = finished_report(collector);
  BOOST_REQUIRE(report.findings.size() == 1u);
  BOOST_TEST((report.findings[0].finding.rule == Rule::out_of_bounds));
  BOOST_TEST(!report.program.judged);
  BOOST_REQUIRE(report.program.notes.size() == 1u);
  BOOST_TEST(report.program.notes[0].starts_with("1 finding is not told, since the program has no line tables there"));
}

BOOST_AUTO_TEST_CASE(functions_without_lines_are_named) {
  Collector collector;
  Site const in_c_library =
      site_of(reinterpret_cast<std::uintptr_t>(&gnu_get_libc_version) + 4);  // no distribution ships its lines
  for (char const* const kernel : {"a", "b"}) collector.add(race(in_c_library, here(), kernel));
  Report const report = finished_report(collector);
  BOOST_TEST(report.findings.empty());
  BOOST_REQUIRE(report.program.notes.size() == 1u);
  BOOST_TEST(report.program.notes[0].starts_with(
      "2 findings are not told, since the program has no line tables there (in gnu_get_libc_version): Kokkos' own"));
}

BOOST_AUTO_TEST_CASE(too_many_different_findings_are_counted_in_a_note) {
  Collector collector;
  for (std::size_t i = 0; i < Collector::max_distinct + 7; ++i) {
    collector.add(race(Site{}, Site{}, std::to_string(i)));
  }
  BOOST_TEST(collector.findings().size() == Collector::max_distinct);
  BOOST_TEST(collector.errors() == Collector::max_distinct + 7);
  Report const report = finished_report(collector);
  BOOST_REQUIRE(report.program.notes.size() == 1u);
  BOOST_TEST(report.program.notes[0].find("; 7 of the later ones") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(threads_may_report_at_once) {
  Collector collector;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::uint32_t i = 0; i < 1000; ++i) collector.add(race(Site{i % 10}, Site{20}));
    });
  for (auto& thread : threads) thread.join();
  std::uint64_t sum = 0;
  for (auto const& finding : collector.findings()) sum += finding.count;
  BOOST_TEST(collector.findings().size() == 10u);
  BOOST_TEST(sum == 4000u);
}

BOOST_AUTO_TEST_CASE(notes_are_kept_once) {
  Collector collector;
  collector.note("the order of teams mattered");
  collector.note("the order of teams mattered");
  BOOST_TEST(finished_report(collector).program.notes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(teams_of_one_launch_are_not_added_twice) {
  TeamCount count, other;
  count.add(1, 128);
  count.add(1, 100);
  count.add(2, 5);
  other.add(1, 128);
  other.add(3, 1);
  count.merge(other);
  BOOST_TEST(count.teams() == 134u);
  BOOST_TEST(count.launches() == 3u);
  TeamCount many;
  for (std::uint64_t launch = 1; launch <= 20000; ++launch) many.add(launch, 2);
  BOOST_TEST(many.launches() == 20000u);
  BOOST_TEST(many.teams() == 40000u);
}

BOOST_AUTO_TEST_CASE(quoted_lines) {
  std::string const path = "report_collector_source.txt";
  std::ofstream(path) << "first\n\tsecond  \r\nthird";
  BOOST_TEST(source_line(path, 1) == "first");
  BOOST_TEST(source_line(path, 2) == "    second");
  BOOST_TEST(source_line(path, 3) == "third");
  BOOST_TEST(source_line(path, 4) == "");
  BOOST_TEST(source_line(path, 0) == "");
  BOOST_TEST(source_line("no/such/file", 1) == "");
  std::remove(path.c_str());
  BOOST_TEST(normalised_source("   a( i )  =\t1;  // why") == "a( i ) = 1;");
  BOOST_TEST(normalised_source("puts(\"http://x\"); // y") == "puts(\"http://x\");");
}
