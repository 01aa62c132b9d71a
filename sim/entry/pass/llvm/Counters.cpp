// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers that go on from turn to turn of a loop, in an address (Addresses.hpp).
#include "Addresses.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

bool goes_down(CountedLoop const& loop) { return loop.counter.distance < 0; }
bool goes_on_where_same(CountedLoop const& loop) {
  return loop.goes_on != CmpInst::ICMP_NE && CmpInst::isTrueWhenEqual(loop.goes_on);
}

}  // namespace

/// What goes on from turn to turn.
bool Addresses::put_recurrence(CountedLoop const& loop, PHINode* phi, bool is_signed, Words& to) {
  if (phi == loop.counter.value) return put_counter(loop, is_signed, false, to);
  Off const off(m_keeps);
  Recurrence r;
  if (!m_loops.recurrence_of(loop, phi, r) || !put(r.first, is_signed, to) || !put_counter(loop, true, true, to)) return false;
  if (r.step == nullptr)
    put_constant(r.distance, to);
  else if (!put(r.step, true, to))
    return false;
  to.push_back(teamsan_affine_multiply);
  to.push_back(r.subtracts ? teamsan_affine_subtract : teamsan_affine_add);
  put_fit(phi->getType(), is_signed, to);
  return true;
}

bool Addresses::put_counter(CountedLoop const& loop, bool is_signed, bool turns, Words& to) {
  Off const off(m_keeps);
  Recurrence const& c = loop.counter;
  bool const down = goes_down(loop);
  switch (loop.goes_on) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
      if (down) return false;
      break;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
      if (!down) return false;
      break;
    default:
      break;
  }
  if (!m_open_loops.insert(loop.header).second) return false;
  bool with_sign = loop.is_signed, entered = is_entered(loop, with_sign);
  if (loop.either && !entered && is_entered(loop, false)) with_sign = false, entered = true;
  bool const known = put(c.first, with_sign, to) && put(loop.bound, with_sign && !loop.natural, to);
  m_open_loops.erase(loop.header);
  if (!known) return false;
  if (goes_on_where_same(loop))
    to.push_back(of_type(teamsan_bounded_past, loop.bound->getType(), with_sign && !loop.natural) |
                 (down ? TEAMSAN_COUNTER_DOWN : 0));
  put_constant(c.distance, to);
  bool const within = m_at != nullptr && m_loops.is_within(loop, m_at);
  to.push_back(teamsan_bounded_counter | Word{loop.bits} << TEAMSAN_AFFINE_BYTES_SHIFT |
               Word{with_sign} << TEAMSAN_AFFINE_SIGN_SHIFT | (down ? TEAMSAN_COUNTER_DOWN : 0) |
               (loop.of_next ? TEAMSAN_COUNTER_NEXT : 0) | (loop.goes_on == CmpInst::ICMP_NE ? TEAMSAN_COUNTER_DIFFERS : 0) |
               (entered ? TEAMSAN_COUNTER_ENTERED : 0) | (within ? TEAMSAN_COUNTER_WITHIN : 0) |
               (loop.natural ? TEAMSAN_COUNTER_NATURAL : 0) | (turns ? TEAMSAN_COUNTER_TURNS : 0));
  if (!turns) put_as(c.value->getType(), with_sign, is_signed, to);
  return true;
}

/// Is it known, where the loop is come to, that its first counter is as it must be for a next turn?
bool Addresses::is_entered(CountedLoop const& loop, bool is_signed) {
  bool const down = goes_down(loop), with_sign = is_signed && !loop.natural, or_same = goes_on_where_same(loop);
  CmpInst::Predicate wanted = down ? CmpInst::ICMP_UGT : CmpInst::ICMP_ULT;
  if (with_sign) wanted = CmpInst::getSignedPredicate(wanted);
  if (is_asked_before(loop, wanted)) return true;
  Type* const type = loop.bound->getType();
  if (!type->isIntegerTy()) return false;
  SCEV const *first = m_evolution.getSCEV(loop.counter.first), *const bound = m_evolution.getSCEV(loop.bound);
  if (first->getType() != type) {
    if (!first->getType()->isIntegerTy()) return false;
    first = bits_of(first->getType()) > bits_of(type) ? m_evolution.getTruncateExpr(first, type)
            : isa<SExtInst>(loop.compared)            ? m_evolution.getSignExtendExpr(first, type)
                                                      : m_evolution.getZeroExtendExpr(first, type);
  }
  if (!m_evolution.isLoopInvariant(bound, loop.loop)) return false;
  if (or_same) wanted = CmpInst::getNonStrictPredicate(wanted);
  return m_evolution.isLoopEntryGuardedByCond(loop.loop, wanted, first, bound);
}

bool Addresses::is_asked_before(CountedLoop const& loop, CmpInst::Predicate wanted) {
  BasicBlock *from = loop.entry, *to = loop.header;
  for (int depth = 0; depth != 16; ++depth) {
    auto* const branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch != nullptr && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) &&
        is_asked(branch->getCondition(), branch->getSuccessor(0) == to, loop, wanted, 0))
      return true;
    if (!m_iterations.is_inside(from)) return false;
    SmallVector<BasicBlock*, 4> const ways = m_iterations.ways_to(from);
    if (ways.size() != 1) return false;
    to = from;
    from = ways[0];
  }
  return false;
}

bool Addresses::is_asked(Value* condition, bool holds, CountedLoop const& loop, CmpInst::Predicate wanted, int depth) {
  using namespace PatternMatch;
  if (depth == 8) return false;
  Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) return is_asked(a, !holds, loop, wanted, depth + 1);
  if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_asked(a, holds, loop, wanted, depth + 1) || is_asked(b, holds, loop, wanted, depth + 1);
  auto* const compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr) return false;
  CmpInst::Predicate const code = holds ? compare->getPredicate() : compare->getInversePredicate();
  bool const with_sign = CmpInst::isSigned(wanted), or_same = goes_on_where_same(loop);
  for (bool const swapped : {false, true}) {
    Value *const first = compare->getOperand(swapped), *const bound = compare->getOperand(!swapped);
    CmpInst::Predicate const is = swapped ? CmpInst::getSwappedPredicate(code) : code;
    auto const* const number = dyn_cast<ConstantInt>(first);
    bool const of_none = is == CmpInst::ICMP_NE && wanted == CmpInst::ICMP_ULT && number != nullptr && number->isZero();
    if (is != wanted && !(or_same && is == CmpInst::getNonStrictPredicate(wanted)) && !of_none) continue;
    if (is_same(first, loop.counter.first, with_sign) && is_same(bound, loop.bound, with_sign)) return true;
  }
  return false;
}

}  // namespace teamsan_plugin
