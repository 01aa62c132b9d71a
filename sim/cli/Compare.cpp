/// `teamsan compare A B`: the checkpoints of two runs of a program, compared.
#include "Compare.hpp"

#include "CheckpointComparison.hpp"
#include "Commands.hpp"

#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/base/ReportFile.hpp>
#include <teamsan/traces/Printable.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace teamsan::cli {
namespace {

template <class Number>
Number number_of(std::string_view option, std::string const& text, std::string_view what) {
  Number value{};
  char const* const end = text.data() + text.size();
  auto const result = std::from_chars(text.data(), end, value);
  bool valid = result.ec == std::errc{} && result.ptr == end;
  if constexpr (std::is_floating_point_v<Number>) valid = valid && std::isfinite(value) && value >= 0;
  if (!valid) throw UsageError(fmt::format("{} takes {}, not \"{}\"", option, what, text));
  return value;
}

/// The file of a --report. Formats: json and text.
struct WantedReport {
  bool json;
  std::string file;
};

WantedReport report_of(std::string const& text) {
  std::size_t const equals = text.find('=');
  std::string const format = text.substr(0, equals);
  if (equals == std::string::npos || equals + 1 == text.size() || (format != "json" && format != "text"))
    throw UsageError(fmt::format("--report takes json=FILE or text=FILE, not \"{}\"", text));
  return {format == "json", text.substr(equals + 1)};
}

}  // namespace

std::shared_ptr<CompareOptions> add_compare_options(CLI::App& command) {
  auto options = std::make_shared<CompareOptions>();
  command.add_option("--ulps", options->ulps);
  command.add_option("--rtol", options->rtol);
  command.add_option("--atol", options->atol);
  command.add_option("--report", options->reports)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return options;
}

std::string compare_options_help() {
  return "  --ulps N       reals agree that are at most N representable values apart\n"
         "  --rtol X       or whose distance is at most X times the larger magnitude\n"
         "  --atol X       or whose distance is at most X\n"
         "  --report F=X   also writes the result to file X; F is json or text\n"
         "\nWithout these, equal values agree alone. NaN agrees with NaN and nothing else,\n"
         "an infinity with itself, +0 with -0. Integers and structs must be equal.\n";
}

traces::Tolerance tolerance_of(CompareOptions const& options) {
  return {.ulps = number_of<std::uint64_t>("--ulps", options.ulps, "a whole number"),
          .rtol = number_of<double>("--rtol", options.rtol, "a number that is not negative"),
          .atol = number_of<double>("--atol", options.atol, "a number that is not negative")};
}

void check_reports(CompareOptions const& options) {
  for (std::string const& report : options.reports) report_of(report);
}

int compare(std::string const& first, std::string const& second, CompareOptions const& options) {
  traces::Tolerance const tolerance = tolerance_of(options);
  check_reports(options);
  try {
    FileComparison const result = compare_files(first, second, tolerance);
    std::string const text = text_of(result);
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    for (std::string const& wanted : options.reports) {
      WantedReport const report = report_of(wanted);
      write_report_file(report.file, report.json ? json_of(result) : text);
    }
    return result.differing() == 0 ? exit_success : exit_findings;
  } catch (traces::MalformedCheckpoint const& error) {
    std::fprintf(stderr, "teamsan: %s\n", traces::printable(error.what()).c_str());
  } catch (ReportFileError const& error) {
    std::fprintf(stderr, "teamsan: %s\n", error.what());
  }
  return exit_tool_failure;
}

void add_compare(CLI::App& app) {
  CLI::App* command = app.add_subcommand("compare", "compare the checkpoints of two runs");
  command->allow_extras();
  command->formatter_fn([](CLI::App const*, std::string, CLI::AppFormatMode) {
    return "Compares the snapshots that teamsan::checkpoint(\"name\", view) wrote in two runs\n"
           "with TEAMSAN_CHECKPOINTS=FILE; says the first and the worst difference of each.\n"
           "\nUsage: teamsan compare [options] A B\n\n" +
           compare_options_help() +
           "\nExit status: 0 all the same, 66 different, 2 a mistake on the command line,\n"
           "3 a file cannot be read.\n";
  });
  auto const options = add_compare_options(*command);
  auto const files = std::make_shared<std::vector<std::string>>();
  command->add_option("files", *files)->expected(-1);
  command->final_callback([options, files] {
    if (files->size() != 2)
      throw UsageError(
          fmt::format("compare takes two files, not {}: teamsan compare [options] A B", files->size()));
    std::exit(compare((*files)[0], (*files)[1], *options));
  });
}

}  // namespace teamsan::cli
