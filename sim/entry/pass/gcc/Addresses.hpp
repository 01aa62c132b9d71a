// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a value in an iteration is made of, in the words of Abi.h: of the iteration's indices, of the functor's bytes, of which
/// the body has a copy, and of constants; by sums, and products of which one factor is the same for all iterations.
#pragma once

#include "Iterations.hpp"

namespace teamsan_plugin {

using Words = std::vector<unsigned HOST_WIDE_INT>;

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
  Addresses(Iterations const& iterations, FunctorVariable const& functor)
      : m_iterations(iterations), m_functor(functor) {}

  /// Appends the value; false: it is made of something else.
  bool put(tree value, Words& to);
  /// The same of an address in memory, that of such a reference.
  bool put(Reference const& place, Words& to);

 private:
  bool put_value_of(tree value, Words& to);
  bool put_operation(tree_code code, tree type, tree a, tree b, Words& to);
  bool put_name(tree name, Words& to);
  bool put_of_functor(tree what, Words& to) const;
  bool put_phi(gphi* phi, Words& to);

  Iterations const& m_iterations;
  FunctorVariable const& m_functor;
  std::set<gphi*> m_open;
  int m_depth = 0;
};

}  // namespace teamsan_plugin
