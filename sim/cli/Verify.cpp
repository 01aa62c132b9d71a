// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan verify -- app args : app_teamsan args`: runs two builds of one program, one after the other, with
/// checkpoints on, and compares what they wrote. Cannot tell which of the two is right.
#include "Commands.hpp"
#include "Help.hpp"
#include "Compare.hpp"
#include "ProgramFile.hpp"

#include "../base/ExitStatus.hpp"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

/// Where the checkpoints lie: a folder that the user named, or one that goes when this ends.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::string const& kept) {
    if (!kept.empty()) {
      std::error_code error;
      fs::create_directories(kept, error);
      if (!fs::is_directory(kept, error))
        throw UsageError(fmt::format("--keep {}: the folder cannot be made", kept));
      m_path = kept;
      return;
    }
    std::string name = (fs::temp_directory_path() / "teamsan-verify-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(fmt::format("cannot make {}: {}", name, std::strerror(errno)));
    m_path = name;
    m_temporary = true;
  }
  ~CheckpointFolder() {
    std::error_code ignored;
    if (m_temporary) fs::remove_all(m_path, ignored);
  }
  CheckpointFolder(CheckpointFolder const&) = delete;
  CheckpointFolder& operator=(CheckpointFolder const&) = delete;

  /// For one run's checkpoints; what an earlier run left there is gone.
  std::string file(char const* name) const {
    fs::path const path = m_path / name;
    std::error_code ignored;
    fs::remove(path, ignored);
    return path.string();
  }

 private:
  fs::path m_path;
  bool m_temporary = false;
};

/// The program's exit status; 128 and its number for a signal, as shells have it.
int run(std::string const& path, std::vector<std::string> const& words, std::string const& checkpoints) {
  std::fflush(stdout);
  pid_t const child = ::fork();
  if (child < 0) throw std::runtime_error(fmt::format("cannot start {}: {}", path, std::strerror(errno)));
  if (child == 0) {
    std::string escaped;
    for (char const c : checkpoints) escaped.append(c == '%' ? 2 : 1, c);
    ::setenv("TEAMSAN_CHECKPOINTS", escaped.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(path.c_str(), arguments.data());
    std::fprintf(stderr, "teamsan: cannot start %s: %s\n", path.c_str(), std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

struct Program {
  std::string_view which;  ///< "first" or "second"
  std::vector<std::string> words;
  std::string path, checkpoints;
  ExitStatus failed;  ///< what verify's exit status is if this one fails
};

/// Runs it; a sentence and its status if it did not end well, or wrote nothing.
int run_and_judge(Program const& program) {
  int const status = run(program.path, program.words, program.checkpoints);
  if (status != 0) {
    std::string const how =
        status > 128 ? fmt::format("was ended by signal {} ({})", status - 128, ::strsignal(status - 128))
        : status == exit_findings
            ? std::string("ended with status 66: TeamSan's for a program with an error in it")
            : fmt::format("ended with status {}", status);
    std::fprintf(stderr, "teamsan: verify: the %s program, %s, %s\n", std::string(program.which).c_str(),
                 program.words.front().c_str(), how.c_str());
    return program.failed;
  }
  if (std::error_code error; !fs::exists(program.checkpoints, error)) {
    std::fprintf(stderr,
                 "teamsan: verify: the %s program, %s, wrote no checkpoint: it must call "
                 "teamsan::checkpoint(\"name\", view)\n",
                 std::string(program.which).c_str(), program.words.front().c_str());
    return exit_tool_failure;
  }
  return exit_success;
}

int verify(std::vector<std::string> words, std::string const& keep, CompareOptions const& options) {
  constexpr char const* usage = "teamsan verify [options] -- app args... : app_teamsan args...";
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  auto const colon = std::find(words.begin(), words.end(), ":");
  if (colon == words.end() || colon == words.begin() || colon + 1 == words.end())
    throw UsageError(fmt::format("verify needs two programs with a colon between them: {}", usage));
  tolerance_of(options);
  check_reports(options);
  Program first{"first", {words.begin(), colon}, {}, {}, exit_first_failed};
  Program second{"second", {colon + 1, words.end()}, {}, {}, exit_second_failed};
  first.path = find_program(first.words.front());
  second.path = find_program(second.words.front());
  CheckpointFolder const folder(keep);
  first.checkpoints = folder.file("first.checkpoints");
  second.checkpoints = folder.file("second.checkpoints");
  if (int const status = run_and_judge(first); status != exit_success) return status;
  int const status = run_and_judge(second);
  // A checked program that reports an error has usually come to its end: what it computed is worth a look.
  std::error_code error;
  if (status != exit_success && !(status == exit_second_failed && fs::exists(second.checkpoints, error)))
    return status;
  int const compared = compare(first.checkpoints, second.checkpoints, options);
  return status != exit_success ? status : compared;
}

}  // namespace

void add_verify(CLI::App& app, std::vector<std::string> after_dashes) {
  CLI::App* command =
      app.add_subcommand("verify", "run two builds of a program and compare their checkpoints");
  command->allow_extras();
  set_help(*command,
           {"Runs two builds of one program, such as the production build and the checked one, and compares what "
            "teamsan::checkpoint(\"name\", view) wrote in both.",
            "verify [options] -- app args... : app_teamsan args...",
            what_agrees() + std::string("Exit status: 0 all the same, 66 different, 71 the first program failed, 72 "
                                        "the second did (TeamSan found an error in it, say), 2 a mistake on the command "
                                        "line, 3 there are no checkpoints to compare.")});
  auto const options = add_compare_options(*command);
  auto const keep = std::make_shared<std::string>();
  command->add_option("--keep", *keep, "leaves the files there, as {first,second}.checkpoints")->type_name("FOLDER");
  command->final_callback(
      [options, keep, after_dashes] { std::exit(verify(after_dashes, *keep, *options)); });
}

}  // namespace teamsan::cli
