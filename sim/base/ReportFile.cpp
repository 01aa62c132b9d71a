// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportFile.hpp"

#include "../../traces/SignalFreeWrites.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

namespace teamsan {
namespace {

[[noreturn]] void fail(std::string const& file, int error) {
  throw ReportFileError(fmt::format("cannot write the report \"{}\": {}", file, std::strerror(error)));
}

/// 0, or what went wrong.
int write_all(int descriptor, std::string_view text) noexcept {
  traces::SignalFreeWrites const scope;
  while (!text.empty()) {
    ssize_t const written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// The open descriptor that "/dev/stdout", "/dev/stderr" or "/dev/fd/N" means. Opening such a name again would write over
/// the beginning of a file that the program's output goes to.
std::optional<int> own_descriptor(std::string_view file) {
  if (file == "/dev/stdout") return STDOUT_FILENO;
  if (file == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!file.starts_with(folder)) continue;
    std::string_view const number = file.substr(folder.size());
    int descriptor = -1;
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), descriptor);
    if (error == std::errc() && end == number.data() + number.size()) return descriptor;
  }
  return std::nullopt;
}

void write_directly(std::string const& file, std::string_view text) {
  int const descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(file, errno);
  int const error = write_all(descriptor, text);
  ::close(descriptor);
  if (error != 0) fail(file, error);
}

/// A new file beside the final one, of a name that no other process uses, on this machine or another. Sets `name`.
int open_part(std::string const& final_name, std::string& name) {
  constexpr int most = 100;  // what processes of the same number left behind, or write now on other machines
  for (int i = 0;; ++i) {
    name = i == 0 ? fmt::format("{}.{}.part", final_name, ::getpid())
                  : fmt::format("{}.{}-{}.part", final_name, ::getpid(), i);
    int const descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST || i == most) return descriptor;
  }
}

}  // namespace

std::optional<std::string> mpi_rank() {
  for (char const* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (char const* value = std::getenv(name); value != nullptr && *value != '\0') {
      std::string rank = value;  // it goes into a file's name, and into no folder
      for (char& c : rank)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
      return rank;
    }
  return std::nullopt;
}

std::string expanded_file_name(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    char const next = name[i] == '%' && i + 1 < name.size() ? name[i + 1] : '\0';
    if (next == 'p')
      result += std::to_string(::getpid());
    else if (next == 'r')
      result += mpi_rank().value_or("0");
    else if (next == '%')
      result += '%';
    else {
      result += name[i];
      continue;
    }
    ++i;
  }
  return result;
}

namespace {
std::string& directory_at_start() {
  static std::string& directory = *new std::string;  // never destroyed: reports come last
  return directory;
}
}  // namespace

void remember_directory() {
  std::error_code error;
  std::string const path = std::filesystem::current_path(error).string();
  if (!error) directory_at_start() = path.ends_with('/') ? path : path + '/';
}

std::string from_start_directory(std::string const& file) {
  return file.starts_with('/') || file.empty() ? file : directory_at_start() + file;
}

void write_report_file(std::string const& name, std::string_view text) {
  std::string const file = from_start_directory(name);
  if (auto const descriptor = own_descriptor(file)) {
    if (int const error = write_all(*descriptor, text); error != 0) fail(name, error);
    return;
  }
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(name, EISDIR);
    if (!S_ISREG(status.st_mode)) return write_directly(file, text);
  }
  std::error_code ignored;
  std::string const target = std::filesystem::weakly_canonical(file, ignored).string();
  std::string const& final_name = target.empty() ? file : target;
  std::string temporary;
  int const descriptor = open_part(final_name, temporary);
  if (descriptor < 0) fail(name, errno);
  int error = write_all(descriptor, text);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), final_name.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail(name, error);
}

bool is_stream(std::string const& name) {
  std::string const file = from_start_directory(name);
  struct stat status {};
  return own_descriptor(file) || (::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

void write_to_stderr(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }

}  // namespace teamsan
