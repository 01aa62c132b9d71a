// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExaminedFile.hpp"

#include "Commands.hpp"
#include "CompiledUnits.hpp"

#include "../places/CompiledKernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

#if defined(__aarch64__)
#define TEAMSAN_TRIPLET "aarch64-linux-gnu"
#else
#define TEAMSAN_TRIPLET "x86_64-linux-gnu"
#endif

/// Where the loader would find a shared library; empty: nowhere that is looked at here.
std::string find_library(std::string const& name, ObjectSymbols const& symbols, fs::path const& program) {
  std::error_code ignored;
  if (name.find('/') != name.npos) return fs::exists(name, ignored) ? name : "";  // as it stands, from where one is
  std::vector<std::string> folders = symbols.search;
  char const* more = std::getenv("LD_LIBRARY_PATH");
  std::string_view rest = more == nullptr ? "" : more;
  while (!rest.empty()) {
    folders.emplace_back(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(folders.back().size() + 1, rest.size()));
  }
  for (char const* usual : {"/lib/" TEAMSAN_TRIPLET, "/usr/lib/" TEAMSAN_TRIPLET, "/usr/local/lib", "/lib64", "/usr/lib64"})
    folders.push_back(usual);
  for (std::string folder : folders) {
    if (std::size_t const at = folder.find("$ORIGIN"); at != folder.npos)
      folder.replace(at, 7, fs::absolute(program).parent_path().string());
    if (fs::path const candidate = fs::path(folder) / name; fs::exists(candidate, ignored)) return candidate.string();
  }
  return {};
}

/// The runtime lies in each program.
bool is_teamsan_source(std::string_view source) {
  if (source.find("/include/teamsan/backends/simt/") != source.npos) return true;  // compiled with a project's own Kokkos
  for (std::string_view const root : {TEAMSAN_SOURCE, TEAMSAN_BINARY})
    for (std::string_view const room : {"/sim/", "/backends/simt/", "/model/", "/traces/", "/cmake/seal/"})
      if (source.starts_with(root) && source.substr(root.size()).starts_with(room)) return true;
  return false;
}

/// A Kokkos that lies in the program's tree, or that is linked statically: its own code needs no checking.
bool is_kokkos_source(std::string_view source) {
  if (source.find("/desul/src/") != source.npos) return true;
  return source.find("/src/") != source.npos && source.substr(source.rfind('/') + 1).starts_with("Kokkos_");
}

void look_at_units(std::string const& path, ExaminedFile& found) {
  for (CompiledUnit const& unit : compiled_units(path)) {
    if (is_teamsan_source(unit.source) || is_kokkos_source(unit.source) || is_foreign_object(unit.source)) continue;
    found.compilers.insert(unit.compiler);
    if (!unit.has_lines) found.lineless.insert(unit.source);
    if (!unit.options_known) {
      ++found.unknown;
      continue;
    }
    ++found.known;
    std::string const level = unit.optimisation.empty() ? "-O0" : unit.optimisation;
    found.optimisations.insert(level);
    if (!unit.instrumented)
      found.bare.insert(unit.source);
    else if (!unit.has_plugin || level == "-O0")
      found.by_calls.insert(unit.source);
  }
  if (found.known + found.unknown == 0)
    found.advise("compile with -g1 or more and do not strip the program: findings have no lines, and some are not told at all");
  if (!found.bare.empty())
    found.advise("build those sources for checking too; a library of the project by linking it to Kokkos::kokkos, so that it "
                 "gets a twin");
}

void look_at_libraries(std::string const& path, ExaminedFile& found) {
  std::vector<std::string> to_look_at = found.symbols.needed;
  std::set<std::string> seen;
  while (!to_look_at.empty()) {
    std::string const name = to_look_at.back();
    to_look_at.pop_back();
    if (!seen.insert(name).second) continue;
    std::string const file = find_library(name, found.symbols, path);
    ObjectSymbols const library = object_symbols(file);
    if (fs::path(name).filename().string().starts_with("libkokkoscore.")) {
      std::error_code ignored;
      found.kokkos.insert(file.empty() ? name + ", which was not found" : fs::canonical(file, ignored).string());
    }
    if (library.uses_kokkos && !library.is_instrumented && !library.is_kokkos) found.unchecked_libraries.insert(file);
    if (library.uses_kokkos) to_look_at.insert(to_look_at.end(), library.needed.begin(), library.needed.end());
  }
  if (!found.unchecked_libraries.empty())
    found.advise("build those libraries with the program, or with teamsan-c++: what their code does is not seen");
  if (found.kokkos.size() > 1)
    found.advise("link one Kokkos: with two of them the program has the state of each twice, and ends as it starts");
}

}  // namespace

void ExaminedFile::advise(std::string sentence) {
  if (std::find(to_do.begin(), to_do.end(), sentence) == to_do.end()) to_do.push_back(std::move(sentence));
}

ExaminedFile examine(std::string const& path) {
  ExaminedFile found;
  CompiledKernels kernels;
  found.symbols = object_symbols(path, &kernels);
  for (std::string& space : kernels.spaces(false)) found.other_spaces.insert(std::move(space));
  for (std::string& space : kernels.spaces(true)) found.more_spaces.insert(std::move(space));
  ObjectSymbols const& symbols = found.symbols;
  if (!symbols.is_elf) {
    std::string begin(8, '\0');
    std::ifstream(path).read(begin.data(), 8);
    if (begin == "!<arch>\n")
      throw UsageError(fmt::format("{} is an archive of objects: name the program that links it", path));
    throw UsageError(fmt::format("{} is no program: a script, perhaps; name the program that it starts", path));
  }
  bool const is_program = symbols.kind == ObjectSymbols::Kind::program;
  found.checked = symbols.is_instrumented && (symbols.has_runtime || !is_program);
  if (is_program ? !symbols.has_runtime : !found.checked)
    found.advise("build it for checking: teamsan_add_checked(app), project.cmake or CXX=teamsan-c++ (docs/integrating.md)");
  if (!symbols.sanitizer.empty())
    found.advise(fmt::format("build without {}: a process has one such runtime", symbols.sanitizer));
  look_at_libraries(path, found);
  if (!found.other_spaces.empty())
    found.advise("use Kokkos::DefaultExecutionSpace where the program names a host space, unless it is to run on the host");
  look_at_units(path, found);
  return found;
}

bool is_foreign_object(std::string const& path) {
  for (std::string_view const target :
       {"/kokkoscore.dir/", "/kokkoscontainers.dir/", "/kokkosalgorithms.dir/", "/kokkossimd.dir/"})
    if (path.find(target) != path.npos) return true;
  return path.find("CMakeFiles/teamsan_") != path.npos;
}

}  // namespace teamsan::cli
