// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values of a lane in the words of Abi.h and Bounded.h, whatever the compiler calls them: both plug-ins put them together here
/// (gcc/Addresses.cpp, llvm/Addresses.cpp).
#pragma once

#include "Abi.h"
#include "Bounded.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan_plugin {

using Word = std::uint64_t;
/// Operations on a stack.
using Words = std::vector<Word>;

/// Of so many bits, or bytes, with a sign or without.
constexpr Word sized(Word operation, Word size, bool has_sign) {
  return operation | size << TEAMSAN_AFFINE_BYTES_SHIFT | Word{has_sign} << TEAMSAN_AFFINE_SIGN_SHIFT;
}

inline void put_all(Words const& from, Words& to) { to.insert(to.end(), from.begin(), from.end()); }
inline void put_constant(std::int64_t value, Words& to) {
  to.insert(to.end(), {teamsan_affine_constant, static_cast<Word>(value)});
}
/// Of what is on the stack, and a constant.
inline void put_with(Word operation, std::int64_t constant, Words& to) {
  put_constant(constant, to);
  to.push_back(operation);
}
inline void put_fit(Word bits, bool has_sign, Words& to) {
  if (bits != 64) to.push_back(sized(teamsan_affine_fit, bits, has_sign));
}
inline void put_index(int axis, Words& to) {
  to.push_back(teamsan_affine_index | static_cast<Word>(axis) << TEAMSAN_AFFINE_FROM_SHIFT);
}
/// A number among the functor's bytes.
inline void put_of_functor(Word bytes, bool has_sign, Word from, Words& to) {
  to.push_back(sized(teamsan_affine_functor, bytes, has_sign) | from << TEAMSAN_AFFINE_FROM_SHIFT);
}

/// An operation with one of these numbers?
inline bool has_operation(Words const& words, Word least, Word most) {
  for (std::size_t i = 0; i != words.size(); ++i) {
    Word const operation = words[i] & 0xff;
    if (operation >= least && operation <= most) return true;
    if (operation == teamsan_affine_constant) ++i;
  }
  return false;
}
/// Is it not the same for all iterations of a launch, by their indices?
inline bool hangs_on_index(Words const& words) { return has_operation(words, teamsan_affine_index, teamsan_affine_index); }
/// By anything?
inline bool hangs_on_iteration(Words const& words) {
  return hangs_on_index(words) || has_operation(words, teamsan_bounded_any, teamsan_bounded_counter);
}
/// Two names of one number. What is loaded from memory that nobody writes to is one wherever it is loaded.
inline bool are_one(Words const& a, Words const& b) {
  return a == b && !has_operation(a, teamsan_bounded_any, teamsan_bounded_any) &&
         !has_operation(a, teamsan_bounded_either, teamsan_bounded_counter);
}

/// One of several values, of which some may be the same. False: they are too long.
inline bool put_either(std::vector<Words> const& all, Words& to) {
  put_all(all.front(), to);
  for (std::size_t i = 1; i != all.size(); ++i) {
    bool known = false;
    for (std::size_t j = 0; j != i; ++j) known |= all[i] == all[j];
    if (known) continue;
    put_all(all[i], to);
    to.push_back(teamsan_bounded_either);
  }
  return to.size() <= teamsan_affine_most_words;
}

/// Can a comparison with that number keep another one? If it is the same in all iterations, and short.
inline bool can_keep(Words const& bound) {
  return bound.size() <= 16 && !hangs_on_index(bound) && !has_operation(bound, teamsan_bounded_any, teamsan_bounded_past);
}
/// What a comparison keeps of the number on the stack: what is below that bound, or above it, or the same if `or_same`.
inline void put_kept(bool below, bool or_same, Words const& bound, Word bits, bool has_sign, Words& to) {
  put_all(bound, to);
  if (!or_same) put_with(teamsan_affine_add, below ? -1 : 1, to);
  to.push_back(sized(below ? teamsan_bounded_least : teamsan_bounded_most, bits, has_sign));
}

/// False as long as it is there.
class Off {
 public:
  explicit Off(bool& of) : m_of(of), m_was(of) { m_of = false; }
  ~Off() { m_of = m_was; }
  Off(Off const&) = delete;
  Off& operator=(Off const&) = delete;

 private:
  bool& m_of;
  bool m_was;
};

}  // namespace teamsan_plugin
