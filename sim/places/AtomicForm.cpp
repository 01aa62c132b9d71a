// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/places/AtomicForm.hpp>

#include <fmt/format.h>

#include <cctype>
#include <iterator>

namespace teamsan {
namespace {

using Position = std::size_t;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_open(char c) { return c == '(' || c == '[' || c == '{'; }
bool is_closed(char c) { return c == ')' || c == ']' || c == '}'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The names, calls, subscripts and members that end before `end`.
std::string_view operand_before(std::string_view text, Position end) {
  while (end != 0 && text[end - 1] == ' ') --end;
  Position begin = end;
  for (int depth = 0; begin != 0; --begin) {
    char const c = text[begin - 1];
    if (is_closed(c)) {
      ++depth;
    } else if (is_open(c)) {
      if (depth-- == 0) break;
    } else if (depth == 0 && !is_word(c) && c != '.' && c != ':') {
      if (c != '>') break;
      if (begin > 1 && text[begin - 2] == '-') {
        --begin;
        continue;
      }
      Position const arguments = text.rfind('<', begin - 1);  // of a template
      if (arguments == text.npos || arguments == 0 || !is_word(text[arguments - 1])) return {};
      begin = arguments + 1;
    }
  }
  return text.substr(begin, end - begin);
}

/// The same from `begin` on.
std::string_view operand_after(std::string_view text, Position begin) {
  Position end = begin;
  for (int depth = 0; end != text.size(); ++end) {
    char const c = text[end];
    if (is_open(c)) {
      ++depth;
    } else if (is_closed(c)) {
      if (depth-- == 0) break;
    } else if (depth == 0 && !is_word(c) && c != '.' && c != ':' && !text.substr(end).starts_with("->")) {
      if (c != '>' || end == begin || text[end - 1] != '-') break;
    }
  }
  return text.substr(begin, end - begin);
}

/// Up to the end of the expression.
std::string_view expression_after(std::string_view text, Position begin) {
  Position end = begin;
  for (int depth = 0; end != text.size(); ++end) {
    char const c = text[end];
    if (depth == 0 && (c == ';' || c == ',')) return trimmed(text.substr(begin, end - begin));
    if (is_open(c)) ++depth;
    if (is_closed(c) && depth-- == 0) return trimmed(text.substr(begin, end - begin));
  }
  return {};  // it goes on in the next line
}

/// Does something take the value of the expression that begins there?
bool is_used(std::string_view text, Position begin) {
  std::string_view const before = trimmed(text.substr(0, begin));
  if (before.empty()) return false;
  char const c = before.back();
  if (c == ';' || c == '{' || c == '}' || c == ':' || before.ends_with("else")) return false;
  if (c != ')') return true;
  // `if (...) x++;`, `for (...) x++;`
  Position open = before.size();
  int depth = 0;
  do {
    --open;
    if (is_closed(before[open])) ++depth;
    if (is_open(before[open])) --depth;
  } while (depth != 0 && open != 0);
  std::string_view const head = trimmed(before.substr(0, open));
  return !head.ends_with("if") && !head.ends_with("for") && !head.ends_with("while");
}

struct Operator {
  std::string_view text, name;
};
constexpr Operator compound[] = {{"+=", "add"}, {"-=", "sub"}, {"|=", "or"}, {"&=", "and"},
                                 {"^=", "xor"}, {"*=", "mul"}, {"/=", "div"}};
constexpr Operator steps[] = {{"++", "inc"}, {"--", "dec"}};

/// Calls by the name that gives nothing back, the old value, or the new one.
enum class Value : char { unused, old, fresh };

std::string call(std::string_view name, Value value, std::string_view target, std::string_view amount) {
  if (target.empty()) return {};
  std::string const function = value == Value::unused  ? fmt::format("atomic_{}", name)
                               : value == Value::old ? fmt::format("atomic_fetch_{}", name)
                                                       : fmt::format("atomic_{}_fetch", name);
  return fmt::format("Kokkos::{}(&{}{}{})", function, target, amount.empty() ? "" : ", ", amount);
}

Position begin_of(std::string_view part, std::string_view text) { return static_cast<Position>(part.data() - text.data()); }

}  // namespace

std::string atomic_form(std::string_view line, unsigned column) {
  if (column == 0 || column > line.size()) return {};
  Position const at = column - 1;
  std::string_view const here = line.substr(at);
  for (Operator const& op : compound) {
    if (!here.starts_with(op.text)) continue;
    std::string_view const target = operand_before(line, at), amount = expression_after(line, at + op.text.size());
    if (target.empty() || amount.empty()) return {};
    return call(op.name, is_used(line, begin_of(target, line)) ? Value::fresh : Value::unused, target, amount);
  }
  for (Operator const& op : steps) {
    if (!here.starts_with(op.text)) continue;
    if (std::string_view const target = operand_before(line, at); !target.empty())
      return call(op.name, is_used(line, begin_of(target, line)) ? Value::old : Value::unused, target, {});
    return call(op.name, is_used(line, at) ? Value::fresh : Value::unused, operand_after(line, at + op.text.size()), {});
  }
  return {};
}

}  // namespace teamsan
