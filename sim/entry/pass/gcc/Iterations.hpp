// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The iterations that a checked body runs, one behind the other, of as many lanes as come: where one begins, with its
/// indices (backends/simt/launch/UserCode.hpp: begin_iteration), what of the body lies inside of it, what each one comes to.
#pragma once

#include "Marks.hpp"

namespace teamsan_plugin {

class Iterations {
 public:
  explicit Iterations(function* f) : m_function(f) {}

  /// Looks for them, once dominators are known. nullptr: they are there; otherwise why it is not known.
  char const* find();

  bool is_live(basic_block b) const { return m_live.count(b) != 0; }
  bool is_live(edge e) const { return is_live(e->src) && !is_dead(e); }
  bool is_begin(gimple const* s) const { return s == m_begin; }
  basic_block begin() const { return gimple_bb(m_begin); }
  /// Behind an iteration's beginning, whichever way control has come there.
  bool is_inside(basic_block b) const { return b != begin() && dominated_by_p(CDI_DOMINATORS, b, begin()); }
  /// Which of the iteration's indices it is, by number; -1: none.
  int axis_of(tree name) const;
  /// Does each iteration come to that block, which is inside of it or where it begins?
  bool come_always(basic_block b);

 private:
  static bool is_dead(edge e);

  function* m_function;
  gasm* m_begin = nullptr;
  std::set<basic_block> m_live;
  std::map<basic_block, bool> m_always;
};

}  // namespace teamsan_plugin
