// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `teamsan doctor` finds of one program, library or object: how it was built, and what is to be done about it. Decided
/// from symbols and debug information. It cannot see what a program loads only once it runs.
#pragma once

#include "../places/ObjectSymbols.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace teamsan::cli {

/// Most names that a line holds.
constexpr std::size_t most_named = 8;

template <class Names>
std::string some_of(Names const& names) {
  std::string text;
  std::size_t count = 0;
  for (auto const& name : names) {
    if (count++ == most_named) break;
    text += (text.empty() ? "" : ", ") + name;
  }
  if (names.size() > most_named) text += " and " + std::to_string(names.size() - most_named) + " more";
  return text;
}

struct ExaminedFile {
  ObjectSymbols symbols;
  bool checked = false;           ///< built for checking: a program with the runtime, anything else that calls one
  std::set<std::string> kokkos;   ///< shared libraries of that name, where they lie
  std::set<std::string> unchecked_libraries;  ///< use Kokkos, and are not built for checking
  std::set<std::string> other_spaces;  ///< host spaces of kernels that were compiled for these alone
  std::set<std::string> more_spaces;   ///< and of those that were compiled for the simulated GPU as well
  std::set<std::string> compilers, optimisations;
  std::set<std::string> bare;      ///< sources that are not built for checking
  std::set<std::string> by_calls;  ///< sources that are, without the compiler's plug-in or without optimisation
  std::set<std::string> lineless;  ///< sources without line tables
  std::size_t known = 0;           ///< sources with debug information that says how they were compiled
  std::size_t unknown = 0;         ///< and that does not
  std::vector<std::string> to_do;  ///< sentences, each once; none: it is fit

  void advise(std::string sentence);
};

/// Throws UsageError for what is neither.
ExaminedFile examine(std::string const& path);

/// One of TeamSan's or Kokkos' own, by the name of the target in a path of CMake's; where CMake puts sources together
/// (CMAKE_UNITY_BUILD), a source lies there, too.
bool is_foreign_object(std::string const& path);

}  // namespace teamsan::cli
