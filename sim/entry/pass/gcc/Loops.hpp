// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops in an iteration, each with the number by which its turns are counted: it begins with a value, goes on by the same
/// distance from turn to turn, and whether there is a next turn is asked, in every turn, by comparing it. A loop without one
/// may go on for ever, by a lane that waits, and is not known; unless it is an atomic update (Updates.hpp).
#pragma once

#include "Iterations.hpp"
#include "Updates.hpp"

namespace teamsan_plugin {

/// Of integers or pointers: `value` + `step` is what the name `next` has; the number in the first turn is `first`.
struct Recurrence {
  tree value = NULL_TREE, first = NULL_TREE, step = NULL_TREE, next = NULL_TREE;
  bool subtracts = false;
};

struct Loop {
  basic_block header = nullptr;
  edge entry = nullptr, back = nullptr;
  std::set<basic_block> blocks;
  Recurrence counter;
  edge stay = nullptr;           ///< taken where there is a next turn
  tree bound = NULL_TREE;        ///< what the counter is compared with
  tree_code goes_on = ERROR_MARK;  ///< while counter LT, LE, GT, GE or NE bound
  bool of_next = false;          ///< compared is `next`, not `value`
  bool natural = false;          ///< both are compared as numbers without a sign, and the counter has one
  UpdateLoop update;             ///< it is one, and nothing of the above is known
};

/// A value without conversions that keep every number; `natural`: and without those of numbers that are not negative.
tree without_widening(tree value, bool* natural = nullptr);

class Loops {
 public:
  explicit Loops(Iterations const& iterations) : m_iterations(iterations) {}

  /// Of the function's iterations. nullptr: each loop in one is counted, or an update; otherwise why not.
  char const* find(function* f);

  std::vector<Loop> const& all() const { return m_all; }
  /// The loop that begins with this block, or nullptr.
  Loop const* with_header(basic_block b) const;
  /// The update by that statement, or nullptr.
  Loop const* of_exchange(gimple const* s) const;
  bool is_first_read(gimple const* s) const;
  /// What goes on by a distance from turn to turn of that loop.
  static bool recurrence_of(Loop const& loop, gphi* phi, Recurrence& r);
  /// Does each turn that comes to that block know that this turn's counter is as `goes_on` says?
  static bool is_within(Loop const& loop, basic_block b);

 private:
  bool count(Loop& loop) const;

  Iterations const& m_iterations;
  std::vector<Loop> m_all;
};

}  // namespace teamsan_plugin
