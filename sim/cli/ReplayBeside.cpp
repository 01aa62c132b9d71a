// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReplayBeside.hpp"

#include "Commands.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../entry/replay/Replay.hpp"
#include "../report/JsonReader.hpp"
#include "../report/ReportComparison.hpp"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

class ReportFolder {
 public:
  ReportFolder() : m_path((fs::temp_directory_path() / "teamsan-beside-XXXXXX").string()) {
    if (::mkdtemp(m_path.data()) == nullptr)
      throw UsageError(fmt::format("cannot make {}: {}", m_path, std::strerror(errno)));
  }
  ~ReportFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  ReportFolder(ReportFolder const&) = delete;
  ReportFolder& operator=(ReportFolder const&) = delete;
  std::string file(char const* name) const { return m_path + '/' + name; }

 private:
  std::string m_path;
};

/// Where its report is comes last, so that it alone is written.
Report replayed(std::vector<std::string> words, std::string const& report, std::string const& log) {
  words.insert(words.end(), {"--report", "json=" + report, "--log-file", log, "--error-exitcode", "0"});
  pid_t const child = ::fork();
  if (child < 0) throw UsageError(fmt::format("cannot start a replay: {}", std::strerror(errno)));
  if (child == 0) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv("/proc/self/exe", arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!fs::exists(report)) throw UsageError("the replay wrote no report: run it without --beside to see why");
  return read_json_report_file(report);
}

}  // namespace

int replay_beside(std::vector<std::string> const& files, std::map<std::string, std::vector<std::string>> const& values) {
  auto const device = values.find("device");
  if (device == values.end() || device->second.empty())
    throw UsageError("--beside puts another device beside the recorded one: name it with --device");
  if (files.size() != 1) throw UsageError(fmt::format("--beside takes one trace, not {}", files.size()));
  std::vector<std::string> words{"teamsan", "replay"};
  std::set<std::string> const own{"device", "report", "log_file", "error_exitcode"};
  for (auto const& [name, texts] : values) {
    if (own.contains(name)) continue;
    std::string flag = "--" + name;
    for (char& c : flag)
      if (c == '_') c = '-';
    for (std::string const& text : texts) words.push_back(flag + '=' + text);
  }
  words.push_back(files.front());
  ReportFolder const folder;
  std::string const recorded = parse_recorded_options(trace::run_of(files.front()).options).device;
  Report const first = replayed(words, folder.file("a.json"), folder.file("a.log"));
  words.insert(words.begin() + 2, {"--device", device->second.back()});
  Report const second = replayed(words, folder.file("b.json"), folder.file("b.log"));
  std::string const text = comparison_text(
      compare_reports(first, "as recorded, on " + recorded, second, "replayed on " + device->second.back()));
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  return exit_success;
}

}  // namespace teamsan::cli
