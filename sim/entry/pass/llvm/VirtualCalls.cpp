// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls of virtual functions: the runtime is told of the object before each. On a GPU an object that the host made begins with
/// the address of the host's table of its virtual functions. Where the function is known there is no such call any more.
///
/// Behind the inliner, as a constructor in line may make such a call one of a known function. The front end says of a read that
/// it is of the table's address, unless -fno-strict-aliasing takes its types away.
#include "Marks.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

bool is_of_table(Value* value) {
  auto const* const load = dyn_cast<LoadInst>(value->stripPointerCasts());
  MDNode const* const type = load != nullptr ? load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  return type != nullptr && type->isTBAAVtableAccess();
}

/// nullptr: it calls none.
Value* object_of(CallBase const& call) {
  auto const* const function = dyn_cast<LoadInst>(call.getCalledOperand()->stripPointerCasts());
  if (function == nullptr) return nullptr;
  Value* entry = const_cast<Value*>(function->getPointerOperand())->stripPointerCasts();
  if (auto* const further = dyn_cast<GetElementPtrInst>(entry); further != nullptr && further->hasAllConstantIndices())
    entry = further->getPointerOperand();
  unsigned const self = call.hasStructRetAttr() ? 1 : 0;
  if (!is_of_table(entry) || call.arg_size() <= self) return nullptr;
  Value* const object = call.getArgOperand(self);
  return object->getType()->isPointerTy() ? object : nullptr;
}

}  // namespace

PreservedAnalyses VirtualCalls::run(Function& f, FunctionAnalysisManager&) {
  if (!f.hasFnAttribute(Attribute::SanitizeThread) || f.hasFnAttribute(plain_body)) return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction& i : instructions(f)) {
    auto* const call = dyn_cast<CallBase>(&i);
    Value* const object = call != nullptr ? object_of(*call) : nullptr;
    if (object == nullptr) continue;
    IRBuilder<> b(call);
    Type* const pointer = PointerType::get(b.getInt8Ty(), 0);
    // void __teamsan_virtual_call(void const* object)
    FunctionCallee told = f.getParent()->getOrInsertFunction("__teamsan_virtual_call", b.getVoidTy(), pointer);
    cast<Function>(told.getCallee())->setDoesNotThrow();
    b.CreateCall(told, b.CreatePointerCast(object, pointer));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace teamsan_plugin
