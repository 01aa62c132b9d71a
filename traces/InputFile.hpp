// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A file that somebody else may have written, opened for reading. Regular files alone: a pipe or a terminal would keep the
/// reader waiting, a device might never end.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace teamsan::traces {

/// what() is the reason alone, without the file's name: "No such file or directory", "it is a directory".
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class InputFile {
 public:
  /// Throws InputError.
  explicit InputFile(std::string const& file);
  ~InputFile();
  InputFile(InputFile const&) = delete;
  InputFile& operator=(InputFile const&) = delete;

  std::uint64_t bytes() const { return m_bytes; }
  /// As many bytes as the file has from `at` on, up to `bytes`.
  std::size_t read(std::uint64_t at, void* to, std::size_t bytes) const;

 private:
  int m_descriptor = -1;
  std::uint64_t m_bytes = 0;
};

/// How large a file of text (a report, a table, a source) may be.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{256} << 20;

/// All of the file. Throws InputError, also for one of more than `most` bytes.
std::string read_text_file(std::string const& file, std::uint64_t most = most_text_bytes);

}  // namespace teamsan::traces
