// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeclaredName.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace teamsan {
namespace {

using Position = std::size_t;
constexpr Position none = std::string_view::npos;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Position skip_blanks_back(std::string_view text, Position end) {
  while (end != 0 && text[end - 1] == ' ') --end;
  return end;
}

/// The identifier that ends before `end`, blanks aside.
std::string_view word_before(std::string_view text, Position end) {
  end = skip_blanks_back(text, end);
  Position begin = end;
  while (begin != 0 && is_of_name(text[begin - 1])) --begin;
  if (begin == end || std::isdigit(static_cast<unsigned char>(text[begin]))) return {};
  return text.substr(begin, end - begin);
}

/// The bracket that is open at `at`, within the statement; none if there is none.
Position open_bracket(std::string_view text, Position at) {
  int depth = 0;
  while (at-- != 0) {
    char const c = text[at];
    if (c == ';') return none;
    if (c == ')' || c == '}') ++depth;
    if ((c == '(' || c == '{') && depth-- == 0) return at;
  }
  return none;
}

Position closing_bracket(std::string_view text, Position open) {
  int depth = 0;
  for (Position i = open; i != text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == '}') && --depth == 0) return i;
  }
  return text.size();
}

struct Declarator {
  std::string_view name;
  Position begin, end;
};

/// `TYPE name(... at ...)` or `, name(... at ...)`.
Declarator direct(std::string_view text, Position at) {
  Position const open = open_bracket(text, at);
  if (open == none) return {};
  std::string_view const name = word_before(text, open);
  if (name.empty()) return {};
  auto const begin = static_cast<Position>(name.data() - text.data());
  Position const outer = open_bracket(text, begin);
  if (outer != none && text[outer] == '(') return {};  // an argument
  Position const before = skip_blanks_back(text, begin);
  if (before == 0) return {};
  char const c = text[before - 1];
  std::string_view const type = word_before(text, before);
  bool const declares = (!type.empty() && before != begin && type != "return" && type != "new") || c == '>' ||
                        c == '*' || c == '&' || c == ',';
  return declares ? Declarator{name, begin, closing_bracket(text, open)} : Declarator{};
}

/// `name = ... at ...`
Declarator assigned(std::string_view text, Position at) {
  Position start = at;
  while (start != 0 && text[start - 1] != ';' && text[start - 1] != '{') --start;
  Position const equals = text.find('=', start);
  if (equals == none || equals >= at) return {};
  std::string_view const name = word_before(text, equals);
  if (name.empty()) return {};
  return {name, static_cast<Position>(name.data() - text.data()), std::min(text.find(';', at), text.size())};
}

}  // namespace

std::string declared_scratch(std::string_view own_line, unsigned column, std::string_view previous) {
  std::string const line = std::string(previous) + ' ' + std::string(own_line);
  Position const start = previous.size() + 1;
  std::vector<Declarator> found;
  for (std::string_view const call : {"team_scratch", "thread_scratch", "team_shmem"}) {
    for (Position at = start; (at = line.find(call, at)) != none; at += call.size()) {
      std::size_t const end = at + call.size();
      bool const whole = !is_of_name(line[at - 1]) && end < line.size() && line[end] == '(';
      if (!whole) continue;
      Declarator declarator = direct(line, at);
      if (declarator.name.empty()) declarator = assigned(line, at);
      if (declarator.name.empty()) return {};
      found.push_back(declarator);
    }
  }
  if (found.size() == 1) return std::string(found.front().name);
  for (Declarator const& d : found)
    if (column != 0 && d.begin < start + column && start + column <= d.end + 1) return std::string(d.name);
  return {};
}

}  // namespace teamsan
