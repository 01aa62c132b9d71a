// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks in line, of what a flat kernel's checked bodies access: the compiler's pass for ThreadSanitizer runs over these here,
/// and its calls are taken, so that what is checked is the same by either door. In line is what most accesses of a flat
/// launch's lanes meet (check/FlatAccess.hpp: read_at, write_at), by the numbers of entry/pass/Abi.h: an instruction that may
/// go there, and words that nobody touched in the launch, that are only read by many, or that are the lane's own. All else is a
/// call, of the callback with the place of the check, which looks at everything again. (gcc/Checks.cpp is the same for GCC.)
///
/// The place is an address of the check's own, behind an instruction that has the access' line: the runtime looks a call's
/// place up one byte before it.
#include "../Abi.h"
#include "Marks.hpp"

#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <string>

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// So many of a function, and no more: each takes some 50 instructions.
constexpr unsigned most_in_a_function = 256;

struct Kind {
  unsigned bytes = 0;  ///< 4, 8, 16; 0: it is none
  bool writes = false;
  std::string name() const { return (writes ? "write" : "read") + std::to_string(bytes); }
};
Kind kind_of(CallInst const& call) {
  Function const* const to = call.getCalledFunction();
  if (to == nullptr) return {};
  for (unsigned const bytes : {4u, 8u, 16u})
    for (bool const writes : {false, true})
      if (Kind const kind{bytes, writes}; to->getName() == "__tsan_" + kind.name()) return kind;
  return {};
}

/// The check of one kind, as a function that is put in line in each place: of the pointer, the place, the record's offset among
/// the sites, the number.
class Check {
 public:
  Check(Module& module, Kind kind) : m_module(module), m_context(module.getContext()), m_kind(kind), m_code(m_context) {}

  Function* make() {
    Type* const none = Type::getVoidTy(m_context);
    m_pointer_type = PointerType::get(Type::getInt8Ty(m_context), 0);
    m_word = Type::getInt64Ty(m_context);
    Type* const number_type = Type::getInt32Ty(m_context);
    FunctionCallee callback =
        m_module.getOrInsertFunction("__teamsan_" + m_kind.name(), none, m_pointer_type, m_word, number_type);
    cast<Function>(callback.getCallee())->setDoesNotThrow();
    auto* const type = FunctionType::get(none, {m_pointer_type, m_word, m_word, number_type}, false);
    m_function = Function::Create(type, GlobalValue::InternalLinkage, "teamsan.check." + m_kind.name(), m_module);
    Argument *const pointer = m_function->getArg(0), *const place = m_function->getArg(1);
    m_record = m_function->getArg(2);
    BasicBlock* const begin = block("begin");
    m_slow = block("slow");
    m_done = block("done");
    m_code.SetInsertPoint(begin);
    m_address = m_code.CreatePtrToInt(pointer, m_word);
    m_site = m_code.CreateAdd(state(teamsan_hot_flat_sites, m_word), m_record);
    // Turned, what is not aligned has high bits.
    Value* const from = m_code.CreateSub(m_address, of_site(0));
    unsigned const log_bytes = Log2_32(m_kind.bytes);
    Value* const index = m_code.CreateOr(m_code.CreateLShr(from, log_bytes), m_code.CreateShl(from, 64 - log_bytes));
    go_on_if(m_code.CreateICmpULT(index, of_site(8)));
    go_on_if(m_code.CreateICmpEQ(of_site(24), place));
    look_at_holds();
    m_cell = m_code.CreateAdd(m_code.CreateShl(m_address, 1), number(TEAMSAN_FLAT_CELLS));
    m_known = load(m_cell, 0);
    for (unsigned i = 1; i != words(); ++i) go_on_if(m_code.CreateICmpEQ(load(m_cell, 8 * i), m_known));
    m_mine = state(teamsan_hot_flat_word, m_word);
    m_difference = m_code.CreateXor(m_known, m_mine);
    BasicBlock *const untouched = block("untouched"), *const touched = block("touched");
    branch(m_code.CreateICmpNE(and_of(m_difference, TEAMSAN_FLAT_LAUNCH), number(0)), untouched, touched);
    m_code.SetInsertPoint(untouched);
    m_kind.writes ? first_write() : first_read();
    m_code.SetInsertPoint(touched);
    m_kind.writes ? further_write() : further_read();
    m_code.SetInsertPoint(m_slow);
    m_code.CreateCall(callback, {pointer, place, m_function->getArg(3)});
    m_code.CreateBr(m_done);
    m_code.SetInsertPoint(m_done);
    m_code.CreateRetVoid();
    return m_function;
  }

 private:
  unsigned words() const { return m_kind.bytes / 4; }
  BasicBlock* block(char const* name) { return BasicBlock::Create(m_context, name, m_function); }
  ConstantInt* number(uint64_t n) { return ConstantInt::get(cast<IntegerType>(m_word), n); }
  Value* and_of(Value* a, uint64_t bits) { return m_code.CreateAnd(a, number(bits)); }
  Value* memory(Value* address, uint64_t offset, Type* type) {
    return m_code.CreateIntToPtr(m_code.CreateAdd(address, number(offset)), PointerType::get(type, 0));
  }
  Value* load(Value* address, uint64_t offset) { return m_code.CreateLoad(m_word, memory(address, offset, m_word)); }
  Value* of_site(uint64_t offset) { return load(m_site, offset); }
  Value* place_bits() { return of_site(16); }

  /// Of the running thread's state.
  Value* state(unsigned offset, Type* type) {
    GlobalVariable* variable = m_module.getNamedGlobal(TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE));
    if (variable == nullptr)
      variable = new GlobalVariable(m_module, ArrayType::get(Type::getInt8Ty(m_context), teamsan_hot_bytes), false,
                                    GlobalValue::ExternalLinkage, nullptr, TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE), nullptr,
                                    GlobalValue::InitialExecTLSModel);
    Value* const begin = m_code.CreateBitCast(variable, m_pointer_type);
    Value* const at = m_code.CreateConstGEP1_32(Type::getInt8Ty(m_context), begin, offset);
    return m_code.CreateLoad(type, m_code.CreateBitCast(at, PointerType::get(type, 0)));
  }

  void branch(Value* condition, BasicBlock* yes, BasicBlock* no, bool likely = false) {
    MDNode* const weights = likely ? MDBuilder(m_context).createBranchWeights(1000, 1) : nullptr;
    m_code.CreateCondBr(condition, yes, no, weights);
  }
  void go_on_if(Value* condition) {
    BasicBlock* const next = block("next");
    branch(condition, next, m_slow, true);
    m_code.SetInsertPoint(next);
  }

  /// Among several workers: where this one alone joins words.
  void look_at_holds() {
    BasicBlock *const shared = block("shared"), *const held = block("held");
    Type* const byte = Type::getInt8Ty(m_context);
    branch(m_code.CreateICmpEQ(state(teamsan_hot_flat_shared, byte), ConstantInt::get(byte, 0)), held, shared, true);
    m_code.SetInsertPoint(shared);
    Value* const stretch =
        m_code.CreateLShr(m_code.CreateSub(m_address, number(TEAMSAN_FLAT_DEVICE)), TEAMSAN_FLAT_STRETCH_SHIFT);
    Value* const mark = load(m_code.CreateShl(stretch, 3), TEAMSAN_FLAT_HOLDS);
    branch(m_code.CreateICmpEQ(mark, state(teamsan_hot_flat_mark, m_word)), held, m_slow, true);
    m_code.SetInsertPoint(held);
  }

  void put(Value* next) {
    for (unsigned i = 0; i != words(); ++i) m_code.CreateStore(next, memory(m_cell, 8 * i, m_word));
    m_code.CreateBr(m_done);
  }
  /// Bytes that are written by now, at the lowest bits.
  Value* written() {
    return and_of(m_code.CreateOr(m_code.CreateLShr(m_known, TEAMSAN_FLAT_INIT_SHIFT),
                                  m_code.CreateLShr(m_known, TEAMSAN_FLAT_WRITTEN_SHIFT)),
                  15);
  }
  void first_read() {
    go_on_if(m_code.CreateICmpEQ(written(), number(15)));
    put(m_code.CreateOr(m_code.CreateOr(m_mine, place_bits()), number(TEAMSAN_FLAT_INIT | TEAMSAN_FLAT_READ)));
  }
  void first_write() {
    Value* const before = m_code.CreateShl(written(), TEAMSAN_FLAT_INIT_SHIFT);
    put(m_code.CreateOr(m_code.CreateOr(m_code.CreateOr(m_mine, place_bits()), before), number(TEAMSAN_FLAT_WRITTEN)));
  }
  /// By many before: lanes come in their order, and the first two are known. By one other lane: it is the second.
  void further_read() {
    constexpr auto asked = TEAMSAN_FLAT_FLAT | TEAMSAN_FLAT_WRITTEN | TEAMSAN_FLAT_ASIDE | TEAMSAN_FLAT_BUSY;
    go_on_if(m_code.CreateICmpEQ(and_of(m_known, asked), number(TEAMSAN_FLAT_FLAT)));
    BasicBlock* const of_one = block("of_one");
    branch(m_code.CreateICmpNE(and_of(m_known, TEAMSAN_FLAT_MANY), number(0)), m_done, of_one);
    m_code.SetInsertPoint(of_one);
    go_on_if(m_code.CreateICmpNE(and_of(m_difference, TEAMSAN_FLAT_LANE), number(0)));
    Type* const lane_type = Type::getInt32Ty(m_context);
    Value* const lane = state(teamsan_hot_flat_lane, lane_type);
    for (unsigned i = 0; i != words(); ++i) m_code.CreateStore(lane, memory(m_address, TEAMSAN_FLAT_EXTRAS + 4 * i, lane_type));
    Value* const second = m_code.CreateShl(place_bits(), TEAMSAN_FLAT_SECOND_PLACE_SHIFT);
    put(m_code.CreateOr(m_code.CreateOr(m_known, second), number(TEAMSAN_FLAT_MANY)));
  }
  void further_write() {
    constexpr auto others = TEAMSAN_FLAT_FLAT | TEAMSAN_FLAT_LAUNCH | TEAMSAN_FLAT_LANE | TEAMSAN_FLAT_MANY |
                            TEAMSAN_FLAT_ASIDE | TEAMSAN_FLAT_ATOMIC | TEAMSAN_FLAT_BUSY;
    go_on_if(m_code.CreateICmpEQ(and_of(m_difference, others), number(0)));
    BasicBlock* const read = block("read");
    branch(m_code.CreateICmpNE(and_of(m_known, TEAMSAN_FLAT_WRITTEN), number(0)), m_done, read);
    m_code.SetInsertPoint(read);
    Value* const second = m_code.CreateShl(and_of(m_known, TEAMSAN_FLAT_FIRST_PLACE), TEAMSAN_FLAT_SECOND_PLACE_SHIFT);
    Value* const places = m_code.CreateOr(second, place_bits());
    put(m_code.CreateOr(m_code.CreateOr(and_of(m_known, ~TEAMSAN_FLAT_PLACES), places), number(TEAMSAN_FLAT_WRITTEN)));
  }

  Module& m_module;
  LLVMContext& m_context;
  Kind const m_kind;
  IRBuilder<> m_code;
  Type *m_pointer_type = nullptr, *m_word = nullptr;
  Function* m_function = nullptr;
  BasicBlock *m_slow = nullptr, *m_done = nullptr;
  Value *m_record = nullptr, *m_site = nullptr, *m_address = nullptr, *m_cell = nullptr;
  Value *m_known = nullptr, *m_mine = nullptr, *m_difference = nullptr;
};

/// Each its own text, or two would be taken for one.
Value* place_of(IRBuilder<>& code, unsigned number) {
  std::string const text = "leaq 0f(%rip), $0 # " + std::to_string(number) + "\n0:";
  return code.CreateCall(InlineAsm::get(FunctionType::get(code.getInt64Ty(), false), text, "=r", true));
}

}  // namespace

PreservedAnalyses Checks::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::map<std::string, Function*> checks;
  unsigned numbers = 0;
  for (Function& f : module) {
    if (f.isDeclaration() || !f.hasFnAttribute(flat_body) || !f.hasFnAttribute(Attribute::SanitizeThread)) continue;
    if (f.hasFnAttribute(Attribute::DisableSanitizerInstrumentation)) continue;
    ThreadSanitizerPass().run(f, of_functions);
    f.addFnAttr(Attribute::DisableSanitizerInstrumentation);  // the compiler comes once more
    SmallVector<CallInst*> calls;
    for (Instruction& i : instructions(f))
      if (auto* const call = dyn_cast<CallInst>(&i); call != nullptr && kind_of(*call).bytes != 0)
        if (calls.size() != most_in_a_function) calls.push_back(call);
    for (CallInst* const call : calls) {
      Kind const kind = kind_of(*call);
      Function*& check = checks[kind.name()];
      if (check == nullptr) check = Check(module, kind).make();
      IRBuilder<> code(call);
      Value* const record = code.getInt64(numbers % teamsan_flat_sites * sizeof(teamsan_flat_site));
      Value* const pointer = code.CreateBitCast(call->getArgOperand(0), PointerType::get(code.getInt8Ty(), 0));
      CallInst* const in_line = code.CreateCall(check, {pointer, place_of(code, numbers), record, code.getInt32(numbers)});
      call->eraseFromParent();
      InlineFunctionInfo info;
      InlineFunction(*in_line, info);
      ++numbers;
    }
    of_functions.invalidate(f, PreservedAnalyses::none());
  }
  for (auto const& [name, check] : checks) check->eraseFromParent();
  return PreservedAnalyses::none();
}

}  // namespace teamsan_plugin
