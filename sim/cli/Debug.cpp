// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Debug.hpp"

#include "Commands.hpp"
#include "ProgramFile.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace teamsan::cli {
namespace {

/// The folder of the dynamic loader that the program asks for; empty: it asks for none.
std::filesystem::path folder_of_loader(std::string const& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr head{};
  file.read(reinterpret_cast<char*>(&head), sizeof head);
  for (Elf64_Half i = 0; file && i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(head.e_phoff + i * sizeof part));
    file.read(reinterpret_cast<char*>(&part), sizeof part);
    if (part.p_type != PT_INTERP || part.p_filesz > 4096) continue;
    std::string name(part.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    file.read(name.data(), static_cast<std::streamsize>(name.size()));
    return std::filesystem::path(name.c_str()).parent_path();
  }
  return {};
}

}  // namespace

void debug(std::string const& path, std::vector<std::string> const& words, std::string const& text) {
  std::string gdb;
  try {
    gdb = find_program("gdb");
  } catch (UsageError const&) {
    throw UsageError("--gdb needs gdb, and none is in PATH (Debian: apt-get install gdb; scripts/setup --gdb)");
  }
  // One worker: the same finding comes first every time.
  ::setenv("TEAMSAN_OPTIONS", (text + (text.empty() ? "" : ":") + "gdb=1:num_threads=1").c_str(), 1);
  std::error_code ignored;
  std::string const real = std::filesystem::canonical(path, ignored).string();
  // The script lies in the program, and gdb runs scripts only of what it is told to trust.
  std::vector<std::string> command{gdb, "-q", "-iex", "add-auto-load-safe-path " + (real.empty() ? path : real)};
  // A C library of the program's own has a library for debuggers beside it, which alone knows its threads.
  std::filesystem::path const threads = folder_of_loader(path) / "libthread_db.so.1";
  if (std::filesystem::exists(threads, ignored))
    command.insert(command.end(), {"-iex", "add-auto-load-safe-path " + threads.string()});
  command.insert(command.end(), {"-ex", "teamsan start", "--args", path});
  command.insert(command.end(), words.begin() + 1, words.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(gdb.c_str(), arguments.data());
  throw UsageError(fmt::format("cannot start {}: {}", gdb, std::strerror(errno)));
}

}  // namespace teamsan::cli
