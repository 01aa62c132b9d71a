// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks in line, of what lanes of teams access, as Checks.cpp has them for flat kernels. In line is what check/Access.hpp
/// says at once: an access to the lane's own stack, or a read of the kernel's functor, passes; of scratch and device memory,
/// words that are ordered by the floor alone, or that many have read. All else is a call, and so is everything where lanes are
/// counted, recorded, weighed or not checked. (gcc/TeamChecks.cpp is the same for GCC.)
///
/// Of scans, whose lanes are judged as a team's where they run step by step, only accesses to device memory are in line, and
/// not those by which a host makes an atomic: what such a load comes to, the runtime says (check/RangeCells.hpp).
#include "../Abi.h"
#include "Code.hpp"
#include "Marks.hpp"

#include <map>
#include <utility>

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// Of the pointer and, where words are looked at, the place.
class TeamCheck final : CheckCode {
 public:
  TeamCheck(Module& module, Callback of, bool in_steps)
      : CheckCode(module, (in_steps ? "steps." : "team.") + of.name(), places(module, of)), m_of(of), m_in_steps(in_steps) {}

  static bool has_cells(Callback of) { return of.bytes >= 4; }

  Function* make() {
    m_in_steps ? in_steps() : in_team();
    if (!has_cells(m_of)) return end("__tsan_" + m_of.name(), {argument(0)});
    return end("__teamsan_team_" + m_of.name(), {argument(0), argument(1)});
  }

 private:
  static SmallVector<Type*> places(Module& module, Callback of) {
    return SmallVector<Type*>(has_cells(of) ? 1 : 0, Type::getInt64Ty(module.getContext()));
  }

  void in_steps() {
    Value* const watch = state(teamsan_hot_watch, m_byte);
    go_on_if(m_code.CreateICmpULT(watch, ConstantInt::get(m_byte, teamsan_watch_range + 1)));
    go_on_if_aligned();
    device();
  }

  void in_team() {
    go_on_if(m_code.CreateICmpEQ(state(teamsan_hot_watch, m_byte), ConstantInt::get(m_byte, 0)));
    own_stack();
    if (!m_of.writes) {
      BasicBlock* const memory = has_cells(m_of) ? block("memory") : m_slow;
      Value* const of_functor = m_code.CreateSub(m_address, number(TEAMSAN_CONSTANT));
      branch(m_code.CreateICmpULT(of_functor, number(TEAMSAN_CONSTANT_BYTES)), m_done, memory);
      if (has_cells(m_of)) m_code.SetInsertPoint(memory);
    } else if (!has_cells(m_of)) {
      m_code.CreateBr(m_slow);
    }
    if (has_cells(m_of)) cells();
  }

  void go_on_if_aligned() { go_on_if(m_code.CreateICmpEQ(and_of(m_address, m_of.bytes - 1), number(0))); }

  /// What is older there than a nested range may be news to vector lanes, if it is stored.
  void own_stack() {
    BasicBlock *const there = m_of.writes ? block("there") : m_done, *const others = block("others");
    Value* const from = m_code.CreateSub(m_address, state(teamsan_hot_ignore_begin, m_word));
    branch(m_code.CreateICmpULT(from, state(teamsan_hot_ignore_bytes, m_word)), there, others);
    if (m_of.writes) {
      m_code.SetInsertPoint(there);
      branch(m_code.CreateICmpULT(m_address, state(teamsan_hot_outer_frames, m_word)), m_done, m_slow, true);
    }
    m_code.SetInsertPoint(others);
  }

  /// TeamCells::access.
  void cells() {
    go_on_if_aligned();
    BasicBlock *const in_scratch = block("in_scratch"), *const elsewhere = block("elsewhere");
    Value* const offset = m_code.CreateSub(m_address, state(teamsan_hot_scratch_begin, m_word));
    branch(m_code.CreateICmpULT(offset, state(teamsan_hot_scratch_bytes, m_word)), in_scratch, elsewhere);
    m_code.SetInsertPoint(in_scratch);
    look_at(m_code.CreateAdd(m_code.CreateShl(offset, 2), state(teamsan_hot_scratch_cells, m_word)), m_of.bytes / 4);
    m_code.SetInsertPoint(elsewhere);
    device();
  }

  void device() {
    bool const wide = m_of.bytes == 8;
    Value* const of_device = m_code.CreateSub(m_address, number(TEAMSAN_FLAT_DEVICE));
    go_on_if(m_code.CreateICmpULT(of_device, state(teamsan_hot_global_bytes, m_word)));
    Value* const key = m_code.CreateLShr(m_address, 6);
    Value* const shift = m_code.CreateZExt(state(teamsan_hot_index_shift, Type::getInt16Ty(m_context)), m_word);
    Value* const hash = m_code.CreateLShr(m_code.CreateMul(key, number(TEAMSAN_LINE_HASH)), shift);
    Value* const entry = m_code.CreateAdd(m_code.CreateShl(hash, 4), state(teamsan_hot_index, m_word));
    go_on_if(m_code.CreateICmpEQ(load(entry, 0), wide ? m_code.CreateOr(key, number(TEAMSAN_LINE_WIDE)) : key));
    Value* const word_of_line = m_code.CreateShl(and_of(m_address, wide ? 56 : 60), wide ? 1 : 2);
    look_at(m_code.CreateAdd(m_code.CreateAdd(load(entry, 8), word_of_line), number(TEAMSAN_LINE_CELLS)), 1);
  }

  Value* floor() { return state(teamsan_hot_floor, m_half); }
  Value* me() { return state(teamsan_hot_me, m_half); }
  Value* less_one(Value* who) { return m_code.CreateAdd(who, half_number(-1u)); }
  Value* of_cell(unsigned cell, unsigned offset) { return load(m_half, m_cell, cell * TEAMSAN_CELL_BYTES + offset); }
  Value* greater(Value* a, Value* b) { return m_code.CreateSelect(m_code.CreateICmpUGT(a, b), a, b); }
  Value* lesser(Value* a, Value* b) { return m_code.CreateSelect(m_code.CreateICmpULT(a, b), a, b); }

  void look_at(Value* cell, unsigned count) {
    m_cell = cell;
    m_of.writes ? write(count) : read(count);
  }

  /// read_quickly.
  void read(unsigned count) {
    Value* const before = floor();
    Value *latest_write = nullptr, *reads[2] = {};
    for (unsigned i = 0; i != count; ++i) {
      Value* const write = less_one(of_cell(i, TEAMSAN_CELL_WRITE_WHO));
      latest_write = i == 0 ? write : greater(latest_write, write);
      reads[i] = of_cell(i, TEAMSAN_CELL_READ_WHO);
    }
    go_on_if(m_code.CreateICmpULT(latest_write, less_one(before)));
    BasicBlock *const nobody = block("nobody"), *const somebody = block("somebody");
    Value* const latest = count == 1 ? reads[0] : greater(reads[0], reads[1]);
    branch(m_code.CreateICmpULT(latest, before), nobody, somebody);
    m_code.SetInsertPoint(nobody);
    put(TEAMSAN_CELL_READ, count);
    // All of the access by many: flags of one word, and of both.
    m_code.SetInsertPoint(somebody);
    Value* const all = count == 1 ? reads[0] : m_code.CreateAnd(reads[0], reads[1]);
    Value* const any = count == 1 ? reads[0] : m_code.CreateOr(reads[0], reads[1]);
    Value* const flags = m_code.CreateOr(and_of(all, TEAMSAN_WHO_MANY), and_of(any, TEAMSAN_WHO_ATOMIC | TEAMSAN_WHO_MIXED));
    Value* const by_many = m_code.CreateICmpEQ(flags, half_number(TEAMSAN_WHO_MANY));
    if (count == 1) return branch(by_many, m_done, m_slow, true);
    go_on_if(by_many);
    branch(m_code.CreateICmpUGE(lesser(reads[0], reads[1]), before), m_done, m_slow, true);
  }

  /// write_word, of all words before one is changed.
  void write(unsigned count) {
    for (unsigned i = 0; i != count; ++i)
      for (unsigned const offset : {TEAMSAN_CELL_WRITE_WHO, TEAMSAN_CELL_READ_WHO}) {
        BasicBlock *const later = block("later"), *const next = block("next");
        Value* const who = of_cell(i, offset);
        branch(m_code.CreateICmpULT(who, floor()), next, later, true);
        m_code.SetInsertPoint(later);
        Value* const differs = and_of(m_code.CreateXor(who, me()), TEAMSAN_WHO_LANE_AND_FLAGS);
        branch(m_code.CreateICmpEQ(differs, half_number(0)), next, m_slow, true);
        m_code.SetInsertPoint(next);
      }
    put(TEAMSAN_CELL_WRITE, count);
  }

  /// The running lane is the latest.
  void put(unsigned offset, unsigned count) {
    Value *const site = m_code.CreateTrunc(argument(1), m_half), *const lane = me();
    for (unsigned i = 0; i != count; ++i) {
      m_code.CreateStore(site, memory(m_cell, i * TEAMSAN_CELL_BYTES + offset, m_half));
      m_code.CreateStore(lane, memory(m_cell, i * TEAMSAN_CELL_BYTES + offset + 4, m_half));
    }
    m_code.CreateBr(m_done);
  }

  Callback const m_of;
  bool const m_in_steps;
  Value* m_cell = nullptr;
};

/// In Kokkos' own code for atomics, in line or not.
bool is_of_atomics(CallInst const& call) {
  for (DILocation const* place = call.getDebugLoc(); place != nullptr; place = place->getInlinedAt())
    if (place->getFilename().find("desul/") != StringRef::npos) return true;
  return false;
}

}  // namespace

PreservedAnalyses TeamChecks::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::map<std::pair<std::string, bool>, Function*> checks;
  unsigned numbers = 0;
  for (Function& f : module) {
    bool const in_steps = f.hasFnAttribute(steps_body);
    bool const of_teams = f.hasFnAttribute(lane_body) && !f.hasFnAttribute(flat_body);
    if (f.isDeclaration() || !(of_teams || in_steps) || !is_to_be_instrumented(f)) continue;
    auto const has_check = [=](CallInst const& call) {
      Callback const of = callback_of(call);
      return of.bytes <= 8 && (!in_steps || (TeamCheck::has_cells(of) && !is_of_atomics(call)));
    };
    for (CallInst* const call : instrument(f, of_functions, has_check)) {
      Callback const of = callback_of(*call);
      Function*& check = checks[{of.name(), in_steps}];
      if (check == nullptr) check = TeamCheck(module, of, in_steps).make();
      IRBuilder<> code(call);
      SmallVector<Value*> more;
      if (TeamCheck::has_cells(of)) more.push_back(place_of(code, "team ", numbers++));
      put_in_line(call, check, more);
    }
    of_functions.invalidate(f, PreservedAnalyses::none());
  }
  for (auto const& [kind, check] : checks) check->eraseFromParent();
  return PreservedAnalyses::none();
}

}  // namespace teamsan_plugin
