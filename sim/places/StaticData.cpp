// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StaticData.hpp"

#include "../base/BigStack.hpp"
#include "../base/PatientMutex.hpp"
#include "ElfFile.hpp"
#include "KokkosNames.hpp"

#include <cxxabi.h>
#include <gelf.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

namespace teamsan {
namespace {

struct Variable {
  std::uintptr_t begin, end;
  std::string name;
};

struct ModuleData {
  std::string path;  ///< as the loader has it
  std::uintptr_t bias = 0;
  bool known = false;       ///< its file was read
  bool from_clang = false;  ///< some of its code
  std::vector<Variable> variables;  ///< by address
};

/// What is asked of the loader. The answer takes no memory: who waited for the heap with the loader's lock held would let
/// whoever reports a crash in the heap wait for the loader.
struct Asked {
  std::uintptr_t address;
  char const* path = "";  ///< the loader's, for as long as the module is there
  std::uintptr_t bias = 0, begin = 0;
  bool found = false;
};

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  auto& asked = *static_cast<Asked*>(data);
  std::uintptr_t first = 0;
  for (int i = 0; i != info->dlpi_phnum; ++i) {
    ElfW(Phdr) const& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    std::uintptr_t const begin = info->dlpi_addr + header.p_vaddr;
    if (first == 0) first = begin;
    if ((header.p_flags & PF_W) == 0 || asked.address < begin || asked.address >= begin + header.p_memsz) continue;
    if (info->dlpi_name != nullptr) asked.path = info->dlpi_name;
    asked.bias = info->dlpi_addr;
    asked.begin = first;
    asked.found = true;
    return 1;
  }
  return 0;
}

/// .comment says which compilers made a file, and stays when it is stripped.
bool names_clang(Elf_Scn* section) {
  Elf_Data const* const data = elf_getdata(section, nullptr);
  return data != nullptr && data->d_buf != nullptr && memmem(data->d_buf, data->d_size, "clang", 5) != nullptr;
}

void add_symbols(Elf* elf, Elf_Scn* section, GElf_Shdr const& header, ModuleData& module) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
    char const* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
    std::uintptr_t const begin = module.bias + symbol.st_value;
    if (name != nullptr) module.variables.push_back({begin, begin + symbol.st_size, name});
  }
}

void read(ElfFile const& file, ModuleData& module) {
  std::size_t names = 0;
  if (file.get() == nullptr || elf_getshdrstrndx(file.get(), &names) != 0) return;
  module.known = true;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(file.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    char const* const name = elf_strptr(file.get(), names, header.sh_name);
    if (name != nullptr && std::string_view(name) == ".comment") module.from_clang = names_clang(section);
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) add_symbols(file.get(), section, header, module);
  }
  auto const key = [](Variable const& v) { return std::tuple(v.begin, v.end, std::string_view(v.name)); };
  std::ranges::sort(module.variables, {}, key);
}

PatientMutex modules_mutex;

std::vector<std::unique_ptr<ModuleData>>& known_modules() {
  static auto& modules = *new std::vector<std::unique_ptr<ModuleData>>;  // kept: readers hold pointers to them
  return modules;
}

ModuleData const* find_known(Asked const& asked) {
  for (auto const& module : known_modules())
    if (module->path == asked.path && module->bias == asked.bias) return module.get();
  return nullptr;
}

/// The program's own file is there for it, though it may have been deleted.
void read_file_of(Asked const& asked, ModuleData& module) {
  ElfFile const mapped(mapped_file(asked.begin));
  if (mapped.is_open()) return read(mapped, module);
  if (*asked.path != '\0') return;
  ElfFile const own("/proc/self/exe");
  read(own, module);
}

/// The module whose writable segments hold the address; null: none does.
ModuleData const* module_at(std::uintptr_t address) {
  Asked asked{address};
  dl_iterate_phdr(look_at, &asked);
  if (!asked.found) return nullptr;
  ModuleData const* found = nullptr;
  {
    std::lock_guard const lock(modules_mutex);
    if ((found = find_known(asked)) != nullptr) return found;
  }
  auto work = [&] {
    std::lock_guard const lock(modules_mutex);
    try {
      if ((found = find_known(asked)) != nullptr) return;
      auto module = std::make_unique<ModuleData>();
      module->path = asked.path;
      module->bias = asked.bias;
      read_file_of(asked, *module);
      known_modules().push_back(std::move(module));
      found = known_modules().back().get();
    } catch (std::bad_alloc const&) {
    }
  };
  run_on_big_stack(work);
  return found;
}

Variable const* variable_in(ModuleData const& module, std::uintptr_t address) {
  auto after = std::ranges::upper_bound(module.variables, address, {}, &Variable::begin);
  for (int back = 0; after != module.variables.begin() && back != 16; ++back)  // a name of a part lies in a name of the whole
    if (--after; address < after->end) return &*after;
  return nullptr;
}

std::string demangled(std::string const& name) {
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::unique_ptr<char, decltype(&std::free)> const text(demangled, std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

struct Told {
  std::atomic<std::uintptr_t> begin{0}, end{0};
};
constinit Told told[16];  ///< a program and its plug-ins may have a table each
constinit std::atomic<unsigned> told_count{0};

struct DeviceRange {
  std::uintptr_t begin, end;
  DeviceVariable kind;
};
/// Each a longer copy of the one before, which readers may still hold.
constinit std::atomic<std::vector<DeviceRange> const*> device_ranges{nullptr};
bool is_told(std::uintptr_t address) {
  for (unsigned i = 0, n = std::min<unsigned>(told_count, std::size(told)); i != n; ++i)
    if (address >= told[i].begin && address < told[i].end) return true;
  return false;
}

}  // namespace

std::string static_variable(std::uintptr_t address) {
  ModuleData const* const module = module_at(address);
  Variable const* const variable = module != nullptr ? variable_in(*module, address) : nullptr;
  return variable != nullptr ? demangled(variable->name) : std::string();
}

StaticSpan static_span(std::uintptr_t address) {
  StaticSpan span{address, address + 1};
  ModuleData const* const module = module_at(address);
  if (module == nullptr || !module->known) {
    span.may_be_constant = true;
  } else if (Variable const* const variable = variable_in(*module, address)) {
    span = {variable->begin, variable->end, false, variable->name.find(lock_table_symbol) != std::string::npos};
    if (span.kokkos_lock) note_kokkos_locks(reinterpret_cast<void const*>(span.begin), span.end - span.begin);
  } else {
    span.may_be_constant = module->from_clang;
  }
  span.kokkos_lock = span.kokkos_lock || is_told(address);
  return span;
}

bool is_kokkos_lock(std::uintptr_t address) { return is_told(address) || static_span(address).kokkos_lock; }

void note_kokkos_locks(void const* begin, std::size_t bytes) {
  auto const first = reinterpret_cast<std::uintptr_t>(begin);
  static constinit std::mutex adding;
  std::lock_guard const lock(adding);
  unsigned const count = told_count;
  for (unsigned i = 0; i != count; ++i)
    if (told[i].begin == first) return;
  if (count == std::size(told)) return;
  told[count].begin = first;
  told[count].end = first + bytes;
  told_count = count + 1;
}

void note_device_variable(void const* begin, std::size_t bytes, DeviceVariable kind) {
  auto const first = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0) return;
  static constinit std::mutex adding;
  std::lock_guard const lock(adding);
  std::vector<DeviceRange> const* const before = device_ranges;
  auto const known = [&](DeviceRange const& r) { return first >= r.begin && first + bytes <= r.end; };
  if (before != nullptr && std::ranges::any_of(*before, known)) return;
  auto* const after = before != nullptr ? new std::vector<DeviceRange>(*before) : new std::vector<DeviceRange>;
  after->push_back({first, first + bytes, kind});
  device_ranges = after;
}

DeviceVariable device_variable_at(std::uintptr_t address) noexcept {
  if (std::vector<DeviceRange> const* const ranges = device_ranges; ranges != nullptr)
    for (DeviceRange const& r : *ranges)
      if (address >= r.begin && address < r.end) return r.kind;
  return DeviceVariable::none;
}

}  // namespace teamsan
