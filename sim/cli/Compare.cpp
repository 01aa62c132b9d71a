// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan compare A B`: the checkpoints of two runs of a program, or two JSON reports, compared.
#include "Compare.hpp"

#include "CheckpointComparison.hpp"
#include "Commands.hpp"
#include "Help.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/ReportFile.hpp"
#include "../report/JsonReader.hpp"
#include "../report/ReportComparison.hpp"
#include "../../traces/Printable.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

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

enum class Format : std::uint8_t { text, json, html };

/// The file of a --report. Formats: json and text; of two reports, also html.
struct WantedReport {
  Format format;
  std::string file;
};

WantedReport report_of(std::string const& text, bool html = false) {
  std::size_t const equals = text.find('=');
  std::string const format = text.substr(0, equals);
  bool const known = format == "json" || format == "text" || (html && format == "html");
  if (equals == std::string::npos || equals + 1 == text.size() || !known)
    throw UsageError(fmt::format("--report takes json=FILE or text=FILE{}, not \"{}\"",
                                 html ? " or html=FILE" : ", and html=FILE for two reports alone", text));
  return {format == "json" ? Format::json : format == "text" ? Format::text : Format::html, text.substr(equals + 1)};
}

/// A JSON report begins with a brace, a checkpoint file does not.
bool is_report(std::string const& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::ifstream stream(file);
  char first = 0;
  return stream >> first && first == '{';
}

int compare_report_files(std::string const& first, std::string const& second, CompareOptions const& options) {
  for (std::string const& wanted : options.reports) report_of(wanted, true);
  try {
    ReportComparison const result =
        compare_reports(read_json_report_file(first), traces::printable(first), read_json_report_file(second),
                        traces::printable(second));
    std::string const text = comparison_text(result);
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    for (std::string const& wanted : options.reports) {
      WantedReport const report = report_of(wanted, true);
      switch (report.format) {
        case Format::text: write_report_file(report.file, text); break;
        case Format::json: write_report_file(report.file, comparison_json(result)); break;
        case Format::html: write_report_file(report.file, comparison_page(result)); break;
      }
    }
    return result.worse() == 0 ? exit_success : exit_findings;
  } catch (ReportReadError const& error) {
    std::fprintf(stderr, "teamsan: %s\n", traces::printable(error.what()).c_str());
  } catch (ReportFileError const& error) {
    std::fprintf(stderr, "teamsan: %s\n", error.what());
  }
  return exit_tool_failure;
}

}  // namespace

std::shared_ptr<CompareOptions> add_compare_options(CLI::App& command) {
  auto options = std::make_shared<CompareOptions>();
  command.add_option("--ulps", options->ulps, "reals agree that are at most N representable values apart")->type_name("N");
  command.add_option("--rtol", options->rtol, "or whose distance is at most X times the larger magnitude")->type_name("X");
  command.add_option("--atol", options->atol, "or whose distance is at most X")->type_name("X");
  command.add_option("--report", options->reports, "also writes the result to file X, F being json or text")
      ->type_name("F=X")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return options;
}

char const* what_agrees() {
  return "Without these, equal values agree alone. NaN agrees with NaN and nothing else, an infinity with itself, +0 with -0. "
         "Integers and structs must be equal.\n\n";
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
      write_report_file(report.file, report.format == Format::json ? json_of(result) : text);
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
  CLI::App* command = app.add_subcommand("compare", "compare the checkpoints, or the JSON reports, of two runs");
  command->allow_extras();
  set_help(*command,
           {"Compares the snapshots that teamsan::checkpoint(\"name\", view) wrote in two runs with "
            "TEAMSAN_CHECKPOINTS=FILE; says the first and the worst difference of each.\n\n"
            "Or two reports that --report json=FILE wrote, before and after a change: which findings are gone, new or "
            "kept, and the traffic of each kernel and line. Then F may be html too, and 66 means that B has an error "
            "or warning that A lacks.",
            "compare [options] A B",
            what_agrees() + std::string("Exit status: 0 all the same, 66 different, 2 a mistake on the command line, "
                                        "3 a file cannot be read.")});
  auto const options = add_compare_options(*command);
  auto const files = std::make_shared<std::vector<std::string>>();
  command->add_option("files", *files)->expected(-1);
  command->final_callback([options, files] {
    if (files->size() != 2)
      throw UsageError(
          fmt::format("compare takes two files, not {}: teamsan compare [options] A B", files->size()));
    std::string const &first = (*files)[0], &second = (*files)[1];
    if (is_report(first) != is_report(second))
      throw UsageError("compare takes two checkpoint files or two JSON reports, not one of each");
    std::exit(is_report(first) ? compare_report_files(first, second, *options) : compare(first, second, *options));
  });
}

}  // namespace teamsan::cli
