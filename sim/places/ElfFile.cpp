// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ElfFile.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace teamsan {

ElfFile::ElfFile(std::string const& path) {
  elf_version(EV_CURRENT);
  m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (m_descriptor >= 0) m_elf = elf_begin(m_descriptor, ELF_C_READ_MMAP, nullptr);
}

ElfFile::~ElfFile() {
  elf_end(m_elf);
  if (m_descriptor >= 0) ::close(m_descriptor);
}

Elf* ElfFile::get() const noexcept { return m_elf != nullptr && elf_kind(m_elf) == ELF_K_ELF ? m_elf : nullptr; }

std::string mapped_file(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx %*s %*s %*s %*s %n", &begin, &end, &path) == 2 && address >= begin && address < end)
      return line.substr(static_cast<std::size_t>(path));
  }
  return {};
}

}  // namespace teamsan
