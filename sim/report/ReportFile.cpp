#include <teamsan/sim/report/ReportFile.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace teamsan {
namespace {

/// As Open MPI, MPICH and Slurm, MVAPICH and PMIx tell a process its rank.
std::string mpi_rank() {
  for (char const* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (char const* rank = std::getenv(name); rank != nullptr && *rank != '\0') return rank;
  return "0";
}

[[noreturn]] void fail(std::string const& file, int error) {
  throw ReportFileError(fmt::format("cannot write the report \"{}\": {}", file, std::strerror(error)));
}

/// 0, or what went wrong.
int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    ssize_t const written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_directly(std::string const& file, std::string_view text) {
  int const descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(file, errno);
  int const error = write_all(descriptor, text);
  ::close(descriptor);
  if (error != 0) fail(file, error);
}

}  // namespace

std::string expanded_file_name(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    char const next = name[i] == '%' && i + 1 < name.size() ? name[i + 1] : '\0';
    if (next == 'p')
      result += std::to_string(::getpid());
    else if (next == 'r')
      result += mpi_rank();
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

void write_report_file(std::string const& file, std::string_view text) {
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(file, EISDIR);
    if (!S_ISREG(status.st_mode)) return write_directly(file, text);
  }
  std::error_code ignored;
  std::string const target = std::filesystem::weakly_canonical(file, ignored).string();
  std::string const& final_name = target.empty() ? file : target;
  std::string const temporary = fmt::format("{}.{}.part", final_name, ::getpid());
  int const descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(file, errno);
  int error = write_all(descriptor, text);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), final_name.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail(file, error);
}

void write_to_stderr(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }

}  // namespace teamsan
