// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicForm.hpp"

#include <fmt/format.h>

#include <array>
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

/// Where the arguments of a template begin that end before `end` with their '>'; npos: it is no such one.
Position arguments_before(std::string_view text, Position end) {
  int depth = 0, inside = 0;  // in parentheses '<' and '>' may compare
  for (Position at = end; at-- != 0;) {
    if (is_closed(text[at])) ++inside;
    if (is_open(text[at]) && inside-- == 0) break;
    if (inside != 0) continue;
    if (text[at] == '>') ++depth;
    if (text[at] == '<' && --depth == 0) return at != 0 && is_word(text[at - 1]) ? at : text.npos;
  }
  return text.npos;
}

/// Behind the '>' of arguments whose '<' is at `begin`, if a call, braces or a member follow; npos: it may as well mean less.
Position behind_arguments(std::string_view text, Position begin) {
  if (begin == 0 || !is_word(text[begin - 1])) return text.npos;
  int depth = 0, inside = 0;
  for (Position at = begin; at != text.size() && text[at] != ';'; ++at) {
    if (is_open(text[at])) ++inside;
    if (is_closed(text[at]) && inside-- == 0) break;
    if (inside != 0) continue;
    if (text[at] == '<') ++depth;
    if (text[at] != '>' || --depth != 0) continue;
    std::string_view const next = text.substr(at + 1);
    return next.starts_with('(') || next.starts_with('{') || next.starts_with("::") ? at + 1 : text.npos;
  }
  return text.npos;
}

constexpr std::string_view template_word = "template ";

bool ends_with_template(std::string_view text) { return text.ends_with(".template ") || text.ends_with("->template "); }

/// The names, calls, subscripts and members that end before `end`.
std::string_view operand_before(std::string_view text, Position end) {
  while (end != 0 && text[end - 1] == ' ') --end;
  Position begin = end;
  for (int depth = 0; begin != 0; --begin) {
    char const c = text[begin - 1];
    if (is_closed(c)) {
      if (c == ')' && depth == 0 && begin != end && is_word(text[begin])) break;  // if (...)x += 1
      ++depth;
    } else if (is_open(c)) {
      if (depth-- == 0) break;
    } else if (depth == 0 && !is_word(c) && c != '.' && c != ':') {
      if (ends_with_template(text.substr(0, begin))) {
        begin -= template_word.size() - 1;
        continue;
      }
      if (c != '>') break;
      if (begin > 1 && text[begin - 2] == '-') {
        --begin;
        continue;
      }
      Position const arguments = arguments_before(text, begin);
      if (arguments == text.npos) return {};
      begin = arguments + 1;
    }
  }
  return text.substr(begin, end - begin);
}

/// The same with what dereferences it: of `*p += 1`, whose operator binds less than any other.
std::string_view target_before(std::string_view text, Position end) {
  std::string_view const operand = operand_before(text, end);
  if (operand.empty()) return {};
  Position begin = static_cast<Position>(operand.data() - text.data()), last = begin + operand.size();
  while (begin != 0 && text[begin - 1] == '*') --begin;
  return text.substr(begin, last - begin);
}

/// The same from `begin` on.
std::string_view operand_after(std::string_view text, Position begin) {
  Position end = begin;
  while (end != text.size() && text[end] == '*') ++end;
  for (int depth = 0; end != text.size(); ++end) {
    char const c = text[end];
    if (is_open(c)) {
      ++depth;
    } else if (is_closed(c)) {
      if (depth-- == 0) break;
    } else if (depth == 0 && !is_word(c) && c != '.' && c != ':' && !text.substr(end).starts_with("->")) {
      if (c == '>' && end != begin && text[end - 1] == '-') continue;
      if (c == ' ' && ends_with_template(text.substr(0, end + 1))) continue;
      Position const behind = c == '<' ? behind_arguments(text, end) : text.npos;
      if (behind == text.npos) break;
      end = behind - 1;
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
    if (Position const behind = c == '<' ? behind_arguments(text, end) : text.npos; behind != text.npos) {
      end = behind - 1;
      continue;
    }
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
  if (c == ':' && before.find('?') != before.npos) return true;
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
  bool const pointed_to = target.starts_with('*');
  return fmt::format("Kokkos::{}({}{}{}{})", function, pointed_to ? "" : "&", target.substr(pointed_to ? 1 : 0),
                     amount.empty() ? "" : ", ", amount);
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

/// Is it, taken as an operand of `op` or given to a function of two, what it is without? (`x + a < b` compares a sum.)
bool stands_for_itself(std::string_view amount, std::string_view op) {
  bool const given = is_word(op.front());
  bool const bits = op == "|" || op == "&" || op == "^";
  int depth = 0;
  for (Position i = 0; i != amount.size(); ++i) {
    char const c = amount[i];
    if (is_open(c)) ++depth;
    if (is_closed(c)) --depth;
    if (depth != 0) continue;
    if (Position const behind = c == '<' ? behind_arguments(amount, i) : amount.npos; behind != amount.npos) {
      i = behind - 1;
      continue;
    }
    if (given && c != ',') continue;
    bool const shifts = bits && (amount.substr(i).starts_with(" << ") || amount.substr(i).starts_with(" >> "));
    if (shifts) i += 3;
    else if (c == '?' || c == '<' || c == '=' || c == '%' || c == ',' || amount.substr(i).starts_with(" > ") ||
             amount.substr(i).starts_with("&&") || amount.substr(i).starts_with("||"))
      return false;
  }
  return true;
}

/// The larger or the smaller one of two, by a function of that name or a macro.
std::string_view extreme_of(std::string_view name) {
  if (Position const scope = name.rfind(':'); scope != name.npos) name.remove_prefix(scope + 1);
  for (auto const& [word, macro, atomic] : {std::array<std::string_view, 3>{"max", "MAX", "max"}, {"min", "MIN", "min"}})
    if (name == word || name.ends_with(macro) || (name.starts_with('f') && name.substr(1).starts_with(word) && name.size() < 6))
      return atomic;
  return {};
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
  if (std::string_view const extreme = extreme_of(two.name); !extreme.empty()) name = extreme;
  if (two.name.empty() || !stands_for_itself(amount, two.name)) return {};
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
      bool const step = one.text == "++" || one.text == "--";
      std::string_view target = step ? operand_before(line, op) : target_before(line, op);
      Position begin = target.empty() ? op : begin_of(target, line), end = op + one.text.size();
      if (target.empty()) {
        target = operand_after(line, end);
        end += target.size();
      }
      if (at < begin || at >= end) continue;
      std::string_view const amount = step ? std::string_view() : expression_after(line, op + one.text.size());
      bool const counts = amount.find_first_not_of("0123456789.") == amount.npos && (step || !amount.empty());
      return {true, atomic_form(line, static_cast<unsigned>(op + 1)), counts};
    }
    bool const assigns = here[0] == '=' && here[1] != '=' && op != 0 && line[op - 1] == ' ';
    if (!assigns) continue;
    std::string_view const target = target_before(line, op), value = expression_after(line, op + 1);
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
    std::string_view const target = target_before(line, at), amount = expression_after(line, at + op.text.size());
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
