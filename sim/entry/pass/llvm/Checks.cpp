// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks in line, of what a flat kernel's checked bodies access: the compiler's pass for ThreadSanitizer runs over these here,
/// and its calls are taken, so that what is checked is the same by either door. In line is what most accesses of a flat
/// launch's lanes meet (check/FlatAccess.hpp: read_at, write_at), by the numbers of entry/pass/Abi.h: an instruction that may
/// go there, and words that nobody touched in the launch, that are only read by many, or that are the lane's own. All else is a
/// call, of the callback with the place of the check, which looks at everything again. (gcc/Checks.cpp is the same for GCC.)
#include "../Abi.h"
#include "Code.hpp"
#include "Marks.hpp"

#include <map>

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// Of the pointer, the place, the record's offset among the sites, the number.
class Check final : CheckCode {
 public:
  Check(Module& module, Callback of)
      : CheckCode(module, of.name(),
                  {Type::getInt64Ty(module.getContext()), Type::getInt64Ty(module.getContext()),
                   Type::getInt32Ty(module.getContext())}),
        m_of(of) {}

  Function* make() {
    m_site = m_code.CreateAdd(state(teamsan_hot_flat_sites, m_word), argument(2));
    // Turned, what is not aligned has high bits.
    Value* const from = m_code.CreateSub(m_address, of_site(0));
    unsigned const log_bytes = Log2_32(m_of.bytes);
    Value* const index = m_code.CreateOr(m_code.CreateLShr(from, log_bytes), m_code.CreateShl(from, 64 - log_bytes));
    go_on_if(m_code.CreateICmpULT(index, of_site(8)));
    go_on_if(m_code.CreateICmpEQ(of_site(24), argument(1)));
    look_at_holds();
    m_cell = m_code.CreateAdd(m_code.CreateShl(m_address, 1), number(TEAMSAN_FLAT_CELLS));
    m_known = load(m_cell, 0);
    for (unsigned i = 1; i != words(); ++i) go_on_if(m_code.CreateICmpEQ(load(m_cell, 8 * i), m_known));
    m_mine = state(teamsan_hot_flat_word, m_word);
    m_difference = m_code.CreateXor(m_known, m_mine);
    BasicBlock *const untouched = block("untouched"), *const touched = block("touched");
    branch(m_code.CreateICmpNE(and_of(m_difference, TEAMSAN_FLAT_LAUNCH), number(0)), untouched, touched);
    m_code.SetInsertPoint(untouched);
    m_of.writes ? first_write() : first_read();
    m_code.SetInsertPoint(touched);
    m_of.writes ? further_write() : further_read();
    return end("__teamsan_" + m_of.name(), {argument(0), argument(1), argument(3)});
  }

 private:
  unsigned words() const { return m_of.bytes / 4; }
  Value* of_site(uint64_t offset) { return load(m_site, offset); }
  Value* place_bits() { return of_site(16); }

  /// Among several workers: where this one alone joins words.
  void look_at_holds() {
    BasicBlock *const shared = block("shared"), *const held = block("held");
    branch(m_code.CreateICmpEQ(state(teamsan_hot_flat_shared, m_byte), ConstantInt::get(m_byte, 0)), held, shared, true);
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
    Value* const lane = state(teamsan_hot_flat_lane, m_half);
    for (unsigned i = 0; i != words(); ++i) m_code.CreateStore(lane, memory(m_address, TEAMSAN_FLAT_EXTRAS + 4 * i, m_half));
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

  Callback const m_of;
  Value *m_site = nullptr, *m_cell = nullptr, *m_known = nullptr, *m_mine = nullptr, *m_difference = nullptr;
};

}  // namespace

PreservedAnalyses Checks::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::map<std::string, Function*> checks;
  unsigned numbers = 0;
  for (Function& f : module) {
    if (f.isDeclaration() || !f.hasFnAttribute(flat_body) || f.hasFnAttribute(steps_body)) continue;
    if (!is_to_be_instrumented(f)) continue;
    auto const has_check = [](CallInst const& call) { return callback_of(call).bytes >= 4; };
    for (CallInst* const call : instrument(f, of_functions, has_check)) {
      Callback const of = callback_of(*call);
      Function*& check = checks[of.name()];
      if (check == nullptr) check = Check(module, of).make();
      IRBuilder<> code(call);
      Value* const record = code.getInt64(numbers % teamsan_flat_sites * sizeof(teamsan_flat_site));
      put_in_line(call, check, {place_of(code, "", numbers), record, code.getInt32(numbers)});
      ++numbers;
    }
    of_functions.invalidate(f, PreservedAnalyses::none());
  }
  for (auto const& [name, check] : checks) check->eraseFromParent();
  return PreservedAnalyses::none();
}

}  // namespace teamsan_plugin
