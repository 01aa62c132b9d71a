// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NamedOperand.hpp"

#include <cctype>

namespace teamsan {
namespace {

bool goes_into_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

/// Of the call whose parenthesis stands there.
NamedOperand call_at(std::string_view line, std::size_t open) {
  std::size_t begin = open;
  while (begin != 0 && goes_into_name(line[begin - 1])) --begin;
  NamedOperand operand{std::string(line.substr(begin, open - begin)), {}};
  int depth = 0;
  std::size_t last = open + 1;
  for (std::size_t i = open + 1; i < line.size(); ++i) {
    char const c = line[i];
    if ((c == ',' || c == ')') && depth == 0) {
      operand.arguments.push_back(without_blanks(line.substr(last, i - last)));
      last = i + 1;
      if (c == ')') return operand;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  return {};
}

/// Of the call that the text ends with.
NamedOperand last_call(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty() || text.back() != ')') return {};
  int depth = 0;
  for (std::size_t i = text.size(); i-- != 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return call_at(text, i);
  }
  return {};
}

/// `c ? a(i - 1) : 0`, of which one side alone is an element: the text begins behind the question mark.
NamedOperand only_choice(std::string_view text) {
  int depth = 0;
  std::size_t begin = 0;
  NamedOperand only;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    char const c = i == text.size() ? ';' : text[i];
    if (c == '?') return {};
    bool const ends = depth == 0 && (c == ':' || c == ';' || c == ',' || c == ')');
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (!ends) continue;
    NamedOperand side = last_call(text.substr(begin, i - begin));
    if (!side.name.empty() && !only.name.empty()) return {};
    if (!side.name.empty()) only = std::move(side);
    begin = i + 1;
    if (c != ':') break;
  }
  return only;
}

}  // namespace

NamedOperand operand_at(std::string_view line, unsigned column) {
  if (column == 0 || column > line.size()) return {};
  std::size_t at = column - 1;
  if (line[at] == '(') return call_at(line, at);
  // A store's column is its operator's, behind the operand, a load's may be what follows its call.
  if (std::string_view("=+-*/&|^;,)").find(line[at]) != std::string_view::npos)
    return last_call(line.substr(0, line[at] == ')' ? at + 1 : at));
  if (line[at] == '?') return only_choice(line.substr(at + 1));
  if (!goes_into_name(line[at])) return {};
  while (at != line.size() && goes_into_name(line[at])) ++at;
  return at != line.size() && line[at] == '(' ? call_at(line, at) : NamedOperand{};
}

}  // namespace teamsan
