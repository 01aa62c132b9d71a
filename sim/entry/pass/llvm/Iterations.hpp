// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The iterations that a checked body runs, one behind the other, of as many lanes as come: where one begins, with its
/// indices (backends/simt/launch/UserCode.hpp: begin_iteration), what of the body lies inside of it, what each one comes to.
#pragma once

#include "Marks.hpp"

#include <map>
#include <set>

namespace teamsan_plugin {

class Iterations {
 public:
  Iterations(llvm::Function& f, llvm::DominatorTree const& dominators) : m_function(f), m_dominators(dominators) {}

  /// nullptr: they are there; otherwise why it is not known.
  char const* find();

  bool is_live(llvm::BasicBlock const* b) const { return m_live.count(b) != 0; }
  /// Where control may go to in an iteration: lanes are in a kernel, and nothing is thrown.
  static llvm::SmallVector<llvm::BasicBlock*, 4> ways_on(llvm::BasicBlock const* b);
  /// From where it may come, a block for each way.
  llvm::SmallVector<llvm::BasicBlock*, 4> ways_to(llvm::BasicBlock* b) const;
  bool is_begin(llvm::Instruction const* i) const { return i == m_begin; }
  llvm::BasicBlock* begin() const { return m_begin->getParent(); }
  /// Behind an iteration's beginning, whichever way control has come there.
  bool is_inside(llvm::BasicBlock const* b) const { return b != begin() && m_dominators.dominates(begin(), b); }
  /// Which of the iteration's indices it is, by number; -1: none.
  int axis_of(llvm::Value const* value) const;
  /// Does each iteration come to that block, which is inside of it or where it begins?
  bool come_always(llvm::BasicBlock* b);

  llvm::DominatorTree const& dominators() const { return m_dominators; }

 private:
  llvm::Function& m_function;
  llvm::DominatorTree const& m_dominators;
  llvm::CallInst* m_begin = nullptr;
  std::set<llvm::BasicBlock const*> m_live;
  std::map<llvm::BasicBlock*, bool> m_always;
};

}  // namespace teamsan_plugin
