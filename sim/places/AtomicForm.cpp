// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicForm.hpp"

#include <fmt/format.h>

#include <cctype>
#include <initializer_list>
#include <utility>

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
      if (c == ' ' && (text.substr(0, begin).ends_with(".template ") || text.substr(0, begin).ends_with("->template "))) {
        begin -= std::string_view("template").size();
        continue;
      }
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
constexpr Operator updates[] = {{"+=", ""}, {"-=", ""}, {"|=", ""}, {"&=", ""}, {"^=", ""},
                                {"*=", ""}, {"/=", ""}, {"++", ""}, {"--", ""}};

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

/// The operands of a call `f(a, b)`, or of `a op b`, without parentheses around all of it.
struct Two {
  std::string_view name, first, second;
};

Two two_operands(std::string_view value) {
  value = trimmed(value);
  int depth = 0;
  Position open = value.npos, comma = value.npos, op = value.npos;
  for (Position i = 0; i != value.size(); ++i) {
    char const c = value[i];
    if (is_open(c) && depth++ == 0 && open == value.npos) open = i;
    if (is_closed(c)) --depth;
    if (c == ',' && depth == 1 && comma == value.npos) comma = i;
    if (depth == 0 && i != 0 && value[i - 1] == ' ' && i + 1 < value.size() && value[i + 1] == ' ' &&
        (c == '+' || c == '-' || c == '*' || c == '/' || c == '|' || c == '&' || c == '^')) {
      if (op != value.npos) return {};  // of three, which goes first is not looked into
      op = i;
    }
  }
  if (op != value.npos) return {value.substr(op, 1), trimmed(value.substr(0, op)), trimmed(value.substr(op + 1))};
  if (open == value.npos || comma == value.npos || value.back() != ')') return {};
  return {value.substr(0, open), trimmed(value.substr(open + 1, comma - open - 1)),
          trimmed(value.substr(comma + 1, value.size() - comma - 2))};
}

/// Of `target = value`, where the value names the target.
std::string form_of_assignment(std::string_view target, std::string_view value) {
  Two const two = two_operands(value);
  bool const first = two.first == target;
  if (!first && two.second != target) return {};
  std::string_view const amount = first ? two.second : two.first;
  std::string_view name;
  for (auto const& [op, atomic] : {std::pair<std::string_view, std::string_view>{"+", "add"}, {"*", "mul"}, {"|", "or"},
                                   {"&", "and"}, {"^", "xor"}})
    if (two.name == op) name = atomic;
  if (first && two.name == "-") name = "sub";
  if (first && two.name == "/") name = "div";
  if (two.name.ends_with("max") || two.name.ends_with("MAX")) name = "max";
  if (two.name.ends_with("min") || two.name.ends_with("MIN")) name = "min";
  return name.empty() ? std::string() : call(name, Value::unused, target, amount);
}

/// Does it name the operand, as a whole, with this position in it (npos: anywhere)?
bool mentions(std::string_view text, std::string_view operand, Position inside) {
  for (Position at = text.find(operand); at != text.npos; at = text.find(operand, at + 1)) {
    Position const end = at + operand.size();
    bool const begins = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.' && text[at - 1] != '>');
    bool const ends = end == text.size() || (!is_word(text[end]) && text[end] != '.' && text[end] != '[' && text[end] != '(');
    if (begins && ends && (inside == text.npos || (at <= inside && inside < end))) return true;
  }
  return false;
}

/// Does a macro's name begin there, with what it is given? All that the macro makes stands in that column.
bool is_macro_at(std::string_view text, Position at) {
  Position end = at;
  while (end != text.size() && (std::isupper(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' ||
                                std::isdigit(static_cast<unsigned char>(text[end])) != 0))
    ++end;
  return end > at + 1 && end != text.size() && text[end] == '(' && (at == 0 || !is_word(text[at - 1]));
}

}  // namespace

UpdateOfLine update_at(std::string_view line, unsigned column) {
  if (column == 0 || column > line.size()) return {};
  Position const at = column - 1;
  for (Position op = 0; op + 1 < line.size(); ++op) {
    std::string_view const here = line.substr(op);
    for (Operator const& one : updates) {
      if (!here.starts_with(one.text)) continue;
      std::string_view target = operand_before(line, op);
      Position begin = target.empty() ? op : begin_of(target, line), end = op + one.text.size();
      if (target.empty()) {
        target = operand_after(line, end);
        end += target.size();
      }
      if (at < begin || at >= end) continue;
      bool const step = one.text == "++" || one.text == "--";
      std::string_view const amount = step ? std::string_view() : expression_after(line, op + one.text.size());
      bool const counts = amount.find_first_not_of("0123456789.") == amount.npos && (step || !amount.empty());
      return {true, atomic_form(line, static_cast<unsigned>(op + 1)), counts};
    }
    bool const assigns = here[0] == '=' && here[1] != '=' && op != 0 && line[op - 1] == ' ';
    if (!assigns) continue;
    std::string_view const target = operand_before(line, op), value = expression_after(line, op + 1);
    if (target.empty() || value.empty() || !mentions(value, target, value.npos)) continue;
    Position const begin = begin_of(value, line);
    bool const stores = at >= begin_of(target, line) && at <= op;
    bool const within = at >= begin && at < begin + value.size();
    bool const by_macro = within && is_macro_at(line, at) && mentions(value.substr(at - begin), target, value.npos);
    if (!stores && !by_macro && (!within || !mentions(value, target, at - begin))) continue;
    // Of a function that is not known, most are a larger or a smaller one of two.
    bool const is_call = value.back() == ')' && !operand_before(value, value.size()).empty() &&
                         operand_before(value, value.size()).size() == value.size() && value != target;
    return {true, form_of_assignment(target, value), false, is_call ? "atomic_max" : "atomic_add"};
  }
  return {};
}

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
