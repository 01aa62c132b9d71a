// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompiledUnits.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
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
  }
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  unit.has_lines = dwarf_getsrclines(die, &lines, &count) == 0 && count != 0;
  return unit;
}

}  // namespace

std::vector<CompiledUnit> compiled_units(std::string const& path) {
  std::vector<CompiledUnit> units;
  int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return units;
  if (Dwarf* const dwarf = dwarf_begin(file, DWARF_C_READ)) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Half version = 0;
    Dwarf_Die die, skeleton;
    while (dwarf_get_units(dwarf, unit, &unit, &version, nullptr, &die, &skeleton) == 0)
      if (dwarf_tag(&die) == DW_TAG_compile_unit) units.push_back(unit_of(&die));
    dwarf_end(dwarf);
  }
  ::close(file);
  return units;
}

}  // namespace teamsan::cli
