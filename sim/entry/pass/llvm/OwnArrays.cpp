// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An index outside an array that is a function's own variable, or a member of one: nobody is told of such accesses by the
/// compiler's own pass, since no other lane can see them. Where the index is not known to lie inside, it is compared with the
/// array's length; if it lies outside, the runtime tells so, and of a lane's the access goes to the first element, so that the
/// lane's stack stays whole. An array of arrays is one: what runs from one row into the next stays silent.
///
/// Once for each function, when what it calls is in line for the first time, since small functions (Kokkos::Array's operator[])
/// have the variable as their object, and before its loops are unrolled. (gcc/OwnArrays.cpp is the same for GCC.)
#include "Marks.hpp"

#include <algorithm>

namespace teamsan_plugin {

using namespace llvm;

namespace {

constexpr char tells[] = "__teamsan_own_index";
constexpr char seen[] = "teamsan-own-arrays-seen";
constexpr char compared[] = "teamsan-own-arrays-compared";

/// Arrays of arrays on the way of an address: operands of the instruction by number, from the outermost one.
struct Rows {
  SmallVector<unsigned, 4> indices;
  SmallVector<std::uint64_t, 4> lengths;
  std::uint64_t elements = 1, bytes = 0;
  bool may_be_longer = false;
};

/// Accesses of one block to one place in a variable.
struct Element {
  GetElementPtrInst* address;
  SmallVector<Rows, 2> arrays;  ///< those of which it is not known that the index lies inside
  SmallVector<Instruction*, 4> accesses = {};
  bool writes = false;
};

Type* type_of(Value* variable) {
  if (auto const* const own = dyn_cast<AllocaInst>(variable))
    return own->isArrayAllocation() ? nullptr : own->getAllocatedType();
  auto const* const argument = dyn_cast<Argument>(variable);
  return argument != nullptr ? argument->getParamByValType() : nullptr;
}

bool is_union(Type* type) {
  auto const* const one = dyn_cast<StructType>(type);
  return one != nullptr && one->hasName() && one->getName().substr(0, 6) == "union.";
}

/// The address in a variable that the pointer is a constant distance from, or nullptr.
GetElementPtrInst* address_in_variable(Value* pointer) {
  for (int depth = 0; depth != 8; ++depth) {
    if (auto* const cast = dyn_cast<BitCastInst>(pointer)) {
      pointer = cast->getOperand(0);
      continue;
    }
    auto* const further = dyn_cast<GetElementPtrInst>(pointer);
    if (further == nullptr || further->getType()->isVectorTy()) return nullptr;
    if (type_of(further->getPointerOperand()) == further->getSourceElementType()) return further;
    if (!further->hasAllConstantIndices()) return nullptr;
    pointer = further->getPointerOperand();
  }
  return nullptr;
}

/// An index that was compared already, in a function that is in line here.
bool is_compared(Value* value, int depth = 0) {
  auto* const i = dyn_cast<Instruction>(value);
  if (i == nullptr || depth == 5) return false;
  if (auto const* const call = dyn_cast<CallInst>(i))
    return call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == tells;
  if (!isa<PHINode>(i) && !isa<CastInst>(i) && !isa<SelectInst>(i) && i->getOpcode() != Instruction::Mul) return false;
  return any_of(i->operands(), [&](Value* operand) { return is_compared(operand, depth + 1); });
}

class Body {
 public:
  Body(Function& f, FunctionAnalysisManager& analyses)
      : m_function(f), m_analyses(analyses), m_layout(f.getParent()->getDataLayout()) {}

  bool compare() {
    std::vector<Element> all;
    for (BasicBlock& b : m_function) {
      std::size_t const first = all.size();
      for (Instruction& i : b) add(i, first, all);
    }
    for (Element const& e : all) put_before(e);
    return !all.empty();
  }

 private:
  void add(Instruction& i, std::size_t first, std::vector<Element>& to) {
    Value* const pointer = getLoadStorePointerOperand(&i);
    GetElementPtrInst* const address = pointer != nullptr ? address_in_variable(pointer) : nullptr;
    if (address == nullptr) return;
    auto const same = std::find_if(to.begin() + static_cast<std::ptrdiff_t>(first), to.end(), [&](Element const& e) {
      return e.address == address || e.address->isIdenticalTo(address);
    });
    if (same != to.end()) {
      same->accesses.push_back(&i);
      same->writes |= isa<StoreInst>(i);
      return;
    }
    Element e{address, {}, {&i}, isa<StoreInst>(i)};
    for (Rows const& rows : arrays_of(*address))
      if (!rows.may_be_longer && !lies_inside(*address, rows, i)) e.arrays.push_back(rows);
    if (!e.arrays.empty()) to.push_back(e);
  }

  SmallVector<Rows, 2> arrays_of(GetElementPtrInst& address) const {
    SmallVector<Rows, 2> all;
    auto const* const from = dyn_cast<ConstantInt>(address.getOperand(1));
    if (from == nullptr || !from->isZero()) return all;
    bool in_union = false, in_array = false;
    for (unsigned number = 2; number != address.getNumOperands(); ++number) {
      SmallVector<Value*, 8> const before(address.op_begin() + 1, address.op_begin() + number);
      Type* const type = GetElementPtrInst::getIndexedType(address.getSourceElementType(), before);
      auto* const array = dyn_cast<ArrayType>(type);
      in_union |= is_union(type);
      if (array != nullptr && !in_array) all.emplace_back();
      in_array = array != nullptr;
      if (!in_array) continue;
      Rows& rows = all.back();
      rows.indices.push_back(number);
      rows.lengths.push_back(array->getNumElements());
      rows.elements *= array->getNumElements();
      rows.bytes = static_cast<std::uint64_t>(m_layout.getTypeAllocSize(array->getElementType()));
      // A member of one element, before there were others a way to name what lies behind it; and what has several names.
      bool const is_member = rows.indices.front() != 2;
      rows.may_be_longer = in_union || rows.elements == 0 || (rows.elements == 1 && is_member);
    }
    return all;
  }

  bool lies_inside(GetElementPtrInst& address, Rows const& rows, Instruction& at) {
    for (std::size_t n = 0; n != rows.indices.size(); ++n) {
      Value* const index = address.getOperand(rows.indices[n]);
      if (auto const* const number = dyn_cast<ConstantInt>(index)) {
        if (number->getValue().uge(rows.lengths[n])) return false;
        continue;
      }
      if (is_compared(index)) continue;
      auto& evolution = m_analyses.getResult<ScalarEvolutionAnalysis>(m_function);
      SCEV const* const value = evolution.getSCEV(index);
      SCEV const* const length = evolution.getConstant(index->getType(), rows.lengths[n]);
      if (!evolution.isKnownPredicateAt(CmpInst::ICMP_ULT, value, length, &at)) return false;
    }
    return true;
  }

  void put_before(Element const& e) {
    SmallVector<Value*, 8> indices(e.address->idx_begin(), e.address->idx_end());
    Instruction* const at = e.accesses.front();
    for (Rows const& rows : e.arrays) put_comparison(e, rows, *at, indices);
    IRBuilder<> b(at);
    auto* const now = cast<GetElementPtrInst>(e.address->clone());
    for (std::size_t n = 0; n != indices.size(); ++n) now->setOperand(static_cast<unsigned>(n + 1), indices[n]);
    b.Insert(now);
    for (Instruction* const access : e.accesses) {
      unsigned const operand = isa<StoreInst>(access) ? 1 : 0;
      access->setOperand(operand, again(access->getOperand(operand), *now, access));
    }
  }
  /// The pointer, a constant distance from another address.
  static Value* again(Value* pointer, GetElementPtrInst& now, Instruction* before) {
    auto* const i = cast<Instruction>(pointer);
    if (auto* const further = dyn_cast<GetElementPtrInst>(i);
        further != nullptr && type_of(further->getPointerOperand()) == further->getSourceElementType())
      return &now;
    Value* const from = again(i->getOperand(0), now, before);
    Instruction* const copy = i->clone();
    copy->setOperand(0, from);
    copy->insertBefore(before);
    return copy;
  }

  void put_comparison(Element const& e, Rows const& rows, Instruction& at, SmallVectorImpl<Value*>& indices) {
    IRBuilder<> b(&at);
    // The number of the element in all rows.
    Value* all = nullptr;
    for (std::size_t n = 0; n != rows.indices.size(); ++n) {
      Value* const index = b.CreateSExtOrTrunc(indices[rows.indices[n] - 1], b.getInt64Ty());
      all = all == nullptr ? index : b.CreateAdd(b.CreateMul(all, b.getInt64(rows.lengths[n])), index);
    }
    Value* const outside = b.CreateICmpUGE(all, b.getInt64(rows.elements));
    BasicBlock* const before = at.getParent();
    Instruction* const then =
        SplitBlockAndInsertIfThen(outside, &at, false, MDBuilder(b.getContext()).createBranchWeights(1, 100000));
    b.SetInsertPoint(then);
    b.SetCurrentDebugLocation(at.getDebugLoc());
    // long long __teamsan_own_index(long long index, long long elements, unsigned long long bytes_and_kind, char const* name):
    // 1: the index stays as it is.
    Type* const pointer = PointerType::get(b.getInt8Ty(), 0);
    FunctionCallee told = m_function.getParent()->getOrInsertFunction(
        tells, b.getInt64Ty(), b.getInt64Ty(), b.getInt64Ty(), b.getInt64Ty(), pointer);
    cast<Function>(told.getCallee())->setDoesNotThrow();
    Value* const stays = b.CreateCall(told, {all, b.getInt64(rows.elements), b.getInt64(rows.bytes << 1 | e.writes),
                                             b.CreateGlobalStringPtr(name_of(e, rows))});
    SmallVector<std::pair<unsigned, Value*>, 4> kept;
    for (unsigned const number : rows.indices) {
      Value* const index = indices[number - 1];
      kept.emplace_back(number, b.CreateMul(index, b.CreateZExtOrTrunc(stays, index->getType())));
    }
    b.SetInsertPoint(at.getParent(), at.getParent()->begin());
    for (auto const& [number, value] : kept) {
      PHINode* const now = b.CreatePHI(value->getType(), 2);
      now->addIncoming(indices[number - 1], before);
      now->addIncoming(value, then->getParent());
      indices[number - 1] = now;
    }
  }

  /// Of a variable that is the array, or holds nothing else; as the front end named it, if it did.
  std::string name_of(Element const& e, Rows const& rows) const {
    Value const* const variable = e.address->getPointerOperand();
    auto const whole = static_cast<std::uint64_t>(m_layout.getTypeAllocSize(e.address->getSourceElementType()));
    StringRef const name = variable->getName().split('.').first;
    if (whole != rows.elements * rows.bytes || name == "ref" || name == "agg") return {};
    return name.str();
  }

  Function& m_function;
  FunctionAnalysisManager& m_analyses;
  DataLayout const& m_layout;
};

}  // namespace

PreservedAnalyses OwnArrays::run(Function& f, FunctionAnalysisManager& analyses) {
  if (!f.hasFnAttribute(Attribute::SanitizeThread) || f.hasFnAttribute(plain_body)) return PreservedAnalyses::all();
  if (f.hasFnAttribute(compared)) return PreservedAnalyses::all();
  // First the compiler comes by when nothing is in line yet.
  bool const in_line = f.hasFnAttribute(seen);
  f.addFnAttr(in_line ? compared : seen);
  return in_line && Body(f, analyses).compare() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace teamsan_plugin
