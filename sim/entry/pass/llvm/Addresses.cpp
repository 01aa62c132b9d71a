// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Addresses.hpp"

#include <algorithm>

namespace teamsan_plugin {

using namespace llvm;

namespace {

bool is_number(Type const* type) {
  if (type->isPointerTy()) return type->getPointerAddressSpace() == 0;
  return type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
}

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
  return sized(operation, bits_of(type), is_signed);
}
void Addresses::put_fit(Type* type, bool is_signed, Words& to) const {
  teamsan_plugin::put_fit(bits_of(type), is_signed, to);
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
  put_with(teamsan_affine_add, more, to);
  return true;
}

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
    put_index(axis, to);
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
    if (stride != 1) put_with(teamsan_affine_multiply, stride, to);
    to.push_back(teamsan_affine_add);
  }
  if (constant != 0) put_with(teamsan_affine_add, constant, to);
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
      put_with(teamsan_affine_multiply, static_cast<std::int64_t>(Word{1} << number->getZExtValue()), to);
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
      Word const whole = divides && operation->isExact() ? TEAMSAN_QUOTIENT_EXACT : Word{0};
      Word const which = (divides ? teamsan_bounded_quotient : teamsan_bounded_remainder) | whole;
      if (!put_bounded(which, a, b, with_sign, to)) return false;
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
  put_with(of_type(teamsan_bounded_quotient, type, with_sign), static_cast<std::int64_t>(Word{1} << by->getZExtValue()), to);
  put_as(type, with_sign, is_signed, to);
  return true;
}

bool Addresses::put_bounded(Word operation, Value* a, Value* b, bool is_signed, Words& to) {
  Word const which = operation & 0xff;
  bool const divides = which == teamsan_bounded_remainder || which == teamsan_bounded_quotient;
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
  if (place.base == nullptr) {
    // As comparisons take it that keep some of its numbers alone.
    std::vector<Kept> const kept = m_keeps && load->getType()->isIntegerTy() ? comparisons_of(load) : std::vector<Kept>();
    bool with_sign = is_signed;
    if (std::any_of(kept.begin(), kept.end(), [&](Kept const& k) { return k.is_signed != is_signed; })) with_sign = !is_signed;
    if (!put(load->getPointerOperand(), true, to)) return false;
    to.push_back(sized(teamsan_bounded_load, bytes, with_sign || bits == 64));
    put_kept(kept, with_sign, to);
    if (with_sign == is_signed) return true;
    put_as(load->getType(), with_sign, is_signed, to);
    put_kept(kept, is_signed, to);
    return true;
  }
  std::int64_t const from = place.at - m_functor.begin;
  if (place.base != m_functor.variable || !place.known || from < 0 || place.at + bytes > m_functor.end) return false;
  put_of_functor(bytes, is_signed || bits == 64, static_cast<Word>(from), to);
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
      Words bound;
      if (!put(other, with_sign, bound) || !can_keep(bound)) return;
      teamsan_plugin::put_kept(kept.below, CmpInst::isNonStrictPredicate(is), bound, bits_of(other->getType()), with_sign,
                               kept.words);
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

bool Addresses::is_same(Value* a, Value* b, bool is_signed) {
  if (a == b) return true;
  Words one, other;
  return put(a, is_signed, one) && put(b, is_signed, other) && are_one(one, other);
}

}  // namespace teamsan_plugin
