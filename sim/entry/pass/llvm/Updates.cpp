// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Updates.hpp"

#include <algorithm>

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// The same bits under another type.
Value* without_conversions(Value* value) {
  while (auto* const cast = dyn_cast<BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

bool is_used_behind(Loop const& loop, Instruction const& i) {
  return std::any_of(i.user_begin(), i.user_end(), [&](User const* user) { return !loop.contains(cast<Instruction>(user)); });
}

/// Besides that use: by conditions alone, of the same atomic's, whether there is anything to do.
bool only_compared(Value& value, PHINode const* use, int depth = 0) {
  return std::all_of(value.user_begin(), value.user_end(), [&](User* user) {
    auto* const i = cast<Instruction>(user);
    if (i == use) return true;
    if (depth == 8) return false;
    if (auto* const branch = dyn_cast<BranchInst>(i)) return gives_nothing_back(*branch);
    return (isa<BitCastInst>(i) || (isa<CmpInst>(i) && gives_nothing_back(*i))) && only_compared(*i, use, depth + 1);
  });
}

/// The instructions of one loop, by what they do.
class Exchanges {
 public:
  Exchanges(Loop const& loop, BasicBlock* entry, BasicBlock* latch) : m_loop(loop), m_entry(entry), m_latch(latch) {}

  bool find(DominatorTree const& dominators, UpdateLoop& update) {
    for (BasicBlock* const b : m_loop.blocks())
      for (Instruction& i : *b)
        if (!isa<DbgInfoIntrinsic>(i) && (is_used_behind(m_loop, i) || !look_at(i))) return false;
    if (m_exchange == nullptr || !begins_with_a_read()) return false;
    update.exchange = m_exchange;
    update.first_read = m_first_read;
    return ends(dominators) && gives_nothing_back(*m_exchange) && gives_nothing_back(*m_first_read);
  }

 private:
  bool look_at(Instruction& i) {
    auto* const exchange = dyn_cast<AtomicCmpXchgInst>(&i);
    if (exchange == nullptr) return !i.mayReadOrWriteMemory() && !i.mayThrow() && (!isa<CallBase>(i) || isa<IntrinsicInst>(i));
    bool const relaxed = exchange->getSuccessOrdering() == AtomicOrdering::Monotonic &&
                         exchange->getFailureOrdering() == AtomicOrdering::Monotonic;
    if (m_exchange != nullptr || !relaxed || exchange->isVolatile()) return false;
    m_exchange = exchange;
    return true;
  }

  bool begins_with_a_read() {
    auto* const phi = dyn_cast<PHINode>(without_conversions(m_exchange->getCompareOperand()));
    if (phi == nullptr || phi->getParent() != m_loop.getHeader()) return false;
    auto* const found = dyn_cast<ExtractValueInst>(without_conversions(phi->getIncomingValueForBlock(m_latch)));
    if (found == nullptr || found->getAggregateOperand() != m_exchange || found->getIndices()[0] != 0) return false;
    Value* const first = phi->getIncomingValueForBlock(m_entry);
    m_first_read = dyn_cast<LoadInst>(without_conversions(first));
    // Nobody else looks at it.
    return m_first_read != nullptr && m_first_read->isSimple() && !m_loop.contains(m_first_read) &&
           only_compared(*m_first_read, phi);
  }

  bool ends(DominatorTree const& dominators) const {
    return std::any_of(m_loop.block_begin(), m_loop.block_end(), [&](BasicBlock* b) {
      auto* const branch = dyn_cast<BranchInst>(b->getTerminator());
      if (branch == nullptr || !branch->isConditional() || !dominators.dominates(b, m_latch)) return false;
      bool const a_stays = m_loop.contains(branch->getSuccessor(0)), z_stays = m_loop.contains(branch->getSuccessor(1));
      return a_stays != z_stays && ends_when_exchanged(m_loop, branch->getCondition(), a_stays);
    });
  }

  Loop const& m_loop;
  BasicBlock *m_entry, *m_latch;
  AtomicCmpXchgInst* m_exchange = nullptr;
  LoadInst* m_first_read = nullptr;
};

}  // namespace

bool gives_nothing_back(Instruction const& i) {
  StringRef outermost;
  for (DILocation const* place = i.getDebugLoc(); place != nullptr; place = place->getInlinedAt()) {
    DISubprogram const* const of = place->getScope()->getSubprogram();
    if (of == nullptr || of->getName().substr(0, 7) != "atomic_") continue;
    StringRef const file = of->getFilename();
    if (file.substr(file.rfind('/') + 1).substr(0, 13) == "Kokkos_Atomic" || file.find("desul/") != StringRef::npos)
      outermost = of->getName().split('<').first;
  }
  if (outermost.empty()) return false;
  for (char const* const part : {"fetch", "exchange", "load", "store", "compare"})
    if (outermost.find(part) != StringRef::npos) return false;
  return true;
}

AtomicCmpXchgInst* exchange_of(Value* value, bool& exchanged) {
  exchanged = false;
  for (int depth = 0; depth != 8; ++depth) {
    if (auto* const cast = dyn_cast<CastInst>(value)) {
      value = cast->getOperand(0);
    } else if (auto* const part = dyn_cast<ExtractValueInst>(value)) {
      exchanged = part->getIndices()[0] == 1;
      return dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand());
    } else {
      break;
    }
  }
  return nullptr;
}

bool expects_what_was_found(Loop const& loop, AtomicCmpXchgInst* exchange) {
  Value* expected = exchange->getCompareOperand();
  while (auto* const cast = dyn_cast<CastInst>(expected)) expected = cast->getOperand(0);
  auto* const phi = dyn_cast<PHINode>(expected);
  if (phi == nullptr || phi->getParent() != loop.getHeader()) return false;
  for (unsigned n = 0; n != phi->getNumIncomingValues(); ++n) {
    if (!loop.contains(phi->getIncomingBlock(n))) continue;
    bool exchanged = false;
    if (exchange_of(phi->getIncomingValue(n), exchanged) != exchange || exchanged) return false;
  }
  return true;
}

bool ends_when_exchanged(Loop const& loop, Value* condition, bool stays) {
  using namespace PatternMatch;
  for (Value* inner = nullptr; match(condition, m_Not(m_Value(inner))); condition = inner) stays = !stays;
  bool exchanged = false;
  if (AtomicCmpXchgInst* const e = exchange_of(condition, exchanged); e != nullptr)
    return exchanged && !stays && loop.contains(e) && expects_what_was_found(loop, e);
  auto* const compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || compare->getPredicate() != (stays ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ)) return false;
  for (bool const swapped : {false, true}) {
    AtomicCmpXchgInst* const e = exchange_of(compare->getOperand(swapped), exchanged);
    if (e == nullptr || exchanged || !loop.contains(e) || !expects_what_was_found(loop, e)) continue;
    Value *expected = e->getCompareOperand(), *other = compare->getOperand(!swapped);
    if (without_conversions(other) == without_conversions(expected)) return true;
  }
  return false;
}

bool is_update(Loop const& loop, BasicBlock* entry, BasicBlock* latch, DominatorTree const& dominators, UpdateLoop& update) {
  return Exchanges(loop, entry, latch).find(dominators, update);
}

}  // namespace teamsan_plugin
