// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.hpp"

#include <algorithm>

namespace teamsan_plugin {

using namespace llvm;

namespace {

bool is_whole_number(Type const* type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() > 1 && type->getIntegerBitWidth() <= 64);
}

}  // namespace

char const* Loops::find(Function& f) {
  SmallVector<std::pair<BasicBlock const*, BasicBlock const*>> back;
  FindFunctionBackedges(f, back);
  for (auto const& [from, to] : back)
    if (m_iterations.is_live(from) && m_iterations.is_live(to) && m_iterations.is_inside(to) &&
        !m_iterations.dominators().dominates(to, from))
      return "a loop has several beginnings";
  for (Loop* const l : m_loops.getLoopsInPreorder()) {
    if (!m_iterations.is_live(l->getHeader()) || !m_iterations.is_inside(l->getHeader())) continue;
    CountedLoop loop;
    loop.loop = l;
    loop.header = l->getHeader();
    for (BasicBlock* const from : m_iterations.ways_to(loop.header)) {
      if (l->contains(from)) {
        if (loop.latch != nullptr) return "a loop goes on from several places";
        loop.latch = from;
      } else {
        if (loop.entry != nullptr) return "a loop is come to from several places";
        loop.entry = from;
      }
    }
    if (loop.entry == nullptr) return "a loop is never come to";
    if (loop.latch == nullptr) continue;
    if (!count(loop) && !is_update(*l, loop.entry, loop.latch, m_iterations.dominators(), loop.update))
      return "the turns of a loop are not counted";
    m_all.push_back(loop);
  }
  return nullptr;
}

CountedLoop const* Loops::with_header(BasicBlock const* b) const {
  for (CountedLoop const& loop : m_all)
    if (loop.header == b) return &loop;
  return nullptr;
}

CountedLoop const* Loops::of_exchange(Instruction const& i) const {
  for (CountedLoop const& loop : m_all)
    if (loop.update.exchange == &i) return &loop;
  return nullptr;
}
bool Loops::is_first_read(Instruction const& i) const {
  return std::any_of(m_all.begin(), m_all.end(), [&](CountedLoop const& loop) { return loop.update.first_read == &i; });
}

bool Loops::recurrence_of(CountedLoop const& loop, PHINode* phi, Recurrence& r) const {
  if (phi->getParent() != loop.header || !is_whole_number(phi->getType())) return false;
  r.value = phi;
  r.first = phi->getIncomingValueForBlock(loop.entry);
  r.next = phi->getIncomingValueForBlock(loop.latch);
  Value* const next = without_joining(r.next);
  if (auto* const further = dyn_cast<GetElementPtrInst>(next)) {
    APInt bytes(m_layout.getIndexTypeSizeInBits(further->getType()), 0);
    if (further->getPointerOperand() != phi || !further->accumulateConstantOffset(m_layout, bytes)) return false;
    r.distance = bytes.getSExtValue();
    return true;
  }
  auto* const sum = dyn_cast<BinaryOperator>(next);
  if (sum == nullptr || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub)) return false;
  r.subtracts = sum->getOpcode() == Instruction::Sub;
  if (sum->getOperand(0) == phi)
    r.step = sum->getOperand(1);
  else if (!r.subtracts && sum->getOperand(1) == phi)
    r.step = sum->getOperand(0);
  else
    return false;
  if (auto const* const number = dyn_cast<ConstantInt>(r.step)) {
    r.distance = r.subtracts ? -number->getSExtValue() : number->getSExtValue();
    r.step = nullptr;
    r.subtracts = false;
    return true;
  }
  return loop.loop->isLoopInvariant(r.step);
}

bool Loops::is_within(CountedLoop const& loop, BasicBlock* b) const {
  return !loop.of_next && m_iterations.ways_to(loop.stays).size() == 1 && m_iterations.dominators().dominates(loop.stays, b);
}

/// By a way out that every turn comes to.
bool Loops::count(CountedLoop& loop) const {
  for (BasicBlock* const b : loop.loop->blocks()) {
    auto* const branch = dyn_cast<BranchInst>(b->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !m_iterations.is_live(b)) continue;
    if (!m_iterations.dominators().dominates(b, loop.latch) || Iterations::ways_on(b).size() != 2) continue;
    bool const a_stays = loop.loop->contains(branch->getSuccessor(0)), z_stays = loop.loop->contains(branch->getSuccessor(1));
    if (a_stays == z_stays) continue;
    loop.asks = b;
    loop.stays = branch->getSuccessor(a_stays ? 0 : 1);
    if (count(loop, branch->getCondition(), a_stays, 0)) return true;
  }
  return false;
}

/// It goes on where the condition is `stays`.
bool Loops::count(CountedLoop& loop, Value* condition, bool stays, int depth) const {
  using namespace PatternMatch;
  if (depth == 8) return false;
  Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) return count(loop, a, !stays, depth + 1);
  if (stays ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return count(loop, a, stays, depth + 1) || count(loop, b, stays, depth + 1);
  auto* const compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr) return false;
  CmpInst::Predicate const goes_on = stays ? compare->getPredicate() : compare->getInversePredicate();
  return count(loop, goes_on, compare->getOperand(0), compare->getOperand(1)) ||
         count(loop, CmpInst::getSwappedPredicate(goes_on), compare->getOperand(1), compare->getOperand(0));
}

bool Loops::count(CountedLoop& loop, CmpInst::Predicate goes_on, Value* compared, Value* bound) const {
  if (goes_on == CmpInst::ICMP_EQ || !is_whole_number(compared->getType())) return false;
  bool const differs = goes_on == CmpInst::ICMP_NE;
  loop.is_signed = differs || CmpInst::isSigned(goes_on);
  loop.either = differs;
  loop.natural = false;
  Value* counted = compared;
  loop.bits = m_layout.getTypeSizeInBits(counted->getType());
  if (auto* const cast = dyn_cast<CastInst>(compared); cast != nullptr && is_whole_number(cast->getSrcTy())) {
    // A number that is made longer is what it was, if it is compared as it was: with a sign, or without. Of one that is cut
    // off as many bits count as are compared.
    if (isa<SExtInst>(cast)) {
      loop.natural = !loop.is_signed;
      loop.is_signed = true;
      loop.either = false;
    } else if (isa<ZExtInst>(cast)) {
      if (CmpInst::isSigned(goes_on)) return false;
      loop.is_signed = loop.either = false;
    } else if (!isa<TruncInst>(cast)) {
      return false;
    }
    counted = cast->getOperand(0);
    loop.bits = std::min<unsigned>(loop.bits, m_layout.getTypeSizeInBits(counted->getType()));
  }
  for (PHINode& phi : loop.header->phis()) {
    Recurrence r;
    if (!recurrence_of(loop, &phi, r) || (counted != r.value && counted != r.next && counted != without_joining(r.next)))
      continue;
    if (r.step != nullptr || r.distance == 0) continue;
    loop.counter = r;
    loop.goes_on = goes_on;
    loop.compared = compared;
    loop.bound = bound;
    loop.of_next = counted != r.value;
    return true;
  }
  return false;
}

}  // namespace teamsan_plugin
