// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompiledUnits.hpp"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <filesystem>
#include <memory>
#include <sstream>

namespace teamsan::cli {
namespace {

std::string text_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  char const* text = dwarf_attr(die, name, &attribute) != nullptr ? dwarf_formstring(&attribute) : nullptr;
  return text == nullptr ? "" : text;
}

CompiledUnit unit_of(Dwarf_Die* die) {
  CompiledUnit unit;
  std::filesystem::path const source = text_of(die, DW_AT_name);
  unit.source = (std::filesystem::path(text_of(die, DW_AT_comp_dir)) / source).lexically_normal().string();
  std::istringstream words(text_of(die, DW_AT_producer));
  for (std::string word; words >> word;) {
    if (!word.starts_with('-')) {
      if (!unit.options_known) unit.compiler += (unit.compiler.empty() ? "" : " ") + word;
      continue;
    }
    unit.options_known = true;
    if (word.starts_with("-O")) unit.optimisation = word;
    if (word == "-fsanitize=thread") unit.instrumented = true;
    if (word.starts_with("-fplugin=") && word.ends_with("/teamsan_plugin.so")) unit.has_plugin = true;
  }
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  unit.has_lines = dwarf_getsrclines(die, &lines, &count) == 0 && count != 0;
  return unit;
}

}  // namespace

std::vector<CompiledUnit> compiled_units(std::string const& path) {
  // libdwfl, since an object's debug information is to be relocated first. Debug information of its own file is not looked for.
  static Dwfl_Callbacks const callbacks{.find_elf = dwfl_build_id_find_elf,
                                        .find_debuginfo = [](Dwfl_Module*, void**, char const*, Dwarf_Addr, char const*,
                                                             char const*, GElf_Word, char**) { return -1; },
                                        .section_address = dwfl_offline_section_address,
                                        .debuginfo_path = nullptr};
  std::vector<CompiledUnit> units;
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> const session(dwfl_begin(&callbacks), dwfl_end);
  Dwfl_Module* const module = session ? dwfl_report_offline(session.get(), path.c_str(), path.c_str(), -1) : nullptr;
  if (module == nullptr) return units;
  dwfl_report_end(session.get(), nullptr, nullptr);
  Dwarf_Addr bias = 0;
  Dwarf* const dwarf = dwfl_module_getdwarf(module, &bias);
  if (dwarf == nullptr) return units;
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  Dwarf_Die die, skeleton;
  while (dwarf_get_units(dwarf, unit, &unit, &version, nullptr, &die, &skeleton) == 0)
    if (dwarf_tag(&die) == DW_TAG_compile_unit) units.push_back(unit_of(&die));
  return units;
}

}  // namespace teamsan::cli
