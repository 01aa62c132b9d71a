// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Conditions.hpp"

#include <algorithm>

namespace teamsan_plugin {

using namespace llvm;

std::vector<Condition> const& Conditions::at(BasicBlock* b, bool of_all) {
  m_all = of_all;
  auto const [known, fresh] = m_known.emplace(b, std::vector<Condition>());
  std::vector<Condition>& all = known->second;
  if (!fresh) return all;
  DominatorTree const& dominators = m_iterations.dominators();
  for (BasicBlock* at = b; at != m_iterations.begin() && m_iterations.is_inside(at);) {
    DomTreeNode const* const above = dominators.getNode(at)->getIDom();
    if (above == nullptr || all.size() > most_conditions) break;
    BasicBlock* const from = above->getBlock();
    auto* const branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch != nullptr && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1))
      for (BasicBlock* const to : branch->successors())
        if (dominators.dominates(to, b) && m_iterations.ways_to(to).size() == 1)
          add_truth(branch->getCondition(), to == branch->getSuccessor(0), from, 0, all);
    if (auto* const among = dyn_cast<SwitchInst>(from->getTerminator()))
      for (BasicBlock* const to : successors(from))
        if (dominators.dominates(to, b) && m_iterations.ways_to(to).size() == 1) add_case(*among, to, all);
    at = from;
  }
  if (all.size() > most_conditions) all.resize(most_conditions);
  std::reverse(all.begin(), all.end());  // the outermost first
  return all;
}

/// Of one number, or of all but these.
void Conditions::add_case(SwitchInst& among, BasicBlock* to, std::vector<Condition>& all) {
  bool const others = to == among.getDefaultDest();
  for (auto const& one : among.cases())
    if (others || one.getCaseSuccessor() == to)
      add(others ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, among.getCondition(), one.getCaseValue(), among.getParent(), all);
}

void Conditions::add_truth(Value* value, bool is, BasicBlock* at, int depth, std::vector<Condition>& to) {
  using namespace PatternMatch;
  if (depth == 8) return;
  Value *a = nullptr, *b = nullptr;
  if (match(value, m_Not(m_Value(a)))) {
    add_truth(a, !is, at, depth + 1, to);
  } else if (is ? match(value, m_LogicalAnd(m_Value(a), m_Value(b))) : match(value, m_LogicalOr(m_Value(a), m_Value(b)))) {
    add_truth(a, is, at, depth + 1, to);
    add_truth(b, is, at, depth + 1, to);
  } else if (auto* const frozen = dyn_cast<FreezeInst>(value)) {
    add_truth(frozen->getOperand(0), is, at, depth + 1, to);
  } else if (auto* const compare = dyn_cast<ICmpInst>(value)) {
    if (compare->getOperand(0)->getType()->isIntegerTy())
      add(is ? compare->getPredicate() : compare->getInversePredicate(), compare->getOperand(0), compare->getOperand(1), at,
          to);
  }
}

void Conditions::add(Predicate predicate, Value* a, Value* b, BasicBlock* at, std::vector<Condition>& to) {
  if (add_quotient(predicate, a, b, at, to) || add_quotient(CmpInst::getSwappedPredicate(predicate), b, a, at, to)) return;
  bool const swapped = predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_SGE || predicate == CmpInst::ICMP_UGT ||
                       predicate == CmpInst::ICMP_UGE;
  if (swapped) std::swap(a, b), predicate = CmpInst::getSwappedPredicate(predicate);
  bool const equality = ICmpInst::isEquality(predicate), natural = CmpInst::isUnsigned(predicate);
  bool const below = predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_ULT;
  if (natural) add_within(a, b, below, at, to);
  unsigned const kind = equality ? (predicate == CmpInst::ICMP_EQ ? teamsan_condition_same : teamsan_condition_differs)
                                 : (below ? teamsan_condition_below : teamsan_condition_up_to);
  Condition c;
  c.head = condition(kind | (natural ? unsigned{teamsan_condition_natural} : 0));
  for (Value* const each : {a, b})
    if (!m_addresses.put(each, !natural, at, c.words)) return;
  if (c.words.size() <= most_condition_words && (m_all || hangs_on_index(c.words))) to.push_back(c);
}

/// What is compared without a sign: as a number with one it is 0 <= a, too, if the other one has none.
void Conditions::add_within(Value* a, Value* b, bool below, BasicBlock* at, std::vector<Condition>& to) {
  using namespace PatternMatch;
  unsigned const bits = a->getType()->getIntegerBitWidth();
  if (bits != 32 && bits != 64) return;
  Value* inner = nullptr;
  ConstantInt* number = nullptr;
  std::int64_t more = 0;
  if (match(a, m_Add(m_Value(inner), m_ConstantInt(number)))) a = inner, more = number->getSExtValue();
  Condition c;
  c.head = condition(teamsan_condition_within | (bits == 32 ? unsigned{teamsan_condition_natural} : 0));
  if (!m_addresses.put_sum(a, more, at, c.words) || !m_addresses.put(b, false, at, c.words)) return;
  if (below) put_with(teamsan_affine_subtract, 1, c.words);
  if (c.words.size() <= most_condition_words && (m_all || hangs_on_index(c.words))) to.push_back(c);
}

/// Of a row, say, of which the iteration's index is a / q: rows that are left out are indices that are.
bool Conditions::add_quotient(Predicate predicate, Value* a, Value* b, BasicBlock* at, std::vector<Condition>& to) {
  bool const with_sign = CmpInst::isSigned(predicate);
  while (with_sign ? isa<SExtInst>(a) : isa<ZExtInst>(a)) a = cast<CastInst>(a)->getOperand(0);
  auto* const divided = dyn_cast<BinaryOperator>(a);
  if (divided == nullptr || ICmpInst::isEquality(predicate)) return false;
  bool const by_bits = divided->getOpcode() == (with_sign ? Instruction::AShr : Instruction::LShr);
  if (!by_bits && divided->getOpcode() != (with_sign ? Instruction::SDiv : Instruction::UDiv)) return false;
  bool const from = predicate == CmpInst::ICMP_SGE || predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_UGE ||
                    predicate == CmpInst::ICMP_UGT;
  bool const one_more = predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_SLE ||
                        predicate == CmpInst::ICMP_ULE;
  Condition c;
  c.head = condition(from ? teamsan_condition_quotient_from : teamsan_condition_quotient_below);
  if (!m_addresses.put(divided->getOperand(0), with_sign, at, c.words)) return false;
  if (by_bits) {
    auto const* const bits = dyn_cast<ConstantInt>(divided->getOperand(1));
    if (bits == nullptr || bits->getValue().uge(std::min(divided->getType()->getIntegerBitWidth(), 62u))) return false;
    put_constant(static_cast<std::int64_t>(Word{1} << bits->getZExtValue()), c.words);
  } else if (!m_addresses.put(divided->getOperand(1), with_sign, at, c.words)) {
    return false;
  }
  if (!m_addresses.put(b, with_sign, at, c.words)) return false;
  if (one_more) put_with(teamsan_affine_add, 1, c.words);
  if (c.words.size() <= most_condition_words && (m_all || hangs_on_index(c.words))) to.push_back(c);
  return true;
}

}  // namespace teamsan_plugin
