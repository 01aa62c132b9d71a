// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes of a kernel access, record by record in the form of Abi.h, and each one's line of the source: both plug-ins write
/// it here (gcc/LaneAccesses.cpp, llvm/LaneAccesses.cpp).
#pragma once

#include "Words.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace teamsan_plugin {

/// By which lanes come to what follows: the head of its record, without how many words follow, and these.
struct Condition {
  Word head = 0;
  Words words;
  bool operator==(Condition const& other) const { return head == other.head && words == other.words; }
};
constexpr std::size_t most_conditions = 12, most_condition_words = 64;
/// Its head, of a `teamsan_condition`.
constexpr Word condition(unsigned kind) { return TEAMSAN_ACCESS_CONDITION | Word{kind} << TEAMSAN_CONDITION_SHIFT; }

class Records {
 public:
  /// Of what is put next.
  void set_line(Word line) { m_line = line; }

  /// Iterations come to what follows by these.
  void put_conditions(std::vector<Condition> const& now) {
    if (now == m_held && !m_holds_more) return;
    m_held = now;
    m_holds_more = false;
    Word anew = TEAMSAN_CONDITION_ANEW;
    for (Condition const& c : now) {
      put(c.head | anew, c.words);
      anew = 0;
    }
    if (now.empty()) put(TEAMSAN_ACCESS_CONDITION | TEAMSAN_CONDITION_ANEW, {});
  }
  void put_access(Word kind, unsigned log_alignment, Word bytes, Words const& address) {
    Word const aligned = log_alignment < 15 ? log_alignment : 15;
    put(kind | aligned << TEAMSAN_ACCESS_ALIGNMENT_SHIFT | bytes << TEAMSAN_ACCESS_BYTES_SHIFT, address);
  }
  /// No access: the value must be known. Without words it is not.
  void put_value(Words const& value) { put(0, value); }
  /// The one is less than the other in no iteration that comes there.
  void put_none_below(Words one, Words const& other) {
    put_all(other, one);
    put(condition(teamsan_condition_below), one);
    put_value({});
    m_holds_more = true;
  }

  /// In the form of Abi.h.
  Words all() const {
    Words all{m_lines.size() | TEAMSAN_ACCESSES_LINES};
    put_all(m_words, all);
    put_all(m_lines, all);
    return all;
  }
  /// The same where it is not known.
  static Words unknown(std::string const& why) {
    Words all(1 + why.size() / 8 + 1, 0);
    all[0] = TEAMSAN_ACCESSES_UNKNOWN;
    for (std::size_t i = 0; i != why.size(); ++i) all[1 + i / 8] |= Word{static_cast<unsigned char>(why[i])} << i % 8 * 8;
    return all;
  }

 private:
  void put(Word head, Words const& words) {
    m_words.push_back(head | Word{words.size()} << TEAMSAN_ACCESS_WORDS_SHIFT);
    put_all(words, m_words);
    m_lines.push_back(m_line);
  }

  Words m_words, m_lines;
  Word m_line = 0;
  std::vector<Condition> m_held;  ///< of what was told last
  bool m_holds_more = false;      ///< and another one
};

}  // namespace teamsan_plugin
