// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InputFile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace teamsan::traces {

namespace {

char const* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISFIFO(mode)) return "it is a pipe, and only regular files are read";
  if (S_ISSOCK(mode)) return "it is a socket, and only regular files are read";
  return "it is a device, and only regular files are read";
}

}  // namespace

InputFile::InputFile(std::string const& file) {
  // Looked at before it is opened, too: opening alone may wind a tape or take a writer's end of a pipe.
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) throw InputError(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw InputError(kind_of(status.st_mode));
  m_descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  int error = errno;
  if (m_descriptor >= 0 && ::fstat(m_descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    m_bytes = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  if (m_descriptor < 0) throw InputError(std::strerror(error));
  ::close(m_descriptor);
  throw InputError(kind_of(status.st_mode));
}

InputFile::~InputFile() { ::close(m_descriptor); }

std::size_t InputFile::read(std::uint64_t at, void* to, std::size_t bytes) const {
  std::size_t done = 0;
  while (done != bytes) {
    ssize_t const n = ::pread(m_descriptor, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

std::string read_text_file(std::string const& file, std::uint64_t most) {
  InputFile const input(file);
  if (input.bytes() > most)
    throw InputError(fmt::format("it has {} bytes, and at most {} are read", input.bytes(), most));
  std::string text(static_cast<std::size_t>(input.bytes()), '\0');
  text.resize(input.read(0, text.data(), text.size()));
  return text;
}

}  // namespace teamsan::traces
