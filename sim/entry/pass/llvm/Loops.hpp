// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops in an iteration, each with the number by which its turns are counted: it begins with a value, goes on by the same
/// distance from turn to turn, and whether there is a next turn is asked, in every turn, by comparing it. A loop without one
/// may go on for ever, by a lane that waits, and is not known; unless it is an atomic update (Updates.hpp).
#pragma once

#include "Iterations.hpp"
#include "Updates.hpp"

#include <cstdint>

namespace teamsan_plugin {

/// Of integers or addresses: `value` and `step`, or `distance`, are what `next` is made of; the number in the first turn is
/// `first`.
struct Recurrence {
  llvm::PHINode* value = nullptr;
  llvm::Value *first = nullptr, *next = nullptr;
  llvm::Value* step = nullptr;  ///< nullptr: it is a constant, `distance`
  std::int64_t distance = 0;
  bool subtracts = false;  ///< the step
};

struct CountedLoop {
  llvm::Loop* loop = nullptr;
  llvm::BasicBlock *header = nullptr, *entry = nullptr, *latch = nullptr;
  Recurrence counter;
  llvm::BasicBlock *asks = nullptr, *stays = nullptr;  ///< where there is a next turn, control goes from the one to the other
  llvm::CmpInst::Predicate goes_on = llvm::CmpInst::BAD_ICMP_PREDICATE;  ///< while counter is that to bound; never EQ
  llvm::Value *compared = nullptr, *bound = nullptr;                     ///< of one type; the counter, or what it is made into
  bool of_next = false;                                                  ///< compared is `next`, not `value`
  unsigned bits = 0;                                                     ///< of the counter, or so many that are compared
  bool is_signed = false;  ///< numbers that are compared are the counter's with a sign, or without one
  bool natural = false;    ///< they are compared without a sign, and the counter has one
  bool either = false;     ///< that is for whoever asks to say: both are good, compared is whether they differ
  UpdateLoop update;       ///< it is one, and nothing of the above is known
};

class Loops {
 public:
  Loops(Iterations const& iterations, llvm::LoopInfo& loops, llvm::DataLayout const& layout)
      : m_iterations(iterations), m_loops(loops), m_layout(layout) {}

  /// Of the function's iterations. nullptr: each loop in one is counted, or an update; otherwise why not.
  char const* find(llvm::Function& f);

  std::vector<CountedLoop> const& all() const { return m_all; }
  /// The loop that begins with this block, or nullptr.
  CountedLoop const* with_header(llvm::BasicBlock const* b) const;
  /// The update by that instruction, or nullptr.
  CountedLoop const* of_exchange(llvm::Instruction const& i) const;
  bool is_first_read(llvm::Instruction const& i) const;
  /// What goes on by a distance from turn to turn of that loop.
  bool recurrence_of(CountedLoop const& loop, llvm::PHINode* phi, Recurrence& r) const;
  /// Does each turn that comes to that block know that this turn's counter is as `goes_on` says?
  bool is_within(CountedLoop const& loop, llvm::BasicBlock* b) const;

 private:
  bool count(CountedLoop& loop) const;
  bool count(CountedLoop& loop, llvm::Value* condition, bool stays, int depth) const;
  bool count(CountedLoop& loop, llvm::CmpInst::Predicate goes_on, llvm::Value* compared, llvm::Value* bound) const;

  Iterations const& m_iterations;
  llvm::LoopInfo& m_loops;
  llvm::DataLayout const& m_layout;
  std::vector<CountedLoop> m_all;
};

}  // namespace teamsan_plugin
