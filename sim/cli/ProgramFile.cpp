#include "ProgramFile.hpp"

#include "Commands.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view marker_symbol = "__teamsan_runtime";
constexpr std::string_view marker_section = ".teamsan";

/// An open file and its libelf handle.
class ElfFile {
 public:
  explicit ElfFile(std::string const& path) {
    elf_version(EV_CURRENT);
    m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (m_descriptor < 0) throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    m_elf = elf_begin(m_descriptor, ELF_C_READ, nullptr);
  }
  ~ElfFile() {
    elf_end(m_elf);
    ::close(m_descriptor);
  }
  ElfFile(ElfFile const&) = delete;
  ElfFile& operator=(ElfFile const&) = delete;

  bool is_elf() const { return m_elf != nullptr && elf_kind(m_elf) == ELF_K_ELF; }
  Elf* get() const { return m_elf; }

 private:
  int m_descriptor = -1;
  Elf* m_elf = nullptr;
};

bool has_symbol(Elf* elf, Elf_Scn* section, GElf_Shdr const& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return false;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    char const* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name != nullptr && name == marker_symbol) return true;
  }
  return false;
}

bool is_instrumented(Elf* elf) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (char const* name = elf_strptr(elf, names, header.sh_name); name != nullptr && name == marker_section)
      return true;
    if ((header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) && has_symbol(elf, section, header))
      return true;
  }
  return false;
}

bool is_runnable(fs::path const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(std::string const& name) {
  if (name.find('/') == std::string::npos) {
    char const* variable = std::getenv("PATH");
    std::string_view folders = variable == nullptr ? "" : variable;
    while (!folders.empty()) {
      std::size_t const end = std::min(folders.find(':'), folders.size());
      fs::path const candidate = fs::path(folders.substr(0, end)) / name;
      if (is_runnable(candidate)) return candidate.string();
      folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    std::error_code ignored;
    throw UsageError(
        fs::exists(name, ignored)
            ? fmt::format("no program \"{0}\" in PATH; for the one in this folder write ./{0}", name)
            : fmt::format("no program \"{}\" in PATH", name));
  }
  std::error_code ignored;
  if (!fs::exists(name, ignored)) throw UsageError(fmt::format("there is no program {}", name));
  if (fs::is_directory(name, ignored)) throw UsageError(fmt::format("{} is a folder, not a program", name));
  if (!is_runnable(name)) throw UsageError(fmt::format("{0} is not executable: chmod +x {0}", name));
  return name;
}

void require_instrumented(std::string const& path) {
  ElfFile const file(path);
  if (!file.is_elf())
    throw UsageError(
        fmt::format("{} is a script, not a program: start the script itself with TEAMSAN_OPTIONS set, or "
                    "give teamsan the program "
                    "that it starts",
                    path));
  if (!is_instrumented(file.get()))
    throw UsageError(fmt::format(
        "{} is not instrumented: build it with teamsan_add_checked(app) in CMake and run app_teamsan", path));
}

}  // namespace teamsan::cli
