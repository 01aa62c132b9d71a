// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan doctor`: says of a program, a library or an object, or of all in a build folder, what is built for checking and
/// what is not, and what to do (ExaminedFile.hpp). Runs nothing.
#include "Commands.hpp"
#include "Help.hpp"
#include "ExaminedFile.hpp"

#include "../base/ExitStatus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

void line(std::string_view what, std::string const& text) { fmt::print("{:<14} {}\n", what, text); }

/// What is the same for a file, and for those of a folder taken together.
void tell_how_built(ExaminedFile const& found) {
  if (!found.symbols.sanitizer.empty()) line("Sanitizer", found.symbols.sanitizer);
  for (std::string const& kokkos : found.kokkos) line("Kokkos", kokkos);
  if (!found.unchecked_libraries.empty())
    line("Libraries", "use Kokkos and are not built for checking: " + some_of(found.unchecked_libraries));
  if (!found.other_spaces.empty())
    line("Spaces", "kernels are compiled for " + some_of(found.other_spaces) + ", where nothing is checked");
  if (!found.more_spaces.empty())
    line("Spaces", "kernels are compiled for the simulated GPU and for " + some_of(found.more_spaces) +
                       " as well: where the program picks that, nothing is checked");
  if (found.checked && found.symbols.uses_kokkos)
    line("Plain bodies", found.symbols.has_plain_bodies ? "yes: launches that are not checked run at native speed"
                                                        : "none: launches that are not checked run instrumented code");
  if (found.symbols.has_plain_bodies && !found.by_calls.empty())
    line("", "not of: " + some_of(found.by_calls) + " (without the compiler's plug-in, or at -O0)");
  if (found.known + found.unknown == 0) return line("Line tables", "none");
  line("Compiled by", some_of(found.compilers));
  line("Sources", found.unknown == 0 ? fmt::format("{} with debug information, {} of them not built for checking", found.known,
                                                   found.bare.size())
                                     : fmt::format("{} with debug information; of {} it does not say how they were compiled",
                                                   found.known + found.unknown, found.unknown));
  if (!found.bare.empty()) line("", "not: " + some_of(found.bare));
  if (!found.optimisations.empty()) line("Optimisation", some_of(found.optimisations));
  line("Line tables", found.lineless.empty() ? "yes" : "not in " + some_of(found.lineless));
}

bool tell_what_to_do(std::vector<std::string> const& to_do) {
  for (std::string const& sentence : to_do) line("To do", sentence);
  if (to_do.empty()) line("To do", "nothing: run it with `teamsan run`");
  return to_do.empty();
}

bool tell_of_file(std::string const& path) {
  ExaminedFile const found = examine(path);
  using Kind = ObjectSymbols::Kind;
  Kind const kind = found.symbols.kind;
  line(kind == Kind::program ? "Program" : kind == Kind::library ? "Library" : "Object", path);
  std::string const by = kind == Kind::program ? "" : ": it calls its program's runtime";
  line("Checking", found.checked ? "built for checking" + by
                   : found.symbols.has_runtime
                       ? "holds TeamSan's runtime, and no code that calls it was seen: it is stripped, or not instrumented"
                       : "not built for checking");
  if (found.kokkos.empty()) line("Kokkos", found.symbols.uses_kokkos ? "part of it" : "not used");
  tell_how_built(found);
  return tell_what_to_do(found.to_do);
}

std::map<std::string, std::string> cache_of(fs::path const& folder) {
  std::map<std::string, std::string> entries;
  std::ifstream stream(folder / "CMakeCache.txt");
  for (std::string text; std::getline(stream, text);) {
    std::size_t const colon = text.find(':'), equals = text.find('=');
    if (colon != text.npos && equals != text.npos && colon < equals && !text.starts_with('#') && !text.starts_with('/'))
      entries[text.substr(0, colon)] = text.substr(equals + 1);
  }
  return entries;
}

std::string kokkos_version(std::string const& folder) {
  std::ifstream stream(fs::path(folder) / "KokkosConfigVersion.cmake");
  for (std::string text; std::getline(stream, text);)
    if (std::size_t const at = text.find("set(PACKAGE_VERSION \""); at != text.npos) {
      text.erase(0, at + 21);
      return text.substr(0, text.find('"'));
    }
  return "of an unknown version";
}

/// The project's own settings; false: its configuration did not come to its end.
bool tell_of_configuration(fs::path const& folder) {
  auto cache = cache_of(folder);
  if (cache.empty()) return true;
  line("Compiler", cache["CMAKE_CXX_COMPILER"] + " " + cache["CMAKE_CXX_FLAGS"]);
  std::string const types = cache["CMAKE_CONFIGURATION_TYPES"], type = types.empty() ? cache["CMAKE_BUILD_TYPE"] : types;
  line("Build type", type.empty() ? "none" : type);
  std::string kokkos = cache["Kokkos_DIR"];
  if (kokkos.empty() || kokkos.ends_with("NOTFOUND")) kokkos = cache["Kokkos_BINARY_DIR"];  // in the project's tree
  if (!kokkos.empty()) line("Kokkos", fmt::format("{} in {}", kokkos_version(kokkos), kokkos));
  bool const by_compiler = fs::path(cache["CMAKE_CXX_COMPILER"]).filename() == "teamsan-c++";
  line("TeamSan", !cache["TeamSan_DIR"].empty() ? cache["TeamSan_DIR"]
                  : by_compiler                 ? "by the project's compiler"
                                                : "not found by this project");
  std::error_code ignored;
  for (char const* const file : {"build.ninja", "Makefile", "build-Debug.ninja", "build-Release.ninja"})
    if (fs::exists(folder / file, ignored)) return true;
  return false;
}

/// CMake's own trials, which each build folder has.
bool is_trial(std::string const& path) {
  std::size_t const at = path.find("CMakeFiles/");
  return path.find("CMakeScratch") != path.npos || path.find("CMakeTmp") != path.npos ||
         (at != path.npos && (path.find(".dir/", at) == path.npos || path.find("CompilerId", at) != path.npos));
}

bool tell_of_folder(fs::path const& folder) {
  line("Folder", folder.string());
  bool const configured = tell_of_configuration(folder);
  std::set<std::string> checked, unchecked, stems;
  std::map<std::string, std::set<std::string>> to_do;  ///< sentence, and the programs that it is about
  ExaminedFile all;
  std::size_t objects = 0, instrumented = 0;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (error || !it->is_regular_file(error)) continue;
    std::string const name = fs::relative(it->path(), folder, error).string();
    bool const runs = (it->status(error).permissions() & fs::perms::owner_exec) != fs::perms::none;
    bool const is_object = it->path().extension() == ".o";
    stems.insert(it->path().stem().string());
    if (!(runs || is_object) || is_trial(name) || is_foreign_object("/" + name)) continue;
    ObjectSymbols const symbols = object_symbols(it->path().string());
    if (!symbols.is_elf || !symbols.uses_kokkos || symbols.is_kokkos) continue;
    if (is_object) {
      ++objects;
      instrumented += symbols.is_instrumented;
      continue;
    }
    ExaminedFile const found = examine(it->path().string());
    if (!found.symbols.has_runtime && !found.checked) {
      unchecked.insert(name);
      continue;
    }
    checked.insert(name);
    for (std::string const& sentence : found.to_do) to_do[sentence].insert(name);
    all.kokkos.insert(found.kokkos.begin(), found.kokkos.end());
    all.unchecked_libraries.insert(found.unchecked_libraries.begin(), found.unchecked_libraries.end());
    all.compilers.insert(found.compilers.begin(), found.compilers.end());
    all.optimisations.insert(found.optimisations.begin(), found.optimisations.end());
    all.bare.insert(found.bare.begin(), found.bare.end());
    all.by_calls.insert(found.by_calls.begin(), found.by_calls.end());
    all.lineless.insert(found.lineless.begin(), found.lineless.end());
    all.checked = all.symbols.uses_kokkos = true;
    all.symbols.has_plain_bodies |= found.symbols.has_plain_bodies;
    all.known += found.known;
    all.unknown += found.unknown;
    all.other_spaces.insert(found.other_spaces.begin(), found.other_spaces.end());
    all.more_spaces.insert(found.more_spaces.begin(), found.more_spaces.end());
  }
  std::set<std::string> lacking;
  for (std::string const& name : unchecked)
    if (!stems.contains(fs::path(name).stem().string() + "_teamsan")) lacking.insert(name);  // no twin beside
  line("Objects", fmt::format("{} use Kokkos, {} of them built for checking", objects, instrumented));
  line("Checked", checked.empty() ? "no program and no library" : some_of(checked));
  if (!unchecked.empty()) line("Not checked", some_of(unchecked));
  if (!checked.empty()) tell_how_built(all);
  std::vector<std::string> sentences;
  if (!configured) sentences.push_back("configure the project again, and mend what CMake says: it did not come to its end");
  if (checked.empty())
    sentences.push_back(
        "build it for checking: teamsan_add_checked(app), project.cmake or CXX=teamsan-c++ (docs/integrating.md)");
  else if (!lacking.empty())
    sentences.push_back(fmt::format("build {} for checking too, unless nothing of it is to be checked", some_of(lacking)));
  for (auto const& [sentence, names] : to_do) sentences.push_back(fmt::format("{} ({})", sentence, some_of(names)));
  return tell_what_to_do(sentences);
}

/// What a report of a fault begins with.
bool tell_of_teamsan() {
  line("TeamSan", TEAMSAN_VERSION);
  line("Compiled by", TEAMSAN_COMPILER);
  line("Kokkos", TEAMSAN_KOKKOS);
  line("Plug-in", TEAMSAN_PLUGIN_SAYS);
  std::ifstream release("/etc/os-release");
  for (std::string text; std::getline(release, text);)
    if (text.starts_with("PRETTY_NAME=")) line("System", text.substr(12));
  return true;
}

int doctor(std::string const& what) {
  std::error_code ignored;
  if (!what.empty() && !fs::exists(what, ignored)) throw UsageError(fmt::format("there is no {}", what));
  bool const fit = what.empty()                      ? tell_of_teamsan()
                   : fs::is_directory(what, ignored) ? tell_of_folder(what)
                                                     : tell_of_file(what);
  std::fflush(stdout);
  return fit ? exit_success : exit_tool_failure;
}

}  // namespace

void add_doctor(CLI::App& app) {
  CLI::App* command = app.add_subcommand("doctor", "say what of a program or build folder is built for checking");
  set_help(*command, {"Says of a program, or of all in a build folder, what is built for checking and what is not, and what to "
                      "do. Runs nothing. Without either, of TeamSan itself.",
                      "doctor [PROGRAM|FOLDER]", "Exit status: 0 built for checking, 3 not, or not all of it."});
  auto what = std::make_shared<std::string>();
  command->add_option("what", *what);
  command->callback([what] {
    if (int const status = doctor(*what); status != exit_success) std::exit(status);
  });
}

}  // namespace teamsan::cli
