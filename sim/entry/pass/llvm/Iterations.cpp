// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Iterations.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

constexpr char begins[] = "teamsan iteration";
constexpr char in_kernel[] = "_ZN7teamsan9in_kernelEv";

/// The number of the way that lanes go by such a branch, since they are in a kernel; -1: it hangs on something else.
int way_of_lanes(BranchInst const& branch) {
  using namespace PatternMatch;
  if (!branch.isConditional()) return -1;
  Value* value = branch.getCondition();
  bool turned = false;
  for (Value* inner = nullptr; match(value, m_Not(m_Value(inner))); value = inner) turned = !turned;
  auto const* const call = dyn_cast<CallBase>(value);
  Function const* const to = call != nullptr ? call->getCalledFunction() : nullptr;
  return to != nullptr && to->getName() == in_kernel ? turned : -1;
}

}  // namespace

SmallVector<BasicBlock*, 4> Iterations::ways_on(BasicBlock const* b) {
  Instruction const* const last = b->getTerminator();
  if (auto const* const invoke = dyn_cast<InvokeInst>(last)) return {invoke->getNormalDest()};
  if (auto const* const branch = dyn_cast<BranchInst>(last))
    if (int const way = way_of_lanes(*branch); way >= 0) return {branch->getSuccessor(static_cast<unsigned>(way))};
  SmallVector<BasicBlock*, 4> all;
  for (unsigned i = 0; i != last->getNumSuccessors(); ++i) all.push_back(last->getSuccessor(i));
  return all;
}

SmallVector<BasicBlock*, 4> Iterations::ways_to(BasicBlock* b) const {
  SmallVector<BasicBlock*, 4> all;
  SmallPtrSet<BasicBlock*, 8> seen;
  for (BasicBlock* const from : predecessors(b)) {
    if (!is_live(from) || !seen.insert(from).second) continue;
    for (BasicBlock* const to : ways_on(from))
      if (to == b) all.push_back(from);
  }
  return all;
}

char const* Iterations::find() {
  std::vector<BasicBlock*> todo{&m_function.getEntryBlock()};
  m_live.insert(todo[0]);
  while (!todo.empty()) {
    BasicBlock* const b = todo.back();
    todo.pop_back();
    for (BasicBlock* const to : ways_on(b))
      if (m_live.insert(to).second) todo.push_back(to);
  }
  for (BasicBlock& b : m_function) {
    if (!is_live(&b)) continue;
    for (Instruction& i : b) {
      auto* const call = dyn_cast<CallInst>(&i);
      auto* const text = call != nullptr ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (text == nullptr || StringRef(text->getAsmString()).find(begins) == StringRef::npos) continue;
      if (m_begin != nullptr) return "an iteration begins in two places";
      m_begin = call;
    }
  }
  if (m_begin == nullptr) return "no iteration begins";
  return nullptr;
}

int Iterations::axis_of(Value const* value) const {
  if (value == m_begin) return m_begin->getType()->isStructTy() ? -1 : 0;
  auto const* const part = dyn_cast<ExtractValueInst>(value);
  if (part == nullptr || part->getAggregateOperand() != m_begin || part->getNumIndices() != 1) return -1;
  return static_cast<int>(part->getIndices()[0]);
}

bool Iterations::come_always(BasicBlock* b) {
  if (b == begin()) return true;
  auto const [known, fresh] = m_always.emplace(b, false);
  if (!fresh) return known->second;
  // Without it no way may lead to the next iteration, or out.
  std::vector<BasicBlock*> todo{begin()};
  std::set<BasicBlock*> seen{b};
  while (!todo.empty()) {
    BasicBlock* const from = todo.back();
    todo.pop_back();
    if (isa<ReturnInst>(from->getTerminator())) return false;
    for (BasicBlock* const to : ways_on(from)) {
      if (to == begin()) return false;
      if (seen.insert(to).second) todo.push_back(to);
    }
  }
  return m_always[b] = true;
}

}  // namespace teamsan_plugin
