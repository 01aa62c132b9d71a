// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Code.hpp"

#include "../Abi.h"

#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// So many checks of a function, and no more: each takes some 50 instructions.
constexpr unsigned most_in_a_function = 256;

}  // namespace

Callback callback_of(CallInst const& call) {
  Function const* const to = call.getCalledFunction();
  if (to == nullptr) return {};
  for (unsigned const bytes : {1u, 2u, 4u, 8u, 16u})
    for (bool const writes : {false, true})
      if (Callback const one{bytes, writes}; to->getName() == "__tsan_" + one.name()) return one;
  return {};
}

SmallVector<CallInst*> instrument(Function& f, FunctionAnalysisManager& analyses,
                                  function_ref<bool(CallInst const&)> has_check) {
  ThreadSanitizerPass().run(f, analyses);
  f.addFnAttr(Attribute::DisableSanitizerInstrumentation);  // the compiler comes once more
  SmallVector<CallInst*> callbacks;
  for (Instruction& i : instructions(f))
    if (auto* const call = dyn_cast<CallInst>(&i); call != nullptr && callbacks.size() != most_in_a_function)
      if (callback_of(*call).bytes != 0 && has_check(*call)) callbacks.push_back(call);
  return callbacks;
}

CheckCode::CheckCode(Module& module, std::string const& name, ArrayRef<Type*> more_arguments)
    : m_module(module),
      m_context(module.getContext()),
      m_code(m_context),
      m_pointer_type(PointerType::get(Type::getInt8Ty(m_context), 0)),
      m_byte(Type::getInt8Ty(m_context)),
      m_half(Type::getInt32Ty(m_context)),
      m_word(Type::getInt64Ty(m_context)) {
  SmallVector<Type*> arguments = {m_pointer_type};
  arguments.append(more_arguments.begin(), more_arguments.end());
  auto* const type = FunctionType::get(Type::getVoidTy(m_context), arguments, false);
  m_function = Function::Create(type, GlobalValue::InternalLinkage, "teamsan.check." + name, m_module);
  m_code.SetInsertPoint(block("begin"));
  m_slow = block("slow");
  m_done = block("done");
  m_address = m_code.CreatePtrToInt(argument(0), m_word);
}

Value* CheckCode::memory(Value* address, uint64_t offset, Type* type) {
  return m_code.CreateIntToPtr(m_code.CreateAdd(address, number(offset)), PointerType::get(type, 0));
}

Value* CheckCode::load(Type* type, Value* address, uint64_t offset) {
  return m_code.CreateLoad(type, memory(address, offset, type));
}

Value* CheckCode::state(unsigned offset, Type* type) {
  GlobalVariable* variable = m_module.getNamedGlobal(TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE));
  if (variable == nullptr)
    variable = new GlobalVariable(m_module, ArrayType::get(m_byte, teamsan_hot_bytes), false, GlobalValue::ExternalLinkage,
                                  nullptr, TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE), nullptr, GlobalValue::InitialExecTLSModel);
  Value* const at = m_code.CreateConstGEP1_32(m_byte, m_code.CreateBitCast(variable, m_pointer_type), offset);
  return m_code.CreateLoad(type, m_code.CreateBitCast(at, PointerType::get(type, 0)));
}

void CheckCode::branch(Value* condition, BasicBlock* yes, BasicBlock* no, bool likely) {
  MDNode* const weights = likely ? MDBuilder(m_context).createBranchWeights(1000, 1) : nullptr;
  m_code.CreateCondBr(condition, yes, no, weights);
}

void CheckCode::go_on_if(Value* condition) {
  BasicBlock* const next = block("next");
  branch(condition, next, m_slow, true);
  m_code.SetInsertPoint(next);
}

Function* CheckCode::end(std::string const& callback, ArrayRef<Value*> arguments) {
  SmallVector<Type*> types;
  for (Value const* const argument : arguments) types.push_back(argument->getType());
  FunctionCallee to = m_module.getOrInsertFunction(callback, FunctionType::get(Type::getVoidTy(m_context), types, false));
  if (auto* const f = dyn_cast<Function>(to.getCallee())) f->setDoesNotThrow();
  m_code.SetInsertPoint(m_slow);
  m_code.CreateCall(to, arguments);
  m_code.CreateBr(m_done);
  m_code.SetInsertPoint(m_done);
  m_code.CreateRetVoid();
  return m_function;
}

Value* place_of(IRBuilder<>& code, char const* what, unsigned number) {
  std::string const text = "leaq 0f(%rip), $0 # " + (what + std::to_string(number)) + "\n0:";
  return code.CreateCall(InlineAsm::get(FunctionType::get(code.getInt64Ty(), false), text, "=r", true));
}

void put_in_line(CallInst* callback, Function* check, ArrayRef<Value*> more_arguments) {
  IRBuilder<> code(callback);
  SmallVector<Value*> arguments = {code.CreateBitCast(callback->getArgOperand(0), check->getArg(0)->getType())};
  arguments.append(more_arguments.begin(), more_arguments.end());
  CallInst* const in_line = code.CreateCall(check, arguments);
  callback->eraseFromParent();
  InlineFunctionInfo info;
  InlineFunction(*in_line, info);
}

}  // namespace teamsan_plugin
