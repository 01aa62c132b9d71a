// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was known of a team's words and bytes before accesses of later segments replaced it (TeamShadow::begin_segment). The
/// marks of all words lie in one array, each word's in a list in their order; lists of a line lie side by side.
#pragma once

#include "Cell.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace teamsan {

struct EarlierMark {
  Mark mark;
  std::uint8_t byte, bytes;  ///< of the word
  bool writes;
};

class EarlierMarks {
 public:
  /// Of a word, and of a team: a few megabytes. Further ones are not kept.
  static constexpr std::size_t most_of_word = 32, most = std::size_t{1} << 17;
  static constexpr unsigned words = 16;  ///< of a line

  /// A line's lists have a number from 1 on; 0: it has none yet.
  using LineNumber = std::uint32_t;

  bool empty() const { return m_marks.empty(); }
  /// Some were not kept.
  bool lacks_any() const { return m_lacks_any; }

  bool has_any(LineNumber line, unsigned word) const { return line != 0 && lists(line)[word].count != 0; }

  /// Numbers the line if need be. What is there already is not added again. `second`: the mark comes from the word's second
  /// cell.
  void add(LineNumber& line, unsigned word, EarlierMark const& mark, bool second) {
    if (line == 0) line = new_line();
    List& list = lists(line)[word];
    if (mark.bytes == 4) {
      Mark& latest = list.latest[mark.writes][second];
      if (latest.who == mark.mark.who && latest.site == mark.mark.site) return;
      latest = mark.mark;
    }
    std::uint32_t at = list.last;
    for (std::uint32_t i = 0; i != list.count; ++i, at = m_marks[at].before)
      if (EarlierMark const& m = m_marks[at].mark; m.writes == mark.writes && m.byte == mark.byte &&
                                                   m.mark.who == mark.mark.who && m.mark.site == mark.mark.site)
        return;
    if (list.count == most_of_word || m_marks.size() == most) {
      m_lacks_any = true;
      return;
    }
    auto const added = static_cast<std::uint32_t>(m_marks.size());
    m_marks.push_back({mark, list.last, 0});
    (list.count == 0 ? list.first : m_marks[list.last].next) = added;
    list.last = added;
    ++list.count;
  }

  /// f(mark), in the order in which they were added.
  template <class F>
  void for_each(LineNumber line, unsigned word, F f) const {
    walk(*this, line, word, f);
  }
  template <class F>
  void for_each(LineNumber line, unsigned word, F f) {
    walk(*this, line, word, f);
  }
  /// f changes them, as it does the cells' that they were.
  template <class F>
  void for_each(F f) {
    for (Node& node : m_marks) f(node.mark);
    for (std::size_t i = 0; i != m_lines_used; ++i)
      for (List& list : *m_lines[i]) list.latest = {};
  }

  void clear() {
    m_marks.clear();
    m_lines_used = 0;
    m_lacks_any = false;
  }

 private:
  struct List {
    std::uint32_t first = 0, last = 0, count = 0;
    std::array<std::array<Mark, 2>, 2> latest = {};  ///< added for the whole word: by writes, of its first and second cell
  };
  struct Node {
    EarlierMark mark;
    std::uint32_t before, next;  ///< of the word's
  };
  using Lists = std::array<List, words>;
  Lists& lists(LineNumber line) { return *m_lines[line - 1]; }
  Lists const& lists(LineNumber line) const { return *m_lines[line - 1]; }
  LineNumber new_line() {
    if (m_lines_used == m_lines.size()) m_lines.push_back(std::make_unique<Lists>());
    m_lines[m_lines_used++]->fill({});
    return static_cast<LineNumber>(m_lines_used);
  }
  template <class Self, class F>
  static void walk(Self& self, LineNumber line, unsigned word, F f) {
    if (line == 0) return;
    List const list = self.lists(line)[word];
    std::uint32_t at = list.first;
    for (std::uint32_t i = 0; i != list.count; ++i, at = self.m_marks[at].next) f(self.m_marks[at].mark);
  }

  std::vector<Node> m_marks;
  std::vector<std::unique_ptr<Lists>> m_lines;
  std::size_t m_lines_used = 0;
  bool m_lacks_any = false;
};

}  // namespace teamsan
