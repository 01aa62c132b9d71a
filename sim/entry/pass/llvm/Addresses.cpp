// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Addresses.hpp"

#include "../Abi.h"
#include "../Bounded.h"

#include <algorithm>

namespace teamsan_plugin {

using namespace llvm;

namespace {

bool is_number(Type const* type) {
  if (type->isPointerTy()) return type->getPointerAddressSpace() == 0;
  return type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
}

void put_constant(std::int64_t value, Words& to) {
  to.push_back(teamsan_affine_constant);
  to.push_back(static_cast<Word>(value));
}
void put_all(Words const& from, Words& to) { to.insert(to.end(), from.begin(), from.end()); }

/// An operation with one of these numbers?
bool has_operation(Words const& words, Word least, Word most) {
  for (std::size_t i = 0; i != words.size(); ++i) {
    Word const operation = words[i] & 0xff;
    if (operation >= least && operation <= most) return true;
    if (operation == teamsan_affine_constant) ++i;
  }
  return false;
}
/// One that is not the same for all iterations of a launch?
bool hangs_on_iteration(Words const& words) {
  return has_operation(words, teamsan_affine_index, teamsan_affine_index) ||
         has_operation(words, teamsan_bounded_any, teamsan_bounded_counter);
}

/// False as long as it is there.
class Off {
 public:
  explicit Off(bool& of) : m_of(of), m_was(of) { m_of = false; }
  ~Off() { m_of = m_was; }
  Off(Off const&) = delete;
  Off& operator=(Off const&) = delete;

 private:
  bool& m_of;
  bool m_was;
};

enum LeastOrMost { neither, least_signed, most_signed, least_natural, most_natural };
/// Of two integers.
LeastOrMost is_least_or_most(Value* value, Value*& a, Value*& b) {
  using namespace PatternMatch;
  if (!value->getType()->isIntegerTy()) return neither;
  if (match(value, m_SMin(m_Value(a), m_Value(b)))) return least_signed;
  if (match(value, m_SMax(m_Value(a), m_Value(b)))) return most_signed;
  if (match(value, m_UMin(m_Value(a), m_Value(b)))) return least_natural;
  return match(value, m_UMax(m_Value(a), m_Value(b))) ? most_natural : neither;
}

bool goes_down(CountedLoop const& loop) { return loop.counter.distance < 0; }
bool goes_on_where_same(CountedLoop const& loop) {
  return loop.goes_on != CmpInst::ICMP_NE && CmpInst::isTrueWhenEqual(loop.goes_on);
}

}  // namespace

Variable::Variable(Value* pointer, DataLayout const& layout) {
  Value* const object = getUnderlyingObject(pointer, 0);
  auto const* const argument = dyn_cast<Argument>(object);
  if (!isa<AllocaInst>(object) && !isa<GlobalVariable>(object) && !(argument != nullptr && argument->hasByValAttr())) return;
  base = object;
  APInt bytes(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  known = pointer->stripAndAccumulateConstantOffsets(layout, bytes, true) == object;
  at = bytes.getSExtValue();
}

Word Addresses::of_type(Word operation, Type* type, bool is_signed) const {
  return operation | Word{bits_of(type)} << TEAMSAN_AFFINE_BYTES_SHIFT | Word{is_signed} << TEAMSAN_AFFINE_SIGN_SHIFT;
}
void Addresses::put_fit(Type* type, bool is_signed, Words& to) const {
  if (bits_of(type) != 64) to.push_back(of_type(teamsan_affine_fit, type, is_signed));
}
void Addresses::put_as(Type* type, bool was_signed, bool is_signed, Words& to) const {
  if (was_signed != is_signed) put_fit(type, is_signed, to);
}

void Addresses::begin(BasicBlock* at) {
  m_at = at;
  m_keeps = at != nullptr;
  m_left = 20000;
}

bool Addresses::put(Value* value, bool is_signed, BasicBlock* at, Words& to) {
  begin(at);
  return put(value, is_signed, to);
}

bool Addresses::put_sum(Value* value, std::int64_t more, BasicBlock* at, Words& to) {
  if (!put(value, true, at, to)) return false;
  put_constant(more, to);
  to.push_back(teamsan_affine_add);
  return true;
}

bool Addresses::hangs_on_index(Words const& words) { return has_operation(words, teamsan_affine_index, teamsan_affine_index); }

bool Addresses::put_end_of(CountedLoop const& loop, Words& to) {
  begin(nullptr);
  return put_counter(loop, loop.is_signed, true, to);
}

bool Addresses::put_divisor(Value* divisor, bool is_signed, BasicBlock* at, Words& to) {
  begin(at);
  put_constant(0, to);
  if (!put(divisor, is_signed, to)) return false;
  to.push_back(of_type(teamsan_bounded_quotient, divisor->getType(), is_signed));
  return true;
}

bool Addresses::is_at(Value* pointer, Value* other, BasicBlock* at) {
  begin(at);
  return pointer->stripPointerCasts() == other->stripPointerCasts() || is_same(pointer, other, true);
}

bool Addresses::put(Value* value, bool is_signed, Words& to) {
  if (to.size() > teamsan_affine_most_words || m_depth > 60 || --m_left < 0 || !is_number(value->getType())) return false;
  ++m_depth;
  bool const known = put_value_of(value, is_signed, to);
  --m_depth;
  return known;
}

bool Addresses::put_value_of(Value* value, bool is_signed, Words& to) {
  if (auto const* const number = dyn_cast<ConstantInt>(value)) {
    put_constant(is_signed ? number->getSExtValue() : static_cast<std::int64_t>(number->getZExtValue()), to);
    return true;
  }
  if (int const axis = m_iterations.axis_of(value); axis >= 0) {
    to.push_back(teamsan_affine_index | Word(axis) << TEAMSAN_AFFINE_FROM_SHIFT);
    put_fit(value->getType(), is_signed, to);
    return true;
  }
  if (auto* const phi = dyn_cast<PHINode>(value)) {
    CountedLoop const* const loop = m_loops.with_header(phi->getParent());
    if (loop != nullptr) return loop->update.exchange == nullptr && put_recurrence(*loop, phi, is_signed, to);
    return put_phi(phi, is_signed, to);
  }
  if (Value* a = nullptr, *b = nullptr; is_least_or_most(value, a, b) != neither)
    return put_least_or_most(value, is_signed, to);
  if (auto* const either = dyn_cast<SelectInst>(value)) {
    std::vector<Words> all(2);
    return put(either->getTrueValue(), is_signed, all[0]) && put(either->getFalseValue(), is_signed, all[1]) &&
           put_either(all, to);
  }
  if (auto* const frozen = dyn_cast<FreezeInst>(value)) return put(frozen->getOperand(0), is_signed, to);
  if (auto* const cast = dyn_cast<CastInst>(value)) return put_cast(cast, is_signed, to);
  if (auto* const further = dyn_cast<GetElementPtrInst>(value)) return put_further(further, to);
  if (auto* const operation = dyn_cast<BinaryOperator>(value)) return put_operation(operation, is_signed, to);
  if (auto* const load = dyn_cast<LoadInst>(value)) return put_of_memory(load, is_signed, to);
  return false;
}

bool Addresses::put_cast(CastInst* cast, bool is_signed, Words& to) {
  Value* const from = cast->getOperand(0);
  Type *const type = cast->getType(), *const of = from->getType();
  if (!is_number(of)) return false;
  switch (cast->getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt: {
      bool const with_sign = cast->getOpcode() == Instruction::SExt;
      if (of->isIntegerTy(1) ? !put_or_any(from, with_sign, to) : !put(from, with_sign, to)) return false;
      if (with_sign) put_as(type, true, is_signed, to);
      return true;
    }
    case Instruction::Trunc:
      if (!put(from, is_signed, to)) return false;
      put_fit(type, is_signed, to);
      return true;
    case Instruction::BitCast:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
      return bits_of(type) == bits_of(of) && put(from, is_signed, to);
    default:
      return false;
  }
}

bool Addresses::put_further(GetElementPtrInst* further, Words& to) {
  if (!put(further->getPointerOperand(), true, to)) return false;
  std::int64_t constant = 0;
  for (gep_type_iterator i = gep_type_begin(further), end = gep_type_end(further); i != end; ++i) {
    Value* const index = i.getOperand();
    if (StructType* const type = i.getStructTypeOrNull()) {
      auto const member = static_cast<unsigned>(cast<ConstantInt>(index)->getZExtValue());
      constant += static_cast<std::int64_t>(static_cast<Word>(m_layout.getStructLayout(type)->getElementOffset(member)));
      continue;
    }
    TypeSize const size = m_layout.getTypeAllocSize(i.getIndexedType());
    if (size.isScalable()) return false;
    auto const stride = static_cast<std::int64_t>(static_cast<Word>(size));
    if (auto const* const number = dyn_cast<ConstantInt>(index)) {
      constant += number->getSExtValue() * stride;
      continue;
    }
    if (!put(index, true, to)) return false;
    if (stride != 1) {
      put_constant(stride, to);
      to.push_back(teamsan_affine_multiply);
    }
    to.push_back(teamsan_affine_add);
  }
  if (constant == 0) return true;
  put_constant(constant, to);
  to.push_back(teamsan_affine_add);
  return true;
}

/// By what wraps around it does not matter with which sign parts are taken: the sum must fit.
bool Addresses::put_parts(Word operation, BinaryOperator* joined, bool is_signed, Words& to) {
  bool with_sign = is_signed;
  if (auto const* const may_wrap = dyn_cast<OverflowingBinaryOperator>(joined))
    with_sign = may_wrap->hasNoSignedWrap() || (is_signed && !may_wrap->hasNoUnsignedWrap());
  for (Value* const part : joined->operands())
    if (!put(part, isa<ConstantInt>(part) || with_sign, to)) return false;
  to.push_back(operation);
  put_fit(joined->getType(), is_signed, to);
  return true;
}

bool Addresses::put_operation(BinaryOperator* operation, bool is_signed, Words& to) {
  using namespace PatternMatch;
  Value *const a = operation->getOperand(0), *const b = operation->getOperand(1);
  Type* const type = operation->getType();
  auto const* const number = dyn_cast<ConstantInt>(b);
  switch (operation->getOpcode()) {
    case Instruction::Add:
      return put_parts(teamsan_affine_add, operation, is_signed, to);
    case Instruction::Sub:
      return put_parts(teamsan_affine_subtract, operation, is_signed, to);
    case Instruction::Mul:
      return put_parts(teamsan_affine_multiply, operation, is_signed, to);
    case Instruction::Or: {
      KnownBits const x = computeKnownBits(a, m_layout), y = computeKnownBits(b, m_layout);
      return (x.Zero | y.Zero).isAllOnes() && put_parts(teamsan_affine_add, operation, is_signed, to);
    }
    case Instruction::Xor:
      if (number == nullptr || !number->isMinusOne()) return false;
      put_constant(-1, to);
      if (!put(a, is_signed, to)) return false;
      to.push_back(teamsan_affine_subtract);
      put_fit(type, is_signed, to);
      return true;
    case Instruction::Shl:
      if (number == nullptr || number->getValue().uge(bits_of(type)) || !put(a, is_signed, to)) return false;
      put_constant(static_cast<std::int64_t>(Word{1} << number->getZExtValue()), to);
      to.push_back(teamsan_affine_multiply);
      put_fit(type, is_signed, to);
      return true;
    case Instruction::LShr:
    case Instruction::AShr:
      return put_quotient(operation, is_signed, to);
    case Instruction::And:
      return put_bounded(teamsan_bounded_bits, a, b, is_signed, to);
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem: {
      bool const divides = operation->getOpcode() == Instruction::SDiv || operation->getOpcode() == Instruction::UDiv;
      bool const with_sign = operation->getOpcode() == Instruction::SDiv || operation->getOpcode() == Instruction::SRem;
      if (!put_bounded(divides ? teamsan_bounded_quotient : teamsan_bounded_remainder, a, b, with_sign, to)) return false;
      put_as(type, with_sign, is_signed, to);
      return true;
    }
    default:
      return false;
  }
}

/// By a power of two.
bool Addresses::put_quotient(BinaryOperator* shifted, bool is_signed, Words& to) {
  auto const* const by = dyn_cast<ConstantInt>(shifted->getOperand(1));
  Type* const type = shifted->getType();
  if (by == nullptr || by->getValue().uge(std::min(bits_of(type), 63u))) return false;
  bool const with_sign = shifted->getOpcode() == Instruction::AShr;
  if (!put(shifted->getOperand(0), with_sign, to)) return false;
  put_constant(static_cast<std::int64_t>(Word{1} << by->getZExtValue()), to);
  to.push_back(of_type(teamsan_bounded_quotient, type, with_sign));
  put_as(type, with_sign, is_signed, to);
  return true;
}

bool Addresses::put_bounded(Word operation, Value* a, Value* b, bool is_signed, Words& to) {
  bool const divides = operation == teamsan_bounded_remainder || operation == teamsan_bounded_quotient;
  if (!put_or_any(a, is_signed, to) || !(divides ? put(b, is_signed, to) : put_or_any(b, is_signed, to))) return false;
  to.push_back(of_type(operation, a->getType(), is_signed));
  return true;
}

bool Addresses::put_or_any(Value* value, bool is_signed, Words& to) {
  Words one;
  if (put(value, is_signed, one)) {
    put_all(one, to);
    return true;
  }
  if (!value->getType()->isIntegerTy() || !is_number(value->getType())) return false;
  to.push_back(of_type(teamsan_bounded_any, value->getType(), is_signed));
  return true;
}

bool Addresses::put_least_or_most(Value* value, bool is_signed, Words& to) {
  Value *a = nullptr, *b = nullptr;
  LeastOrMost const which = is_least_or_most(value, a, b);
  bool const least = which == least_natural || which == least_signed, with_sign = which == least_signed || which == most_signed;
  if (!put_bounded(least ? teamsan_bounded_least : teamsan_bounded_most, a, b, with_sign, to)) return false;
  put_as(value->getType(), with_sign, is_signed, to);
  return true;
}

/// A number that is loaded: of the functor it is known what it holds, of other memory only before the launch.
bool Addresses::put_of_memory(LoadInst* load, bool is_signed, Words& to) {
  unsigned const bits = bits_of(load->getType()), bytes = bits / 8;
  if (!load->isSimple() || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return false;
  Variable const place(load->getPointerOperand(), m_layout);
  auto const shape = [&](bool with_sign) {
    return Word{bytes} << TEAMSAN_AFFINE_BYTES_SHIFT | Word{with_sign || bits == 64} << TEAMSAN_AFFINE_SIGN_SHIFT;
  };
  if (place.base == nullptr) {
    // As comparisons take it that keep some of its numbers alone.
    std::vector<Kept> const kept = m_keeps && load->getType()->isIntegerTy() ? comparisons_of(load) : std::vector<Kept>();
    bool with_sign = is_signed;
    if (std::any_of(kept.begin(), kept.end(), [&](Kept const& k) { return k.is_signed != is_signed; })) with_sign = !is_signed;
    if (!put(load->getPointerOperand(), true, to)) return false;
    to.push_back(teamsan_bounded_load | shape(with_sign));
    put_kept(kept, with_sign, to);
    if (with_sign == is_signed) return true;
    put_as(load->getType(), with_sign, is_signed, to);
    put_kept(kept, is_signed, to);
    return true;
  }
  std::int64_t const from = place.at - m_functor.begin;
  if (place.base != m_functor.variable || !place.known || from < 0 || place.at + bytes > m_functor.end) return false;
  to.push_back(teamsan_affine_functor | shape(is_signed) | static_cast<Word>(from) << TEAMSAN_AFFINE_FROM_SHIFT);
  return true;
}

/// By which comparisons, on all ways from where it was loaded, does control come to where it is asked for? Of numbers of other
/// turns of a loop that says nothing.
std::vector<Addresses::Kept> Addresses::comparisons_of(LoadInst* load) {
  Off const off(m_keeps);
  std::vector<Kept> all;
  DominatorTree const& dominators = m_iterations.dominators();
  for (BasicBlock* at = m_at; at != load->getParent() && m_iterations.is_inside(at) && all.size() < 8;) {
    DomTreeNode const* const above = dominators.getNode(at)->getIDom();
    if (above == nullptr) break;
    at = above->getBlock();
    auto* const branch = dyn_cast<BranchInst>(at->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (BasicBlock* const on : branch->successors())
      if (dominators.dominates(on, m_at) && m_iterations.ways_to(on).size() == 1)
        add_comparison(branch->getCondition(), on == branch->getSuccessor(0), load, 0, all);
  }
  return all;
}

void Addresses::add_comparison(Value* condition, bool holds, LoadInst* load, int depth, std::vector<Kept>& to) {
  using namespace PatternMatch;
  if (depth == 8) return;
  Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) return add_comparison(a, !holds, load, depth + 1, to);
  if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    add_comparison(a, holds, load, depth + 1, to);
    return add_comparison(b, holds, load, depth + 1, to);
  }
  auto* const compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || compare->isEquality()) return;
  bool const with_sign = compare->isSigned();
  CmpInst::Predicate is = holds ? compare->getPredicate() : compare->getInversePredicate();
  for (bool const swapped : {false, true}) {
    Value *one = compare->getOperand(swapped), *const other = compare->getOperand(!swapped);
    while (with_sign ? isa<SExtInst>(one) : isa<ZExtInst>(one)) one = cast<CastInst>(one)->getOperand(0);
    if (one == load) {
      if (swapped) is = CmpInst::getSwappedPredicate(is);
      Kept kept;
      kept.is_signed = with_sign;
      kept.below = is == CmpInst::ICMP_SLT || is == CmpInst::ICMP_SLE || is == CmpInst::ICMP_ULT || is == CmpInst::ICMP_ULE;
      if (!put(other, with_sign, kept.words) || kept.words.size() > 16 || hangs_on_index(kept.words) ||
          has_operation(kept.words, teamsan_bounded_any, teamsan_bounded_past))
        return;
      if (!CmpInst::isNonStrictPredicate(is)) {
        put_constant(kept.below ? -1 : 1, kept.words);
        kept.words.push_back(teamsan_affine_add);
      }
      kept.words.push_back(of_type(kept.below ? teamsan_bounded_least : teamsan_bounded_most, other->getType(), with_sign));
      to.push_back(kept);
      return;
    }
  }
}

void Addresses::put_kept(std::vector<Kept> const& kept, bool is_signed, Words& to) {
  for (Kept const& k : kept)
    if (k.is_signed == is_signed && to.size() < teamsan_affine_most_words / 2) put_all(k.words, to);
}

/// Nothing is known of which way control has come. Where that may be from another iteration, the value must not hang on it.
bool Addresses::put_phi(PHINode* phi, bool is_signed, Words& to) {
  Off const off(m_keeps);
  if (!m_open.insert(phi).second) return false;
  std::vector<Words> all;
  bool known = true;
  SmallVector<BasicBlock*, 4> const ways = m_iterations.ways_to(phi->getParent());
  for (unsigned i = 0; known && i != phi->getNumIncomingValues(); ++i) {
    if (!is_contained(ways, phi->getIncomingBlock(i))) continue;
    all.emplace_back();
    known = put(phi->getIncomingValue(i), is_signed, all.back());
  }
  m_open.erase(phi);
  if (!known || all.empty()) return false;
  if (!m_iterations.is_inside(phi->getParent()))
    for (Words const& one : all)
      if (one != all.front() || hangs_on_iteration(one)) return false;
  return put_either(all, to);
}

bool Addresses::put_either(std::vector<Words> const& all, Words& to) const {
  put_all(all.front(), to);
  for (std::size_t i = 1; i != all.size(); ++i) {
    bool known = false;
    for (std::size_t j = 0; j != i; ++j) known |= all[i] == all[j];
    if (known) continue;
    put_all(all[i], to);
    to.push_back(teamsan_bounded_either);
  }
  return to.size() <= teamsan_affine_most_words;
}

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

/// Two names of one number. What is loaded from memory that nobody writes to is one wherever it is loaded.
bool Addresses::is_same(Value* a, Value* b, bool is_signed) {
  if (a == b) return true;
  Words one, other;
  return put(a, is_signed, one) && put(b, is_signed, other) && one == other &&
         !has_operation(one, teamsan_bounded_any, teamsan_bounded_any) &&
         !has_operation(one, teamsan_bounded_either, teamsan_bounded_counter);
}

}  // namespace teamsan_plugin
