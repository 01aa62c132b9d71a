// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ObjectSymbols.hpp"

#include "CompiledKernels.hpp"
#include "ElfFile.hpp"
#include "Program.hpp"

#include <gelf.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace teamsan {
namespace {

void look_at(std::string_view symbol, ObjectSymbols& found) {
  if (symbol.starts_with("__tsan_")) found.is_instrumented = true;
  if (symbol == "__teamsan_runtime") found.has_runtime = true;
  if (symbol.starts_with("__asan_")) found.sanitizer = "AddressSanitizer";
  if (symbol.starts_with("__msan_")) found.sanitizer = "MemorySanitizer";
  if (symbol.starts_with("_Z") && symbol.find("6Kokkos") != symbol.npos) {
    found.uses_kokkos = true;
    if (symbol.starts_with("_ZN7teamsan4simt9run_plain")) found.has_plain_bodies = true;
  }
}

void look_at_symbols(Elf* elf, Elf_Scn* section, GElf_Shdr const& header, ObjectSymbols& found,
                     CompiledKernels* kernels) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    char const* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr) continue;
    look_at(name, found);
    if (kernels != nullptr) kernels->add(name);
  }
}

void look_at_needed(Elf* elf, Elf_Scn* section, GElf_Shdr const& header, ObjectSymbols& found) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) continue;
    bool const names_folders = entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH;
    if (entry.d_tag != DT_NEEDED && !names_folders) continue;
    char const* const text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (text == nullptr) continue;
    if (!names_folders) found.needed.emplace_back(text);
    for (std::string_view rest = names_folders ? text : ""; !rest.empty();) {
      found.search.emplace_back(rest.substr(0, rest.find(':')));
      rest.remove_prefix(std::min(found.search.back().size() + 1, rest.size()));
    }
  }
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_kokkos_library(std::string_view name) {
  for (std::string_view const part : {"core", "containers", "algorithms", "simd"})
    if (name.starts_with("libkokkos" + std::string(part) + ".")) return true;
  return false;
}

}  // namespace

namespace {

std::string path_of(dl_phdr_info const& object) {
  std::string const name = object.dlpi_name != nullptr ? object.dlpi_name : "";
  if (name.find('/') == std::string::npos || name.front() == '/') return name;  // the program itself, the kernel's
  for (int i = 0; i != object.dlpi_phnum; ++i)
    if (object.dlpi_phdr[i].p_type == PT_LOAD) return mapped_file(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
  return {};
}

}  // namespace

ObjectSymbols object_symbols(std::string const& path, CompiledKernels* kernels) {
  ObjectSymbols found;
  ElfFile const file(path);
  std::size_t names = 0;
  if (file.get() == nullptr || elf_getshdrstrndx(file.get(), &names) != 0) return found;
  found.is_elf = true;
  GElf_Ehdr whole;
  bool const is_shared = gelf_getehdr(file.get(), &whole) != nullptr && whole.e_type == ET_DYN;
  if (is_shared) found.kind = ObjectSymbols::Kind::library;  // unless a section names its loader
  if (!is_shared && whole.e_type == ET_REL) found.kind = ObjectSymbols::Kind::object;
  found.is_kokkos = is_kokkos_library(file_name(path));
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(file.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    // A stripped program has no symbol; the section stays.
    char const* name = elf_strptr(file.get(), names, header.sh_name);
    if (name != nullptr && std::string_view(name) == ".teamsan") found.has_runtime = true;
    if (name != nullptr && std::string_view(name) == ".interp") found.kind = ObjectSymbols::Kind::program;
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
      look_at_symbols(file.get(), section, header, found, kernels);
    else if (header.sh_type == SHT_DYNAMIC)
      look_at_needed(file.get(), section, header, found);
  }
  return found;
}

std::vector<std::string> Program::unchecked_libraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        if (std::string path = path_of(*info); path.starts_with('/'))
          static_cast<std::vector<std::string>*>(out)->push_back(std::move(path));
        return 0;
      },
      &paths);
  std::vector<std::string> unchecked;
  for (std::string const& path : paths) {
    ObjectSymbols const found = object_symbols(path);
    if (found.uses_kokkos && !found.is_instrumented && !found.is_kokkos) unchecked.emplace_back(file_name(path));
  }
  std::sort(unchecked.begin(), unchecked.end());
  return unchecked;
}

}  // namespace teamsan
