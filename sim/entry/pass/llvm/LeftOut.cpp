// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the compiler's own pass for ThreadSanitizer leaves out: loads and stores that are not of 1, 2, 4, 8 or 16 bytes
/// (structs of 3, 5, 6 and 7 bytes, packed bit-fields, `long double`, wide vectors), and a struct that a call takes by value
/// from memory, where the copy is the call's (`g(v(i))`). Each becomes a call of a callback, with the line of the access.
#include "Code.hpp"
#include "Marks.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

struct Range {
  Instruction* at = nullptr;
  Value* address = nullptr;
  uint64_t bytes = 0;
  bool writes = false;
};

/// It may be anybody's: no variable of the function's own, and no constant.
bool is_shared(Value const* address) {
  Value const* const of = getUnderlyingObject(address, 0);
  if (auto const* const variable = dyn_cast<GlobalVariable>(of)) return !variable->isConstant();
  return !isa<AllocaInst>(of) && address->getType()->getPointerAddressSpace() == 0 && !address->isSwiftError();
}

uint64_t bytes_of(Type* type, DataLayout const& layout) {
  TypeSize const size = layout.getTypeStoreSize(type);
  return size.isScalable() ? 0 : size.getKnownMinValue();
}

bool is_left_out(Instruction const& i, uint64_t bytes) {
  return bytes != 0 && (bytes > 16 || !isPowerOf2_64(bytes)) && !i.isAtomic() && is_shared(getLoadStorePointerOperand(&i));
}

SmallVector<Range> left_out(Function& f) {
  DataLayout const& layout = f.getParent()->getDataLayout();
  SmallVector<Range> all;
  for (Instruction& i : instructions(f)) {
    if (isa<LoadInst>(i) || isa<StoreInst>(i)) {
      uint64_t const bytes = bytes_of(getLoadStoreType(&i), layout);
      if (is_left_out(i, bytes)) all.push_back({&i, getLoadStorePointerOperand(&i), bytes, isa<StoreInst>(i)});
    } else if (auto* const call = dyn_cast<CallBase>(&i)) {
      for (unsigned n = 0; n != call->arg_size(); ++n)
        if (call->isByValArgument(n) && is_shared(call->getArgOperand(n)))
          all.push_back({&i, call->getArgOperand(n), bytes_of(call->getParamByValType(n), layout), false});
    }
  }
  return all;
}

}  // namespace

PreservedAnalyses LeftOut::run(Module& module, ModuleAnalysisManager&) {
  LLVMContext& context = module.getContext();
  Type* const pointer = PointerType::get(Type::getInt8Ty(context), 0);
  Type* const size = Type::getInt64Ty(context);
  for (Function& f : module) {
    if (f.isDeclaration() || !is_to_be_instrumented(f)) continue;
    for (Range const& range : left_out(f)) {
      FunctionCallee callback = module.getOrInsertFunction(range.writes ? "__tsan_write_range" : "__tsan_read_range",
                                                           Type::getVoidTy(context), pointer, size);
      if (auto* const to = dyn_cast<Function>(callback.getCallee())) to->setDoesNotThrow();
      IRBuilder<> code(range.at);
      code.CreateCall(callback, {code.CreateBitCast(range.address, pointer), ConstantInt::get(size, range.bytes)});
    }
  }
  return PreservedAnalyses::none();
}

}  // namespace teamsan_plugin
