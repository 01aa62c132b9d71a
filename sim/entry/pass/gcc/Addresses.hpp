// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a value in an iteration is made of, in the words of Abi.h: of the iteration's indices, of the functor's bytes, of which
/// the body has a copy, and of constants; by sums, and products of which one factor is the same for all iterations. Beside
/// these, in those of Bounded.h: of what memory holds, of loops' counters, of remainders, quotients and bits, and of one of
/// several values.
#pragma once

#include "Loops.hpp"

#include "../Words.hpp"

namespace teamsan_plugin {

inline bool is_number(tree type) {
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) >= 1 && TYPE_PRECISION(type) <= 64;
}
inline Word of_type(Word operation, tree type) { return sized(operation, TYPE_PRECISION(type), !TYPE_UNSIGNED(type)); }
inline void put_fit(tree type, Words& to) { put_fit(TYPE_PRECISION(type), !TYPE_UNSIGNED(type), to); }

/// The variable that holds the copy of the functor, and which bytes of it do.
struct FunctorVariable {
  tree decl = NULL_TREE;
  gimple* copied_by = nullptr;
  HOST_WIDE_INT begin = 0, end = 0;
};

/// A variable of the function's.
inline bool is_own(tree base) { return DECL_P(base) && !is_global_var(base) && TREE_CODE(base) != CONST_DECL; }

/// A place in memory, as an expression names it: `base`, so many bits further, and `offset` bytes, if that is not NULL_TREE.
struct Reference {
  explicit Reference(tree what);
  bool known = false;  ///< it begins with a byte, a constant distance from there
  tree base = NULL_TREE, offset = NULL_TREE;
  HOST_WIDE_INT at = 0, bytes = 0;  ///< 0 of these: it is no number of whole bytes that is known
  bool is_volatile = false, reversed = false;
  /// Of a base in memory: its pointer's distance, too. False: it is too far away.
  bool distance(HOST_WIDE_INT& from) const;
};

class Addresses {
 public:
  Addresses(Iterations const& iterations, Loops const& loops, FunctorVariable const& functor)
      : m_iterations(iterations), m_loops(loops), m_functor(functor) {}

  /// The address in memory of such a reference, as a statement of that block has it; false: it is made of something else.
  bool put(Reference const& place, basic_block at, Words& to);
  /// A number, as a block has it.
  bool put(tree value, basic_block at, Words& to);
  /// Are these so many bytes at that pointer, in a block behind it?
  bool is_at(Reference const& place, tree pointer, HOST_WIDE_INT bytes, basic_block at);
  /// What must be known for a loop to end.
  bool put_end_of(Loop const& loop, Words& to);
  /// The same for a division by that not to trap.
  bool put_divisor(tree divisor, basic_block at, Words& to);

 private:
  void begin(basic_block at);
  bool put(tree value, Words& to);
  bool put(Reference const& place, Words& to);
  bool put_value_of(tree value, Words& to);
  bool put_operation(tree_code code, tree type, tree a, tree b, Words& to);
  bool put_bounded(Word operation, tree type, tree a, tree b, Words& to);
  bool put_or_any(tree value, Words& to);
  bool put_name(tree name, Words& to);
  bool put_of_memory(tree what, Words& to);
  void put_comparisons(tree name, Words& to);
  void put_comparison(tree_code is, tree name, tree other, tree type, Words& to);
  bool put_of_functor(Reference const& place, tree type, Words& to) const;
  bool put_phi(gphi* phi, Words& to);
  bool put_recurrence(Loop const& loop, gphi* phi, Words& to);
  bool put_counter(Loop const& loop, bool turns, Words& to);
  bool is_entered(Loop const& loop);
  bool is_same(tree a, tree b);

  Iterations const& m_iterations;
  Loops const& m_loops;
  FunctorVariable const& m_functor;
  std::set<gphi*> m_open;
  std::set<basic_block> m_open_loops;
  basic_block m_at = nullptr;
  int m_depth = 0, m_left = 0;
  bool m_keeps = false;  ///< what conditions keep of a number counts: it is of this very moment
};

}  // namespace teamsan_plugin
