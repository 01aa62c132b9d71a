// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a person recognises as theirs: decides from a file's path whether its code is the user's, and makes
/// short names out of demangled ones. It goes by names only: a user's own file called Kokkos_*.hpp counts as
/// Kokkos'.
#include "Symbolizer.hpp"

#include <array>
#include <cctype>

namespace teamsan {
namespace {

constexpr std::string_view internal_parts[] = {
    "/include/kokkos/",  // an installed Kokkos in a folder of its own
    "/desul/",          "/__p0009_bits/",     "/__p1684_bits/",   "/__p2389_bits/",    "/__p2630_bits/", "/__p2642_bits/",
    "/mdspan/mdspan.",  "/include/c++/",      "-linux-gnu/c++/",  "/lib/gcc/",         "/lib/clang/",    "/include/oneapi/",
    "/include/tbb/",    "/include/boost/",    "/sysdeps/",        "/libstdc++-v3/",    "/teamsan/sim/",  "/teamsan/model/",
    "/teamsan/traces/", "/teamsan/backends/", "/teamsan/native/", "/usr/include/bits/"};

constexpr std::string_view internal_names[] = {"Kokkos_", "KokkosCore_", "KokkosExp_"};

/// TeamSan's own source tree, from where this file was compiled: its tests and examples are somebody's code,
/// its rooms are not.
bool in_own_rooms(std::string_view file) {
  constexpr std::string_view here = __FILE__;
  constexpr std::string_view tail = "sim/places/UserCode.cpp";
  if constexpr (!here.ends_with(tail)) return false;
  std::string_view const root = here.substr(0, here.size() - tail.size());
  if (root.empty() || !file.starts_with(root)) return false;
  std::string_view const rest = file.substr(root.size());
  for (std::string_view const room : {"sim/", "model/", "traces/", "backends/"})
    if (rest.starts_with(room)) return true;
  return false;
}

/// Drops everything between matching brackets that start at `at`; returns the position after them.
std::size_t skip_brackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    char const c = text[i];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' && i > 0 && text[i - 1] == '-') continue;
    if (c == '>' || c == ')' || c == '}' || c == ']')
      if (--depth == 0) return i + 1;
  }
  return text.size();
}

/// The length of an operator's symbol that stands at `at`: "operator()", "operator<<", ...
std::size_t operator_symbol(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 12> symbols = {"()", "[]", "<=>", "<<=", ">>=", "->*",
                                                        "<<", ">>", "<=",  ">=",  "->",  "<"};
  for (auto const symbol : symbols)
    if (text.substr(at, symbol.size()) == symbol) return symbol.size();
  return text.substr(at, 1) == ">" ? 1 : 0;
}

/// The name's components (between "::") without templates, parameters, qualifiers and return types.
std::vector<std::string> components_of(std::string_view text) {
  constexpr std::string_view anonymous = "(anonymous namespace)", op = "operator";
  std::vector<std::string> components(1);
  bool done = false;  // after a parameter list only "::" starts something new
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "::") {
      if (!components.back().empty()) components.emplace_back();
      done = false, i += 2;
    } else if (text.substr(i, anonymous.size()) == anonymous) {
      i += anonymous.size();
    } else if (text.substr(i, 7) == "{lambda") {
      components.back() = "lambda";
      i = skip_brackets(text, i);
    } else if (text.substr(i, op.size()) == op &&
               !std::isalnum(static_cast<unsigned char>(text[i + op.size()])) && text[i + op.size()] != '_' &&
               !done) {
      std::size_t const length = op.size() + operator_symbol(text, i + op.size());
      components.back() = text.substr(i, length);
      i += length;
    } else if (char const c = text[i]; c == '<' || c == '{' || c == '[') {
      i = skip_brackets(text, i);
    } else if (c == '(') {
      i = skip_brackets(text, i);
      done = true;
    } else if (c == ' ' && !done && !components.back().starts_with(op)) {
      components.assign(1, {});  // what stood before was a return type
      ++i;
    } else {
      if (!done) components.back() += c;
      ++i;
    }
  }
  if (components.back().empty()) components.pop_back();
  return components;
}

bool is_lambda(std::string const& component) { return component == "lambda" || component.starts_with("$_"); }

}  // namespace

bool is_internal_file(std::string_view file) {
  if (file.empty()) return true;
  for (auto const part : internal_parts)
    if (file.find(part) != std::string_view::npos) return true;
  std::string_view const name = file.substr(file.rfind('/') + 1);
  for (auto const prefix : internal_names)
    if (name.starts_with(prefix)) return true;
  return in_own_rooms(file);
}

std::string short_function_name(std::string_view demangled) {
  std::vector<std::string> const components = components_of(demangled);
  for (std::size_t i = components.size(); i-- > 0;)
    if (is_lambda(components[i])) {
      while (i > 0 && (is_lambda(components[i]) || components[i].starts_with("operator"))) --i;
      return is_lambda(components[i]) ? "lambda" : "lambda in " + components[i];
    }
  if (components.empty()) return std::string(demangled);
  if (components.size() == 1) return components.back();
  return components[components.size() - 2] + "::" + components.back();
}

}  // namespace teamsan
