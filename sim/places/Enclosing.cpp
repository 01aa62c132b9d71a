// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Enclosing.hpp"

#include "../base/PatientMutex.hpp"
#include "SourceFile.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace teamsan {
namespace {

constexpr unsigned most_lines = 200;  ///< of a kernel that is read through, backwards

/// Comments and what literals hold become blanks; lines stay.
std::string blanked(std::string text) {
  enum { code, line_comment, comment, string, character } state = code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    bool const escaped = i != 0 && text[i - 1] == '\\';
    switch (state) {
      case code:
        if (c == '/' && next == '/') state = line_comment;
        if (c == '/' && next == '*') state = comment;
        if (c == '"') state = string;
        // 1'000 has a separator.
        if (c == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0)) state = character;
        if (state == line_comment || state == comment) text[i] = ' ';
        continue;
      case line_comment:
        if (c == '\n') {
          state = code;
          continue;
        }
        break;
      case comment:
        if (c == '*' && next == '/') {
          text[i] = text[i + 1] = ' ';
          state = code;
          ++i;
          continue;
        }
        break;
      case string:
      case character:
        if (c == (state == string ? '"' : '\'') && !escaped) {
          state = code;
          continue;
        }
        if (c == '\n') state = code;  // of no literal that was understood
        break;
    }
    if (c != '\n') text[i] = ' ';
  }
  return text;
}

bool has_word(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }

std::optional<Construct> construct_of(std::string_view callee, std::string_view arguments) {
  if (callee == "single") {
    if (has_word(arguments, "PerTeam")) return Construct::single_per_team;
    if (has_word(arguments, "PerThread")) return Construct::single_per_thread;
    return {};
  }
  if (has_word(arguments, "ThreadVectorRange") || has_word(arguments, "ThreadVectorMDRange"))
    return Construct::thread_vector_range;
  if (has_word(arguments, "TeamVectorRange") || has_word(arguments, "TeamVectorMDRange")) return Construct::team_vector_range;
  if (has_word(arguments, "TeamThreadRange") || has_word(arguments, "TeamThreadMDRange")) return Construct::team_thread_range;
  return {};
}

/// The word that ends at `end`.
std::string_view callee_before(std::string_view text, std::size_t end) {
  while (end != 0 && (text[end - 1] == ' ' || text[end - 1] == '\n')) --end;
  std::size_t begin = end;
  while (begin != 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_')) --begin;
  return text.substr(begin, end - begin);
}

/// Does a function's or a lambda's body follow?
bool is_body(std::string_view head) {
  for (std::string_view const word :
       {"operator", "KOKKOS_LAMBDA", "KOKKOS_CLASS_LAMBDA", "KOKKOS_FUNCTION", "KOKKOS_INLINE_FUNCTION"})
    if (has_word(head, word)) return true;
  std::size_t const captures = head.rfind('[');
  std::size_t const end = captures == head.npos ? captures : head.find(']', captures);
  if (end == head.npos) return false;
  std::size_t const next = head.find_first_not_of(" \n", end + 1);
  return next == head.npos || head[next] == '(';
}

unsigned line_breaks(std::string_view text, std::size_t end) {
  return static_cast<unsigned>(std::ranges::count(text.substr(0, end), '\n'));
}

}  // namespace

bool Enclosing::has(Construct construct) const { return std::ranges::find(constructs, construct) != constructs.end(); }

Enclosing enclosing_constructs(std::vector<std::string> const& lines, unsigned column, unsigned first_line) {
  Enclosing result;
  std::string all;
  for (std::string const& line : lines) {
    all += line;
    all += '\n';
  }
  if (lines.empty()) return result;
  if (column != 0 && column <= lines.back().size()) all.resize(all.size() - 1 - lines.back().size() + column - 1);
  std::string const text = blanked(std::move(all));
  int depth = 0;
  std::size_t inner = text.size();  ///< where what was last gone out of begins
  for (std::size_t at = text.size(); at-- != 0;) {
    char const c = text[at];
    if (c == ')' || c == '}') ++depth;
    if ((c != '(' && c != '{') || depth-- != 0) continue;
    depth = 0;
    if (c == '(') {
      std::string_view const arguments = std::string_view(text).substr(at + 1, inner - at - 1);
      std::string_view const callee = callee_before(text, at);
      bool const parallel = callee.starts_with("parallel_");
      if (parallel || callee == "single") {
        if (std::optional<Construct> const construct = construct_of(callee, arguments)) {
          result.constructs.push_back(*construct);
          if (result.line == 0) result.line = first_line + line_breaks(text, at);
        } else {
          // A launch has a policy, or a number; what has a range with a name looks alike but for what makes the body a
          // kernel's.
          result.whole = parallel && (has_word(arguments, "KOKKOS_LAMBDA") || has_word(arguments, "KOKKOS_CLASS_LAMBDA"));
          return result;
        }
      }
    } else {
      std::size_t const statement = text.find_last_of(";{}", at == 0 ? 0 : at - 1);
      std::string_view const head = std::string_view(text).substr(statement == text.npos ? 0 : statement + 1,
                                                                  at - (statement == text.npos ? 0 : statement + 1));
      if (is_body(head)) result.bodies.push_back(first_line + line_breaks(text, at));
      if (has_word(head, "operator")) {
        result.whole = true;
        return result;
      }
      if (has_word(head, "KOKKOS_FUNCTION") || has_word(head, "KOKKOS_INLINE_FUNCTION") || has_word(head, "namespace") ||
          has_word(head, "struct ") || has_word(head, "class "))
        return result;
    }
    inner = at;
  }
  return result;
}

namespace {

Enclosing constructs_around(Place const& place) {
  unsigned const first = place.line > most_lines ? place.line - most_lines : 1;
  std::vector<std::string> lines;
  for (unsigned line = first; line <= place.line; ++line) lines.push_back(source_line(place.path, line));
  if (lines.back().empty()) return {};
  return enclosing_constructs(lines, place.column, first);
}

/// What was found out about places: a line that has many findings, each in an instance of its template, or each in a team of
/// its own, is read once.
template <class Answer>
class KnownPlaces {
 public:
  template <class Look>
  Answer of(Place const& place, Look look) {
    if (uses_report_memory()) return look(place);
    std::pair const key{place.line, place.column};
    {
      std::lock_guard const lock(m_mutex);
      if (auto const found = m_known.find(key); found != m_known.end() && found->second.first == place.path)
        return found->second.second;
    }
    Answer answer = look(place);
    std::lock_guard const lock(m_mutex);
    if (m_known.size() == most) m_known.clear();
    m_known.insert_or_assign(key, std::pair{place.path, answer});
    return answer;
  }

 private:
  static constexpr std::size_t most = 1024;
  PatientMutex m_mutex;
  std::map<std::pair<unsigned, unsigned>, std::pair<std::string, Answer>> m_known;  ///< by line and column: path, answer
};

}  // namespace

Enclosing enclosing_constructs(Place const& place) {
  if (!place.known() || place.internal) return {};
  static auto& known = *new KnownPlaces<Enclosing>;
  return known.of(place, constructs_around);
}

namespace {

/// Behind the bracket that closes the one at `at`.
std::size_t behind_bracket(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at != text.size(); ++at) {
    char const c = text[at];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if ((c == ')' || c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return at;
}

/// Behind the statement that begins there: a block, or up to its semicolon, with what else follows it.
std::size_t behind_statement(std::string_view text, std::size_t at);

bool is_word_at(std::string_view text, std::size_t at, std::string_view word) {
  auto const in_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  bool const begins = at == 0 || (!in_word(at - 1) && text[at - 1] != '#');
  return begins && text.substr(at).starts_with(word) && !in_word(at + word.size());
}

std::size_t next_of(std::string_view text, std::size_t at) { return std::min(text.find_first_not_of(" \n", at), text.size()); }

/// Of the `if` that begins there: where its first branch begins.
std::size_t first_branch(std::string_view text, std::size_t at) {
  std::size_t const condition = text.find('(', at);
  return condition == text.npos ? text.size() : next_of(text, behind_bracket(text, condition));
}

/// Where the branch begins that follows the one that ends before `at`; npos: none does.
std::size_t next_branch(std::string_view text, std::size_t at) {
  at = next_of(text, at);
  return is_word_at(text, at, "else") ? next_of(text, at + 4) : text.npos;
}

std::size_t behind_statement(std::string_view text, std::size_t at) {
  at = next_of(text, at);
  if (at == text.size()) return at;
  if (text[at] == '{') return behind_bracket(text, at);
  if (is_word_at(text, at, "if")) {
    std::size_t const end = behind_statement(text, first_branch(text, at)), other = next_branch(text, end);
    return other == text.npos ? end : behind_statement(text, other);
  }
  for (std::string_view const word : {"for", "while", "switch"})
    if (is_word_at(text, at, word)) return behind_statement(text, first_branch(text, at));
  for (; at != text.size() && text[at] != ';'; ++at)
    if (text[at] == '(' || text[at] == '{' || text[at] == '[') at = behind_bracket(text, at) - 1;
  return std::min(at + 1, text.size());
}

}  // namespace

bool are_in_branches(std::vector<std::string> const& lines, unsigned first_line, Place const& a, Place const& b) {
  std::string all;
  std::array<std::size_t, 2> places{};
  for (unsigned i = 0; i != lines.size(); ++i) {
    for (auto const& [place, at] : {std::pair(&a, &places[0]), std::pair(&b, &places[1])})
      if (place->line == first_line + i)
        *at = all.size() + std::min<std::size_t>(std::max(place->column, 1u) - 1, lines[i].size());
    all += lines[i];
    all += '\n';
  }
  std::string const text = blanked(std::move(all));
  std::size_t const from = std::min(places[0], places[1]), to = std::max(places[0], places[1]);
  for (std::size_t at = 0; at < from; ++at) {
    bool const loops = is_word_at(text, at, "for") || is_word_at(text, at, "while");
    if (!loops && !is_word_at(text, at, "if")) continue;
    std::size_t const branch = first_branch(text, at);
    // Where a loop goes round, lanes may have been in another branch before.
    if (loops && branch <= from && to < behind_statement(text, branch)) return false;
    if (loops) continue;
    std::size_t const end = behind_statement(text, branch), other = next_branch(text, end);
    if (other != text.npos && branch <= from && from < end && other <= to && to < behind_statement(text, other)) return true;
  }
  return false;
}

bool are_in_branches(Place const& a, Place const& b) {
  if (!a.known() || !b.known() || a.internal || b.internal || a.path != b.path) return false;
  unsigned const body = enclosing_constructs(a).body(), last = std::max(a.line, b.line);
  if (body == 0 || enclosing_constructs(b).body() != body || last - body > most_lines) return false;
  std::vector<std::string> lines;
  for (unsigned line = body; line <= last; ++line) lines.push_back(source_line(a.path, line));
  return are_in_branches(lines, body, a, b);
}

namespace {

unsigned lone_return_before(Place const& place) {
  unsigned const body = enclosing_constructs(place).body();
  if (body == 0) return 0;
  unsigned found = 0;
  for (unsigned line = body; line < place.line; ++line) {
    std::string const text = source_line(place.path, line);
    std::size_t const at = text.find("return;");
    if (at == text.npos || text.find("//") < at) continue;
    Place here = place;
    here.line = line;
    here.column = static_cast<unsigned>(at + 1);
    if (enclosing_constructs(here).body() != body) continue;
    if (found != 0) return 0;
    found = line;
  }
  return found;
}

}  // namespace

unsigned return_before(Place const& place) {
  static auto& known = *new KnownPlaces<unsigned>;
  return known.of(place, lone_return_before);
}

}  // namespace teamsan
