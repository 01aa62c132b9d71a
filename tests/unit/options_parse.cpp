// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// TEAMSAN_OPTIONS: what is understood, and the one sentence for what is not.
#include "../../sim/base/CheckList.hpp"
#include "../../sim/base/NearestName.hpp"
#include "../../sim/base/Options.hpp"

#include <boost/test/unit_test.hpp>

#include "../../model/device/Device.hpp"

using namespace teamsan;

namespace {

std::string mistake(std::string_view text) {
  try {
    parse_options(text);
  } catch (OptionError const& error) {
    return error.what();
  }
  return "";
}

std::uint64_t bits(std::initializer_list<Rule> rules) {
  std::uint64_t sum = 0;
  for (Rule const rule : rules) sum |= 1ull << static_cast<unsigned>(rule);
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_gives_the_defaults) {
  Options const options = parse_options("");
  BOOST_TEST(options.device == "h100");
  BOOST_TEST(options.error_exitcode == 66);
  BOOST_TEST(options.team == -1);
  BOOST_TEST(options.summary);
  BOOST_TEST(options.enabled(Rule::scratch_race));
  BOOST_TEST(options.model().name == "h100");
}

BOOST_AUTO_TEST_CASE(keys_of_every_type) {
  Options const options =
      parse_options("seed=7:quick:strict=yes:summary=0:team=12:stack_size=256K:memory_limit=3G:slice=5000");
  BOOST_TEST(options.seed == 7u);
  BOOST_TEST(options.quick);
  BOOST_TEST(options.strict);
  BOOST_TEST(!options.summary);
  BOOST_TEST(options.team == 12);
  BOOST_TEST(options.stack_size == std::size_t{256} << 10);
  BOOST_TEST(options.memory_limit == std::size_t{3} << 30);
  BOOST_TEST(options.slice == 5000u);
}

BOOST_AUTO_TEST_CASE(recorded_options_name_no_file) {
  // None of these is opened either.
  Options const options = parse_recorded_options(
      "suppressions=/dev/zero:baseline=/nowhere:report=json=a:report=trace=b:trace=c:log_file=d:outputs=e:seed=7:help=0");
  for (std::string const& file : {options.suppressions, options.baseline, options.report, options.trace, options.log_file,
                                  options.outputs})
    BOOST_TEST(file == "");
  BOOST_TEST(options.seed == 7u);
  BOOST_CHECK_THROW(parse_recorded_options("device=h10"), OptionError);
  BOOST_CHECK_THROW(parse_recorded_options("trace=\"a:report=json=b"), OptionError);
  BOOST_TEST(parse_recorded_options("help=1").seed == 1u);
}

BOOST_AUTO_TEST_CASE(options_are_written_as_they_are_read) {
  BOOST_TEST(options_text(Options{}) == "");
  Options const options = parse_options("seed=7:kernel_name='a:b \"c':summary=0:team=3:log_file=x");
  BOOST_TEST(options_text(options) == "seed=7:kernel_name=\"a:b \\\"c\":team=3:summary=0");
  BOOST_TEST(parse_options(options_text(options)).kernel_name == options.kernel_name);
}

BOOST_AUTO_TEST_CASE(values_may_be_quoted) {
  BOOST_TEST(parse_options("kernel_name='ns::f g':seed=2").kernel_name == "ns::f g");
  BOOST_TEST(parse_options("kernel_name=\"say \\\"a:b\\\"\"").kernel_name == "say \"a:b\"");
  BOOST_TEST(parse_options("log_file='C:\\x'").log_file == "C:\\x");
  for (std::string const value : {"plain", "a:b", "a b", "it's", "\"", "\\", "a\\b:c", ""})
    BOOST_TEST(parse_options("kernel_name=" + quoted_option_value(value) + ":seed=3").kernel_name == value);
}

BOOST_AUTO_TEST_CASE(blanks_and_line_ends_separate_too) {
  Options const options = parse_options("  seed=3\n quick :: team=1\t");
  BOOST_TEST(options.seed == 3u);
  BOOST_TEST(options.quick);
  BOOST_TEST(options.team == 1);
}

BOOST_AUTO_TEST_CASE(later_keys_win_and_reports_add_up) {
  Options const options = parse_options("seed=1:seed=2:report=text=a:report='lines=b c'");
  BOOST_TEST(options.seed == 2u);
  BOOST_TEST(options.report == "text=a\nlines=b c");
}

BOOST_AUTO_TEST_CASE(mistakes_are_one_sentence_with_the_nearest_name) {
  BOOST_TEST(mistake("devcie=h100") ==
             "unknown option \"devcie\" in TEAMSAN_OPTIONS; the nearest known one is \"device\"");
  BOOST_TEST(mistake("print-limt=3") ==
             "unknown option \"print-limt\" in TEAMSAN_OPTIONS; the nearest known one is \"print_limit\"");
  BOOST_TEST(mistake("kernel_name=ns::hlp") ==
             "unknown option \"hlp\" in TEAMSAN_OPTIONS; the nearest known one is \"help\" (a value that holds "
             "':' must stand in quotes)");
  BOOST_TEST(mistake("device=h10") ==
             "unknown device \"h10\"; the nearest known one is \"h100\"; `teamsan devices` lists all");
  BOOST_TEST(mistake("check=rase") == "unknown check \"rase\"; the nearest known one is \"race\"");
  BOOST_TEST(mistake("lane_order=asc") ==
             "unknown lane_order \"asc\"; the nearest known one is \"ascending\"");
  BOOST_TEST(mistake("usm_aspects=-sistem") ==
             "unknown aspect \"sistem\" in usm_aspects; the nearest known one is \"system\"");
  BOOST_TEST(mistake("page_size=5000") ==
             "page_size=5000 is not understood; page_size takes a power of two from 4096 on");
  BOOST_TEST(mistake("seed=abc") == "seed=abc is not understood; seed takes a whole number");
  BOOST_TEST(mistake("seed=-1") == "seed=-1 is not understood; seed takes a whole number");
  BOOST_TEST(mistake("seed") == "seed= is not understood; seed takes a value: write seed=N");
  BOOST_TEST(mistake("device") == "device= is not understood; device takes a value: write device=NAME");
  BOOST_TEST(mistake("quick=maybe") ==
             "quick=maybe is not understood; quick takes 0 or 1 (also false, true, no, yes)");
  BOOST_TEST(
      mistake("stack_size=12Q") ==
      "stack_size=12Q is not understood; stack_size takes a whole number, with K, M or G for larger units");
  BOOST_TEST(mistake("stack_size=1") ==
             "stack_size=1 is not understood; stack_size takes a number from 16384 to 1073741824");
  BOOST_TEST(mistake("memory_limit=99999999999G") ==
             "memory_limit=99999999999G is not understood; memory_limit takes a smaller number");
  BOOST_TEST(mistake("error_exitcode=256") ==
             "error_exitcode=256 is not understood; error_exitcode takes a number from 0 to 255");
  BOOST_TEST(mistake("kernel_name='a") == "the value of kernel_name opens a ' quote that nothing closes");
  BOOST_TEST(mistake("report=sarf=x") == "unknown report format \"sarf\"; the nearest known one is \"sarif\"");
}

BOOST_AUTO_TEST_CASE(check_lists) {
  std::uint64_t const all = parse_check_list("all");
  BOOST_TEST(parse_check_list("none") == 0u);
  BOOST_TEST(parse_check_list("race") ==
             bits({Rule::scratch_race, Rule::global_race, Rule::unfenced_handover, Rule::same_value, Rule::lane_redundant,
                   Rule::crash}));
  BOOST_TEST(parse_check_list("scratch-race,limit") == bits({Rule::scratch_race, Rule::limit, Rule::crash}));
  BOOST_TEST(parse_check_list("-same-value") == (all & ~bits({Rule::same_value})));
  BOOST_TEST(parse_check_list("all,-crash") == (all & ~bits({Rule::crash})));
  BOOST_TEST(parse_check_list("none,deadlock") == bits({Rule::deadlock}));
  BOOST_TEST(parse_check_list("racecheck") == parse_check_list("race"));
  BOOST_TEST(parse_check_list("memcheck") == parse_check_list("bounds,space"));
  BOOST_TEST(parse_check_list("initcheck") == parse_check_list("uninit"));
  BOOST_TEST(parse_check_list("synccheck") == parse_check_list("sync"));
  BOOST_CHECK_THROW(parse_check_list(""), OptionError);
  BOOST_CHECK_THROW(parse_check_list("-nothing"), OptionError);
}

BOOST_AUTO_TEST_CASE(nearest_names) {
  std::string_view const names[] = {"race", "uninit", "error_exitcode", "launch_count"};
  BOOST_TEST(nearest_name("rcae", names) == "race");
  BOOST_TEST(nearest_name("Error-Exitcod", names) == "error_exitcode");
  BOOST_TEST(nearest_name("launch", names) == "launch_count");
  BOOST_TEST(nearest_name("x", {}) == "");
}

BOOST_AUTO_TEST_CASE(help_names_every_key) {
  std::string const help = options_help();
  for (OptionInfo const& info : option_list()) {
    BOOST_TEST(help.find("  " + std::string(info.name) + "=") != std::string::npos);
    BOOST_TEST(help.find(info.help) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(flags_for_a_second_run) {
  BOOST_TEST(reproducing_flags(parse_options("")).empty());
  std::vector<std::string> const expected{"--device", "a100", "--seed", "4", "--strict"};
  std::vector<std::string> const flags =
      reproducing_flags(parse_options("device=a100:seed=4:strict:num_threads=2"));
  BOOST_TEST(flags == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_hint_names_what_is_near) {
  std::string_view const few[] = {"ascending", "descending", "shuffle"};
  BOOST_TEST(hint_at("ascendin", few) == "; the nearest known one is \"ascending\"");
  BOOST_TEST(hint_at("sideways", few) == "; known are ascending, descending, shuffle");
  BOOST_TEST(hint_at("x", {}) == "");
  BOOST_TEST(mistake("sede=3") == "unknown option \"sede\" in TEAMSAN_OPTIONS; the nearest known one is \"seed\"");
  BOOST_TEST(mistake("history_size=7") == "unknown option \"history_size\" in TEAMSAN_OPTIONS");
  BOOST_TEST(mistake("check=everything-else") == "unknown check \"everything-else\"");
}

BOOST_AUTO_TEST_CASE(options_as_users_of_other_sanitizers_type_them) {
  BOOST_TEST(parse_options("exitcode=1").error_exitcode == 1);
  BOOST_TEST(parse_options("log_path=/tmp/log").log_file == "/tmp/log.%p");
  BOOST_TEST(parse_options("log_path=stderr").log_file == "");
  BOOST_TEST(parse_options("log_path=stdout").log_file == "/dev/stdout");
  BOOST_TEST(parse_options("color=always").color.value());
  BOOST_TEST(!parse_options("color=never").color.value());
  BOOST_TEST(!parse_options("color=1:color=auto").color.has_value());
  BOOST_TEST(parse_options("halt_on_error=1").halt_on_error);
}

BOOST_AUTO_TEST_CASE(what_decides_what_is_found_is_repeated) {
  // By hand: a second opinion on the column of Options.def.
  for (char const* text : {"contention=3", "idle_lanes=9", "occupancy=7", "grid_share=80", "registers=32", "page_size=4096",
                           "check=race", "sync=hip", "usm_aspects=system", "device_memory=65536", "pinned_memory=65536",
                           "lane_order=descending", "team_order=shuffle", "model_teams=4", "conflict_ways=8",
                           "sector_excess=4", "perf_share=2", "slice=7", "spin_limit=9", "stack_size=65536",
                           "fail_on=same-value", "leak_check=full"}) {
    std::string const pair = text;
    std::size_t const equals = pair.find('=');
    std::string flag = "--" + pair.substr(0, equals);
    std::replace(flag.begin(), flag.end(), '_', '-');
    std::vector<std::string> const expected{flag, pair.substr(equals + 1)};
    BOOST_TEST(reproducing_flags(parse_options(pair)) == expected, boost::test_tools::per_element());
  }
  std::vector<std::string> const switches{"--flat=0", "--deterministic"};
  BOOST_TEST(reproducing_flags(parse_options("flat=0:deterministic")) == switches, boost::test_tools::per_element());
  BOOST_TEST(reproducing_flags(parse_options("team=3:quick:kernel_name=a:launch_skip=1:shard=1/2:report=json=a:color=1:"
                                             "progress=1:print_limit=3:baseline=\"\":num_threads=2:gdb:memory_limit=1G"))
                 .empty());
}

BOOST_AUTO_TEST_CASE(a_number_out_of_its_range_is_refused) {
  auto const says = [](char const* text) {
    try {
      parse_options(text);
    } catch (OptionError const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  BOOST_TEST(says("contention=1") == "contention=1 is not understood; contention takes a number from 2 to 64");
  BOOST_TEST(says("contention=65") == "contention=65 is not understood; contention takes a number from 2 to 64");
  BOOST_TEST(says("contention=2:idle_lanes=100:grid_share=10000:team=-1:slice=1") == "");
  BOOST_TEST(says("slice=0") == "slice=0 is not understood; slice takes a number from 1 on");
  BOOST_TEST(says("team=-2") == "team=-2 is not understood; team takes a number from -1 on");
  BOOST_TEST(says("page_size=5000") == "page_size=5000 is not understood; page_size takes a power of two from 4096 on");
  BOOST_TEST(says("page_size=2048") == "page_size=2048 is not understood; page_size takes a power of two from 4096 on");
  BOOST_TEST(says("team_order=sideways").starts_with("unknown team_order \"sideways\""));
}

BOOST_AUTO_TEST_CASE(a_recorded_trace_names_no_file) {
  // By hand, too: a trace that somebody else recorded chooses no file here.
  Options const chosen = parse_recorded_options(
      "suppressions=/a:baseline=/b:report=json=/c:trace=/d:log_file=/e:source_root=/f:outputs=/g:seed=7");
  BOOST_TEST(options_text(chosen) == "seed=7");
  for (std::string const& file : {chosen.suppressions, chosen.baseline, chosen.report, chosen.trace, chosen.log_file,
                                  chosen.source_root, chosen.outputs})
    BOOST_TEST(file == "");
}

BOOST_AUTO_TEST_CASE(leaks_are_asked_for_by_name) {
  BOOST_TEST(!parse_options("check=all").enabled(Rule::leak));
  BOOST_TEST(!parse_options("leak_check=no").enabled(Rule::leak));
  for (char const* const words : {"leak_check=full", "leak_check=yes", "check=race:leak_check=full", "check=all,leak"})
    BOOST_TEST(parse_options(words).enabled(Rule::leak), words);
}

BOOST_AUTO_TEST_CASE(speed_is_asked_for_by_name) {
  BOOST_TEST(!parse_options("").enabled(Rule::bank_conflict));
  BOOST_TEST(!parse_options("check=all").enabled(Rule::uncoalesced));
  Options const both = parse_options("check=all,perf");
  BOOST_TEST(both.enabled(Rule::bank_conflict));
  BOOST_TEST(both.enabled(Rule::uncoalesced));
  BOOST_TEST(both.enabled(Rule::scratch_race));
  BOOST_TEST(parse_options("check=bank").m_rules == bits({Rule::bank_conflict, Rule::crash}));
}

BOOST_AUTO_TEST_CASE(fail_on_names_rules_and_from_where_on) {
  Options const o = parse_options("fail_on=\"bank-conflict:4,same-value\"");
  BOOST_TEST(o.enabled(Rule::bank_conflict));
  BOOST_TEST(!o.enabled(Rule::uncoalesced));
  BOOST_TEST(!o.fails_on(Rule::bank_conflict, 3));
  BOOST_TEST(o.fails_on(Rule::bank_conflict, 4));
  BOOST_TEST(o.fails_on(Rule::same_value));
  BOOST_TEST(!o.fails_on(Rule::uncoalesced));
  BOOST_TEST(mistake("fail_on=bank-conflit") == "unknown rule \"bank-conflit\"; the nearest known one is \"bank-conflict\"");
  BOOST_TEST(mistake("fail_on=same-value=3") == "fail_on \"same-value=3\": only bank-conflict and uncoalesced take a number");
}
