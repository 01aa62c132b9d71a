// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads with elfutils' libdwfl. It keeps its own address ranges of compilation units because .debug_aranges,
/// which libdwfl relies on, is written by GCC only, and in a program of both compilers gives the wrong unit.
#include "DwarfIndex.hpp"

#include "DwarfFields.hpp"
#include "Modules.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace teamsan {
namespace {

/// Half-open address range with what it belongs to.
template <class T>
struct Range {
  Dwarf_Addr low, high;
  T what;
};

/// The innermost range that holds the address, of ranges sorted by `low`. Nested ranges (a local class's
/// member inside its function) are rare, so looking back a little is enough.
template <class T>
Range<T> const* find_range(std::vector<Range<T>> const& ranges, Dwarf_Addr address) {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), address,
                             [](Dwarf_Addr a, Range<T> const& range) { return a < range.low; });
  for (int back = 0; it != ranges.begin() && back < 64; ++back) {
    --it;
    if (address < it->high) return &*it;
  }
  return nullptr;
}

template <class T>
void sort_ranges(std::vector<Range<T>>& ranges) {
  std::stable_sort(ranges.begin(), ranges.end(), [](auto const& a, auto const& b) { return a.low < b.low; });
}

template <class T>
void add_ranges(std::vector<Range<T>>& ranges, Dwarf_Die* die, T what) {
  Dwarf_Addr base = 0, low = 0, high = 0;
  for (std::ptrdiff_t offset = 0; (offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0;)
    if (low < high && low != 0) ranges.push_back({low, high, what});
}

struct Unit {
  Dwarf_Die die;
  bool functions_read = false;
  std::vector<Range<Dwarf_Die>> functions;
  std::optional<StructsOfUnit> structs;
};

struct Module {
  Dwarf_Addr bias = 0;
  std::vector<std::unique_ptr<Unit>> units;
  std::vector<Range<Unit*>> ranges;
};

/// Every function of the unit that has code, wherever it is nested.
void read_functions(Unit& unit, Dwarf_Die* parent) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
        add_ranges(unit.functions, &child, child);
        read_functions(unit, &child);
        break;
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine:
        read_functions(unit, &child);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

/// Appends the inlined subroutines of `parent` that hold the address, outermost first.
void descend(Dwarf_Die* parent, Dwarf_Addr address, std::vector<Dwarf_Die>& chain) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    int const tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    if (dwarf_haspc(&child, address) <= 0) continue;
    if (tag == DW_TAG_inlined_subroutine) chain.push_back(child);
    return descend(&child, address, chain);
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::string demangle(char const* name) {
  if (name == nullptr) return {};
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (unsigned const key : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(die, key, &attribute) != nullptr)
      if (char const* name = dwarf_formstring(&attribute)) return demangle(name);
  if (dwarf_attr_integrate(die, DW_AT_name, &attribute) != nullptr)
    if (char const* name = dwarf_formstring(&attribute)) return name;
  return {};
}

unsigned number(Dwarf_Die* die, unsigned key) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(die, key, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
  return static_cast<unsigned>(value);
}

/// Where the call that was inlined stands.
void set_call_site(RawFrame& frame, Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  unsigned const file = number(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
    if (char const* name = dwarf_filesrc(files, file, nullptr, nullptr)) frame.file = name;
  frame.line = number(inlined, DW_AT_call_line);
  frame.column = number(inlined, DW_AT_call_column);
}

/// The line table's row for the address; line 0 where compilers mark code that no line stands for.
void set_line(RawFrame& frame, Dwarf_Line* row) {
  if (row == nullptr) return;
  int line = 0, column = 0;
  dwarf_lineno(row, &line);
  dwarf_linecol(row, &column);
  if (char const* name = dwarf_linesrc(row, nullptr, nullptr)) frame.file = name;
  frame.line = static_cast<unsigned>(line);
  frame.column = static_cast<unsigned>(column);
}

/// The innermost function at an address: an inlined one, or the one that has the code.
Dwarf_Die innermost(Dwarf_Die function, Dwarf_Addr address) {
  std::vector<Dwarf_Die> chain{function};
  descend(&function, address, chain);
  return chain.back();
}

/// Code that an optimiser merged or moved out of a loop has line 0. The next row of the same function stands for it,
/// since such code comes before what it was taken from; else the last one before.
void set_nearby_line(RawFrame& frame, Dwarf_Die* unit, Dwarf_Die function, Dwarf_Die* inner, Dwarf_Addr address) {
  constexpr std::size_t reach = 32;
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
  Dwarf_Addr low = 0;
  std::size_t at = 0;
  for (std::size_t begin = 0, end = count; begin < end;) {  // the first row behind the address
    std::size_t const middle = (begin + end) / 2;
    dwarf_lineaddr(dwarf_onesrcline(lines, middle), &low);
    if (low <= address)
      begin = middle + 1;
    else
      end = middle;
    at = begin;
  }
  auto const take = [&](std::size_t i) {
    Dwarf_Line* row = dwarf_onesrcline(lines, i);
    Dwarf_Addr where = 0;
    int line = 0;
    if (dwarf_lineaddr(row, &where) != 0 || dwarf_lineno(row, &line) != 0 || line == 0) return false;
    if (dwarf_haspc(&function, where) <= 0) return false;
    Dwarf_Die const there = innermost(function, where);
    if (there.addr != inner->addr) return false;
    set_line(frame, row);
    return true;
  };
  for (std::size_t i = at; i < count && i < at + reach; ++i)
    if (take(i)) return;
  for (std::size_t i = at; i > 0 && i + reach > at; --i)
    if (take(i - 1)) return;
}

/// Separate debug files are looked for beside the user's own programs and libraries only: system libraries
/// are nobody's source line, and a debug-information server must not be asked in the middle of a run.
int find_debuginfo(Dwfl_Module* module, void** userdata, char const* name, Dwarf_Addr base, char const* file,
                   char const* link, GElf_Word crc, char** result) {
  char const* servers = std::getenv("DEBUGINFOD_URLS");
  if (servers != nullptr && *servers != '\0') return -1;
  for (std::string_view const folder : {"/usr/lib", "/lib"})
    if (std::string_view(name).starts_with(folder)) return -1;
  return dwfl_standard_find_debuginfo(module, userdata, name, base, file, link, crc, result);
}

bool is_from_clang(Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  if (dwarf_attr(unit, DW_AT_producer, &attribute) == nullptr) return false;
  char const* const producer = dwarf_formstring(&attribute);
  return producer != nullptr && std::string_view(producer).find("clang") != std::string_view::npos;
}

}  // namespace

struct DwarfIndex::State {
  Dwfl_Callbacks callbacks{};
  struct End {
    void operator()(Dwfl* d) const { dwfl_end(d); }
  };
  std::unique_ptr<Dwfl, End> dwfl;
  std::unordered_map<Dwfl_Module*, Module> modules;

  State() {
    callbacks.find_elf = dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = find_debuginfo;
    dwfl.reset(dwfl_begin(&callbacks));
    if (dwfl == nullptr) throw std::bad_alloc();
    read_map();
  }

  void read_map() {
    dwfl_report_begin_add(dwfl.get());
    int const failed = dwfl_linux_proc_report(dwfl.get(), getpid());
    dwfl_report_end(dwfl.get(), nullptr, nullptr);
    if (failed > 0) throw std::system_error(failed, std::generic_category());
  }

  /// A library may have been loaded since: the map is read again when nothing is known at the address.
  Dwfl_Module* module_at(Dwarf_Addr address) {
    if (Dwfl_Module* module = dwfl_addrmodule(dwfl.get(), address)) return module;
    read_map();
    return dwfl_addrmodule(dwfl.get(), address);
  }

  Module& read_units(Dwfl_Module* handle) {
    auto const [it, fresh] = modules.try_emplace(handle);
    Module& module = it->second;
    if (!fresh || dwfl_module_getdwarf(handle, &module.bias) == nullptr) return module;
    for (Dwarf_Die* die = nullptr; (die = dwfl_module_nextcu(handle, die, &module.bias)) != nullptr;) {
      module.units.push_back(std::make_unique<Unit>(Unit{*die, false, {}, {}}));
      add_ranges(module.ranges, die, module.units.back().get());
    }
    sort_ranges(module.ranges);
    return module;
  }
};

DwarfIndex::DwarfIndex() : m_state(std::make_unique<State>()) {}
DwarfIndex::~DwarfIndex() = default;

std::vector<RawFrame> DwarfIndex::lookup(std::uintptr_t pc) {
  Dwfl_Module* handle = m_state->module_at(pc);
  if (handle == nullptr) return {};
  char const* symbol = dwfl_module_addrname(handle, pc);
  Module& module = m_state->read_units(handle);
  Dwarf_Addr const address = pc - module.bias;
  auto const* range = find_range(module.ranges, address);
  if (range == nullptr) {
    if (symbol == nullptr) return {};
    return {RawFrame{demangle(symbol), {}, 0, 0}};
  }
  Unit& unit = *range->what;
  if (!unit.functions_read) {
    unit.functions_read = true;
    read_functions(unit, &unit.die);
    sort_ranges(unit.functions);
  }
  std::vector<Dwarf_Die> chain;
  if (auto const* function = find_range(unit.functions, address)) {
    Dwarf_Die outermost = function->what;
    chain.push_back(outermost);
    descend(&outermost, address, chain);
  }
  std::vector<RawFrame> frames(std::max<std::size_t>(chain.size(), 1));
  for (RawFrame& frame : frames) frame.clang = is_from_clang(&unit.die);
  set_line(frames.front(), dwarf_getsrc_die(&unit.die, address));
  if (frames.front().line == 0 && !chain.empty())
    set_nearby_line(frames.front(), &unit.die, chain.front(), &chain.back(), address);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    Dwarf_Die& die = chain[chain.size() - 1 - i];
    frames[i].function = function_name(&die);
    if (i + 1 < chain.size()) set_call_site(frames[i + 1], &unit.die, &die);
  }
  // The symbol table knows the whole name of the function that has the code, also where -g1 left only
  // "operator()".
  if (symbol != nullptr) frames.back().function = demangle(symbol);
  return frames;
}

std::string DwarfIndex::field(std::uintptr_t pc, std::string_view type, std::uint32_t bytes, std::uint32_t byte) {
  Dwfl_Module* const handle = m_state->module_at(pc);
  if (handle == nullptr) return {};
  Module& module = m_state->read_units(handle);
  auto const* const range = find_range(module.ranges, pc - module.bias);
  if (range == nullptr) return {};
  std::string known(type);
  if (known.empty())
    for (RawFrame const& frame : lookup(pc))
      if (known = element_of_view(frame.function); !known.empty()) break;
  if (known.empty()) return {};
  Unit& unit = *range->what;
  if (!unit.structs) unit.structs.emplace(unit.die);
  return unit.structs->field(known, bytes, byte);
}

std::string DwarfIndex::variable(std::uintptr_t address) {
  // Past what is mapped from the file, libdwfl knows no module, or does so by chance.
  Dwfl_Module* const handle = m_state->module_at(module_begin(address));
  if (handle == nullptr) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  char const* const name =
      dwfl_module_addrinfo(handle, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return {};
  return demangle(name);
}

}  // namespace teamsan
