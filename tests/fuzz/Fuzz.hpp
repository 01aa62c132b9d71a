// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the fuzz targets share.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace teamsan::fuzz {

inline std::string_view text_of(std::uint8_t const* data, std::size_t bytes) {
  return {reinterpret_cast<char const*>(data), bytes};
}

/// A file in memory, for readers that take a name.
class MemoryFile {
 public:
  MemoryFile(std::uint8_t const* data, std::size_t bytes) : m_descriptor(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (m_descriptor < 0 || ::write(m_descriptor, data, bytes) != static_cast<ssize_t>(bytes)) std::abort();
  }
  ~MemoryFile() { ::close(m_descriptor); }
  MemoryFile(MemoryFile const&) = delete;
  MemoryFile& operator=(MemoryFile const&) = delete;

  std::string name() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

 private:
  int m_descriptor;
};

/// What must hold of any input, in release builds too.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace teamsan::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t bytes, std::size_t most, unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t bytes, std::size_t most);
