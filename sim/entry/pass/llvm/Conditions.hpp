// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By which comparisons an iteration comes to a block: each that it must have passed on every way there, of numbers that hang
/// on the iteration's indices, in the words of Abi.h and Bounded.h. What else stands under a condition counts as if every
/// iteration came there.
#pragma once

#include "Addresses.hpp"

#include "../Records.hpp"

namespace teamsan_plugin {

class Conditions {
 public:
  Conditions(Iterations const& iterations, Addresses& addresses) : m_iterations(iterations), m_addresses(addresses) {}

  /// Of a block inside of an iteration, or of its beginning. `all`: those too that no index has a part in, and which may never
  /// hold all the same; of the block always asked so.
  std::vector<Condition> const& at(llvm::BasicBlock* b, bool all = false);

 private:
  using Predicate = llvm::CmpInst::Predicate;
  void add_case(llvm::SwitchInst& among, llvm::BasicBlock* to, std::vector<Condition>& all);
  void add_truth(llvm::Value* value, bool is, llvm::BasicBlock* at, int depth, std::vector<Condition>& to);
  void add(Predicate predicate, llvm::Value* a, llvm::Value* b, llvm::BasicBlock* at, std::vector<Condition>& to);
  void add_within(llvm::Value* a, llvm::Value* b, bool below, llvm::BasicBlock* at, std::vector<Condition>& to);
  bool add_quotient(Predicate predicate, llvm::Value* a, llvm::Value* b, llvm::BasicBlock* at, std::vector<Condition>& to);

  Iterations const& m_iterations;
  Addresses& m_addresses;
  std::map<llvm::BasicBlock*, std::vector<Condition>> m_known;
  bool m_all = false;
};

}  // namespace teamsan_plugin
