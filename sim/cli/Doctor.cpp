// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan doctor`: says of a program, or of a build folder, what is built for checking and what is not, and what to do.
/// Decides from symbols and debug information; runs nothing. It cannot see what a program loads only once it runs.
#include "Commands.hpp"
#include "CompiledUnits.hpp"

#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/places/ObjectSymbols.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

constexpr char const* help =
    "Says of a program, or of all in a build folder, what is built for checking and\n"
    "what is not, and what to do. Runs nothing.\n\n"
    "Usage: teamsan doctor PROGRAM|FOLDER\n\n"
    "Exit status: 0 built for checking, 3 not, or not all of it.\n";
constexpr std::size_t most_named = 8;

/// What is found, line by line, and what is to be done about it.
struct Advice {
  std::vector<std::string> to_do;
  void add(std::string sentence) {
    if (std::find(to_do.begin(), to_do.end(), sentence) == to_do.end()) to_do.push_back(std::move(sentence));
  }
};

void line(std::string_view what, std::string const& text) { fmt::print("{:<14} {}\n", what, text); }

template <class Names>
std::string some_of(Names const& names) {
  std::string text;
  std::size_t count = 0;
  for (auto const& name : names) {
    if (count++ == most_named) break;
    text += (text.empty() ? "" : ", ") + name;
  }
  if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
  return text;
}

#if defined(__aarch64__)
#define TEAMSAN_TRIPLET "aarch64-linux-gnu"
#else
#define TEAMSAN_TRIPLET "x86_64-linux-gnu"
#endif

/// Where the loader would find a shared library; empty: nowhere that is looked at here.
std::string find_library(std::string const& name, ObjectSymbols const& symbols, fs::path const& program) {
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
    std::error_code ignored;
    if (fs::path const candidate = fs::path(folder) / name; fs::exists(candidate, ignored)) return candidate.string();
  }
  return {};
}

/// The runtime lies in each program.
bool is_teamsan_source(std::string_view source) {
  if (source.find("/include/teamsan/simt/") != source.npos) return true;  // compiled with a project's own Kokkos
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

void advise_on_units(std::string const& path, Advice& advice) {
  std::set<std::string> compilers, optimisations, bare, lineless;
  std::size_t known = 0, unknown = 0;
  for (CompiledUnit const& unit : compiled_units(path)) {
    if (is_teamsan_source(unit.source) || is_kokkos_source(unit.source)) continue;
    compilers.insert(unit.compiler);
    if (!unit.has_lines) lineless.insert(unit.source);
    if (!unit.options_known) {
      ++unknown;
      continue;
    }
    ++known;
    optimisations.insert(unit.optimisation.empty() ? "-O0" : unit.optimisation);
    if (!unit.instrumented) bare.insert(unit.source);
  }
  if (known + unknown == 0) {
    line("Line tables", "none");
    advice.add("compile with -g1 or more and do not strip the program: findings have no lines, and some are not told at all");
    return;
  }
  line("Compiler", some_of(compilers));
  line("Sources", unknown == 0 ? fmt::format("{} with debug information, {} of them not built for checking", known, bare.size())
                               : fmt::format("{} with debug information; of {} it does not say how they were compiled",
                                             known + unknown, unknown));
  if (!bare.empty()) {
    line("", "not: " + some_of(bare));
    advice.add("build those sources for checking too; a library of the project by linking it to Kokkos::kokkos, so that it "
               "gets a twin");
  }
  if (!optimisations.empty()) line("Optimisation", some_of(optimisations));
  line("Line tables", lineless.empty() ? "yes" : "not in " + some_of(lineless));
}

void advise_on_libraries(std::string const& path, ObjectSymbols const& symbols, Advice& advice) {
  std::set<std::string> unchecked;
  std::vector<std::string> to_look_at = symbols.needed;
  std::set<std::string> seen;
  bool kokkos = false;
  while (!to_look_at.empty()) {
    std::string const name = to_look_at.back();
    to_look_at.pop_back();
    if (!seen.insert(name).second) continue;
    std::string const file = find_library(name, symbols, path);
    ObjectSymbols const found = object_symbols(file);
    if (name.starts_with("libkokkoscore.")) {
      kokkos = true;
      std::error_code ignored;
      line("Kokkos", file.empty() ? name + ", which was not found" : fs::canonical(file, ignored).string());
    }
    if (found.uses_kokkos && !found.is_instrumented && !found.is_kokkos) unchecked.insert(file);
    if (found.uses_kokkos) to_look_at.insert(to_look_at.end(), found.needed.begin(), found.needed.end());
  }
  if (!kokkos) line("Kokkos", symbols.uses_kokkos ? "part of the program" : "not used");
  if (!unchecked.empty()) {
    line("Libraries", "use Kokkos and are not built for checking: " + some_of(unchecked));
    advice.add("build those libraries with the program, or with teamsan-c++: what their code does is not seen");
  }
}

/// True: it is built for checking.
bool examine_program(std::string const& path, Advice& advice) {
  ObjectSymbols const symbols = object_symbols(path);
  if (!symbols.is_elf)
    throw UsageError(fmt::format("{} is no program: a script, perhaps; name the program that it starts", path));
  bool const checked = symbols.has_runtime && symbols.is_instrumented;
  line("Program", path);
  line("Checking", checked ? "built for checking"
                   : symbols.has_runtime
                       ? "holds TeamSan's runtime, and no code that calls it was seen: it is stripped, or not instrumented"
                       : "not built for checking");
  if (!symbols.has_runtime)
    advice.add("build it for checking: teamsan_add_checked(app), project.cmake or CXX=teamsan-c++ (docs/integrating.md)");
  if (!symbols.sanitizer.empty()) {
    line("Sanitizer", symbols.sanitizer);
    advice.add(fmt::format("build without {}: a process has one such runtime", symbols.sanitizer));
  }
  advise_on_libraries(path, symbols, advice);
  if (!symbols.other_spaces.empty()) {
    line("Spaces", "kernels are compiled for " + some_of(symbols.other_spaces) + ", where nothing is checked");
    advice.add("use Kokkos::DefaultExecutionSpace where the program names a host space, unless it is to run on the host");
  }
  advise_on_units(path, advice);
  return symbols.has_runtime && advice.to_do.empty();
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

bool examine_folder(fs::path const& folder, Advice& advice) {
  auto cache = cache_of(folder);
  line("Folder", folder.string());
  if (!cache.empty()) {
    line("Compiler", cache["CMAKE_CXX_COMPILER"] + " " + cache["CMAKE_CXX_FLAGS"]);
    line("Build type", cache["CMAKE_BUILD_TYPE"].empty() ? "none" : cache["CMAKE_BUILD_TYPE"]);
    if (std::string const kokkos = cache["Kokkos_DIR"]; !kokkos.empty() && !kokkos.ends_with("NOTFOUND"))
      line("Kokkos", fmt::format("{} in {}", kokkos_version(kokkos), kokkos));
    line("TeamSan", !cache["TeamSan_DIR"].empty() ? cache["TeamSan_DIR"] : "not found by this project");
  }
  std::set<std::string> checked, unchecked, bare;
  std::size_t objects = 0, instrumented = 0;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (error || !it->is_regular_file(error)) continue;
    std::string const name = fs::relative(it->path(), folder, error).string();
    bool const runs = (it->status(error).permissions() & fs::perms::owner_exec) != fs::perms::none;
    bool const is_object = it->path().extension() == ".o";
    if (name.find("CompilerId") != name.npos || name.find("CMakeScratch") != name.npos ||
        name.find("teamsan_simt") != name.npos || !(runs || is_object)) continue;
    ObjectSymbols const symbols = object_symbols(it->path().string());
    if (!symbols.is_elf || !symbols.uses_kokkos || symbols.is_kokkos) continue;
    if (is_object) {
      ++objects;
      instrumented += symbols.is_instrumented;
      continue;
    }
    (symbols.is_instrumented ? checked : unchecked).insert(name);
  }
  line("Objects", fmt::format("{} use Kokkos, {} of them built for checking", objects, instrumented));
  line("Checked", checked.empty() ? "no program and no library" : some_of(checked));
  if (!unchecked.empty()) line("Not checked", some_of(unchecked));
  if (checked.empty())
    advice.add("build it for checking: teamsan_add_checked(app), project.cmake or CXX=teamsan-c++ (docs/integrating.md)");
  return !checked.empty();
}

int doctor(std::string const& what) {
  if (what.empty()) throw UsageError("doctor needs a program or a build folder: teamsan doctor PROGRAM|FOLDER");
  std::error_code ignored;
  if (!fs::exists(what, ignored)) throw UsageError(fmt::format("there is no {}", what));
  Advice advice;
  bool const fit = fs::is_directory(what, ignored) ? examine_folder(what, advice) : examine_program(what, advice);
  for (std::string const& sentence : advice.to_do) line("To do", sentence);
  if (advice.to_do.empty()) line("To do", "nothing: run it with `teamsan run`");
  std::fflush(stdout);
  return fit ? exit_success : exit_tool_failure;
}

}  // namespace

void add_doctor(CLI::App& app) {
  CLI::App* command = app.add_subcommand("doctor", "say what of a program or build folder is built for checking");
  command->formatter_fn([](CLI::App const*, std::string, CLI::AppFormatMode) { return std::string(help); });
  auto what = std::make_shared<std::string>();
  command->add_option("what", *what);
  command->callback([what] {
    if (int const status = doctor(*what); status != exit_success) std::exit(status);
  });
}

}  // namespace teamsan::cli
