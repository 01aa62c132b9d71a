// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An open ELF file, and which file a loaded module came from.
#pragma once

#include <cstdint>
#include <libelf.h>
#include <link.h>
#include <string>

namespace teamsan {

/// An open file and its libelf handle; get() is null for what is no ELF file.
class ElfFile {
 public:
  explicit ElfFile(std::string const& path);
  ~ElfFile();
  ElfFile(ElfFile const&) = delete;
  ElfFile& operator=(ElfFile const&) = delete;

  bool is_open() const noexcept { return m_descriptor >= 0; }
  Elf* get() const noexcept;

 private:
  int m_descriptor = -1;
  Elf* m_elf = nullptr;
};

/// The file that is mapped there; empty: none. The loader keeps a relative name as it was given, and the program may have gone
/// to another folder since.
std::string mapped_file(std::uintptr_t address);

}  // namespace teamsan
