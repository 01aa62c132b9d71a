// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is put in line: the code of a check, and the running thread's state that it looks at.
#pragma once

#include "Llvm.hpp"

#include <string>

namespace teamsan_plugin {

/// A callback of the compiler's pass.
struct Callback {
  unsigned bytes = 0;  ///< 0: it is none
  bool writes = false;
  std::string name() const { return (writes ? "write" : "read") + std::to_string(bytes); }
};
/// Of what is aligned, and not volatile.
Callback callback_of(llvm::CallInst const& call);

/// By the compiler's pass, which has not come yet.
inline bool is_to_be_instrumented(llvm::Function const& f) {
  return f.hasFnAttribute(llvm::Attribute::SanitizeThread) &&
         !f.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation);
}

/// Runs the compiler's pass over the function, which is not to come once more: its first callbacks that have a check, not more
/// than a function may have in line.
llvm::SmallVector<llvm::CallInst*> instrument(llvm::Function& f, llvm::FunctionAnalysisManager& analyses,
                                              llvm::function_ref<bool(llvm::CallInst const&)> has_check);

/// The check of one kind: a function that is made once, put in line in each place, and goes. From the first block to `m_done`,
/// by way of `m_slow` where it does not do.
class CheckCode {
 protected:
  /// Its first argument is the pointer.
  CheckCode(llvm::Module& module, std::string const& name, llvm::ArrayRef<llvm::Type*> more_arguments);
  ~CheckCode() = default;

  llvm::Argument* argument(unsigned n) { return m_function->getArg(n); }
  llvm::BasicBlock* block(char const* name) { return llvm::BasicBlock::Create(m_context, name, m_function); }
  llvm::ConstantInt* number(uint64_t n) { return llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(m_word), n); }
  llvm::ConstantInt* half_number(uint32_t n) { return llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(m_half), n); }
  llvm::Value* and_of(llvm::Value* a, uint64_t bits) { return m_code.CreateAnd(a, llvm::ConstantInt::get(a->getType(), bits)); }
  llvm::Value* memory(llvm::Value* address, uint64_t offset, llvm::Type* type);
  llvm::Value* load(llvm::Type* type, llvm::Value* address, uint64_t offset);
  llvm::Value* load(llvm::Value* address, uint64_t offset) { return load(m_word, address, offset); }
  /// Of the running thread's state.
  llvm::Value* state(unsigned offset, llvm::Type* type);
  void branch(llvm::Value* condition, llvm::BasicBlock* yes, llvm::BasicBlock* no, bool likely = false);
  /// If not, by the slow way.
  void go_on_if(llvm::Value* condition);
  /// The slow way: a call of that function with these arguments; and the end.
  llvm::Function* end(std::string const& callback, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::Module& m_module;
  llvm::LLVMContext& m_context;
  llvm::IRBuilder<> m_code;
  llvm::Type *m_pointer_type, *m_byte, *m_half, *m_word;  ///< of 1, 4 and 8 bytes
  llvm::Function* m_function;
  llvm::BasicBlock *m_slow, *m_done;
  llvm::Value* m_address;
};

/// An address of the check's own, behind an instruction that has the access' line: the runtime looks a call's place up one
/// byte before it. `what` and the number make its text one of a kind, or two would be taken for one.
llvm::Value* place_of(llvm::IRBuilder<>& code, char const* what, unsigned number);

/// The check, in the place of the callback.
void put_in_line(llvm::CallInst* callback, llvm::Function* check, llvm::ArrayRef<llvm::Value*> more_arguments);

}  // namespace teamsan_plugin
