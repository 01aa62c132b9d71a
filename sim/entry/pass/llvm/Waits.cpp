// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second pass, over plain bodies, when what is in line is there and loops are not yet vectorised. A loop by which a lane
/// may wait for another one, since whether it ends hangs on what was read in it, asks the runtime now and then to let others
/// run
/// (__teamsan_poll). Atomics become calls of the runtime's, by the compiler's own pass for ThreadSanitizer: it knows by them
/// whether lanes get on.
///
/// Where a body runs many lanes in a loop (blocks_root), nobody could let another lane of these run: such a body is left only
/// to kernels in which no lane can wait. It asks __teamsan_runs_together(), and the answer is put here; atomics are then the
/// processor's own. The same of __teamsan_may_hand_over(): may a lane tell another one that something is done?
#include "HandOvers.hpp"
#include "Marks.hpp"
#include "Numbers.hpp"
#include "Updates.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

constexpr unsigned between_polls = 1024;  // a power of two
constexpr char asks_together[] = "__teamsan_runs_together", asks_hand_over[] = "__teamsan_may_hand_over";
bool asks(Function const& to) { return to.getName() == asks_together || to.getName() == asks_hand_over; }

/// Where a value in a loop is from: outside; computed of what is outside and of the loop's own numbers; memory, or a function.
enum class Origin { outside, computed, read };

class LoopValues {
 public:
  LoopValues(Loop const& loop, TargetLibraryInfo const& library) : m_loop(loop), m_library(library) {}

  Origin of(Value* value) {
    auto* const i = dyn_cast<Instruction>(value);
    if (i == nullptr || !m_loop.contains(i)) return Origin::outside;
    auto const [known, fresh] = m_known.try_emplace(i, Origin::computed);
    if (!fresh) return known->second;
    Origin const origin = found(*i);
    m_known[i] = origin;
    return origin;
  }

 private:
  Origin found(Instruction& i) {
    if (auto* const phi = dyn_cast<PHINode>(&i)) {
      if (phi->getParent() != m_loop.getHeader()) {
        Value* const same = without_joining(phi);
        return same != phi ? of(same) : Origin::read;  // which one may hang on what was read
      }
      Origin all = Origin::computed;
      for (unsigned n = 0; n != phi->getNumIncomingValues(); ++n)
        if (m_loop.contains(phi->getIncomingBlock(n))) all = std::max(all, of(phi->getIncomingValue(n)));
      return all;
    }
    auto const* const call = dyn_cast<CallBase>(&i);
    bool const of_numbers = call != nullptr && is_of_numbers(*call, m_library);
    if ((i.mayReadOrWriteMemory() && !of_numbers) || isa<AllocaInst>(i)) return Origin::read;
    Origin all = Origin::outside;
    for (Value* const operand : i.operands()) all = std::max(all, of(operand));
    return all;
  }

  Loop const& m_loop;
  TargetLibraryInfo const& m_library;
  DenseMap<Instruction*, Origin> m_known;
};

/// May the loop go on, by this condition, until another lane has done something? `stays`: it goes on where the condition is
/// that.
bool may_wait(Loop const& loop, LoopValues& values, Value* condition, bool stays) {
  using namespace PatternMatch;
  Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) return may_wait(loop, values, a, !stays);
  // While both hold: either one may end it. While one does: both must.
  bool const both = match(condition, m_LogicalAnd(m_Value(a), m_Value(b)));
  if (both || match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    bool const first = may_wait(loop, values, a, stays), second = may_wait(loop, values, b, stays);
    return both == stays ? first && second : first || second;
  }
  bool exchanged = false;
  if (AtomicCmpXchgInst* const e = exchange_of(condition, exchanged); e != nullptr && loop.contains(e))
    return !expects_what_was_found(loop, e);
  auto* const compare = dyn_cast<CmpInst>(condition);
  if (compare == nullptr) return values.of(condition) == Origin::read;
  for (Value* const side : compare->operands())
    if (AtomicCmpXchgInst* const e = exchange_of(side, exchanged);
        e != nullptr && loop.contains(e) && expects_what_was_found(loop, e))
      return false;
  Origin const x = values.of(compare->getOperand(0)), y = values.of(compare->getOperand(1));
  return x != Origin::computed && y != Origin::computed && (x == Origin::read || y == Origin::read);
}
/// Nothing of memory: whatever makes it end is the lane's own.
bool reads_nothing(Loop const& loop, TargetLibraryInfo const& library) {
  for (BasicBlock const* const b : loop.blocks())
    for (Instruction const& i : *b) {
      auto const* const call = dyn_cast<CallBase>(&i);
      if (isa<DbgInfoIntrinsic>(i) || (call != nullptr && is_of_numbers(*call, library))) continue;
      if (i.mayReadOrWriteMemory() || (call != nullptr && !isa<IntrinsicInst>(i))) return false;
    }
  return true;
}

/// May a lane be in the loop until another one has done something?
bool may_wait(Loop const& loop, DominatorTree const& dominators, TargetLibraryInfo const& library) {
  LoopValues values(loop, library);
  bool ends = false, waits = false;
  SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock* const b : exiting) {
    Instruction* const last = b->getTerminator();
    if (auto* const branch = dyn_cast<BranchInst>(last)) {
      ends = true;
      bool const stays = loop.contains(branch->getSuccessor(0));
      // Whatever else it ends by (a larger maximum, say).
      if (branch->isConditional() && loop.getLoopLatch() != nullptr && dominators.dominates(b, loop.getLoopLatch()) &&
          ends_when_exchanged(loop, branch->getCondition(), stays))
        return false;
      waits |= !branch->isConditional() || may_wait(loop, values, branch->getCondition(), stays);
    } else if (!isa<InvokeInst>(last)) {  // by an exception
      ends = waits = true;
    }
  }
  return (waits && !reads_nothing(loop, library)) || !ends;
}

FunctionCallee poll_function(Module& module) {
  FunctionCallee poll = module.getOrInsertFunction("__teamsan_poll", Type::getVoidTy(module.getContext()));
  cast<Function>(poll.getCallee())->setDoesNotThrow();
  return poll;
}

/// if (++n % between_polls == 0) __teamsan_poll(); at the end of each turn; at each turn where it has not the usual shape.
void poll_in(Loop const& loop) {
  BasicBlock *const header = loop.getHeader(), *const before = loop.getLoopPreheader(), *const latch = loop.getLoopLatch();
  FunctionCallee const poll = poll_function(*header->getModule());
  if (before == nullptr || latch == nullptr || !isa<BranchInst>(latch->getTerminator())) {
    if (auto const at = header->getFirstInsertionPt(); at != header->end()) IRBuilder<>(header, at).CreateCall(poll);
    return;
  }
  IRBuilder<> b(header, header->begin());
  PHINode* const turns = b.CreatePHI(b.getInt32Ty(), 2);
  b.SetInsertPoint(latch->getTerminator());
  Value* const next = b.CreateAdd(turns, b.getInt32(1));
  Value* const due = b.CreateICmpEQ(b.CreateAnd(next, between_polls - 1), b.getInt32(0));
  turns->addIncoming(b.getInt32(0), before);
  turns->addIncoming(next, latch);
  Instruction* const then = SplitBlockAndInsertIfThen(due, latch->getTerminator(), false,
                                                      MDBuilder(b.getContext()).createBranchWeights(1, between_polls));
  IRBuilder<>(then).CreateCall(poll);
}

/// Ways back that are no loop's.
SmallVector<BasicBlock*> irreducible_targets(Function& f, LoopInfo const& loops) {
  SmallVector<std::pair<BasicBlock const*, BasicBlock const*>> back;
  FindFunctionBackedges(f, back);
  SmallVector<BasicBlock*> all;
  for (auto const& edge : back) {
    auto* const to = const_cast<BasicBlock*>(edge.second);
    Loop const* const loop = loops.getLoopFor(to);
    if ((loop == nullptr || loop->getHeader() != to) && !is_contained(all, to)) all.push_back(to);
  }
  return all;
}

/// A function that is not instrumented, as it is behind the inliner.
class Body {
 public:
  Body(Function& f, FunctionAnalysisManager& analyses) : m_function(f), m_analyses(analyses) {}

  /// All lanes may run as one loop: none waits, and nothing is thrown.
  bool runs_together() { return is_patient(m_function); }

  /// A lane may tell another one that something is done, by what is known of the functions that it calls.
  bool may_hand_over() {
    SmallPtrSet<Function*, 8> seen;
    return hands_over_in(m_function, seen);
  }

  /// Lanes that may wait poll.
  bool poll() {
    LoopInfo& loops = m_analyses.getResult<LoopAnalysis>(m_function);
    SmallVector<Loop*> const waiting = waiting_loops(m_function, loops);
    SmallVector<BasicBlock*> const others = irreducible_targets(m_function, loops);
    for (BasicBlock* const b : others)
      if (auto const at = b->getFirstInsertionPt(); at != b->end())
        IRBuilder<>(b, at).CreateCall(poll_function(*m_function.getParent()));
    for (Loop* const loop : waiting) poll_in(*loop);
    return !waiting.empty() || !others.empty();
  }

 private:
  SmallVector<Loop*> waiting_loops(Function& f, LoopInfo& loops) {
    SmallVector<Loop*> waiting;
    auto const& dominators = m_analyses.getResult<DominatorTreeAnalysis>(f);
    auto const& library = m_analyses.getResult<TargetLibraryAnalysis>(f);
    for (Loop* const loop : loops.getLoopsInPreorder())
      if (may_wait(*loop, dominators, library)) waiting.push_back(loop);
    return waiting;
  }

  static bool hands_over_in(Function& f, SmallPtrSet<Function*, 8>& seen) {
    if (!seen.insert(&f).second) return false;
    for (Instruction& i : instructions(f)) {
      if (hands_over(i)) return true;
      auto* const call = dyn_cast<CallBase>(&i);
      Function* const to = call != nullptr ? call->getCalledFunction() : nullptr;
      if (to == nullptr || to->isDeclaration() || !may_hand_over_inside(*call)) continue;
      if (hands_over_in(*to, seen)) return true;
    }
    return false;
  }

  bool is_patient(Function& f) {
    auto const [known, fresh] = m_patient.try_emplace(&f, false);  // one that calls itself is not
    if (!fresh) return known->second;
    LoopInfo& loops = m_analyses.getResult<LoopAnalysis>(f);
    bool patient = waiting_loops(f, loops).empty() && irreducible_targets(f, loops).empty();
    for (Instruction& i : instructions(f)) {
      auto* const call = dyn_cast<CallBase>(&i);
      patient = patient && !isa<ResumeInst>(i) && (call == nullptr || is_patient(*call));
    }
    return m_patient[&f] = patient;
  }
  bool is_patient(CallBase& call) {
    if (isa<IntrinsicInst>(call) || call.isInlineAsm()) return true;
    Function* const to = call.getCalledFunction();
    if (to == nullptr) return false;
    if (ends_program(call, *to)) return true;
    if (!to->isDeclaration() && !to->isInterposable() && !to->hasFnAttribute(Attribute::SanitizeThread)) return is_patient(*to);
    return call.doesNotThrow() && (asks(*to) || call.onlyReadsMemory() || is_of_library(call, *to));
  }
  /// By an abort.
  static bool ends_program(CallBase const& call, Function const& to) {
    static constexpr StringRef known[] = {"_ZN6Kokkos5abortEPKc", "_ZN6Kokkos4Impl10host_abortEPKc", "__assert_fail",
                                          "_ZSt9terminatev", "__clang_call_terminate"};
    return call.doesNotReturn() && is_contained(known, to.getName());
  }
  /// One of the C library's that computes a number, or works on memory.
  bool is_of_library(CallBase& call, Function const& to) {
    LibFunc known;
    if (!m_analyses.getResult<TargetLibraryAnalysis>(*call.getFunction()).getLibFunc(to, known)) return false;
    StringRef const name = to.getName();
    return to.getReturnType()->isFloatingPointTy() || name.substr(0, 3) == "mem" || name.substr(0, 6) == "sincos";
  }

  Function& m_function;
  FunctionAnalysisManager& m_analyses;
  DenseMap<Function*, bool> m_patient;
};

void answer(Function& f, bool together, bool hands_over) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    auto* const call = dyn_cast<CallInst>(&i);
    Function const* const to = call != nullptr ? call->getCalledFunction() : nullptr;
    if (to == nullptr || !asks(*to)) continue;
    bool const yes = to->getName() == asks_together ? together : hands_over;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), yes ? 1 : 0));
    call->eraseFromParent();
  }
}
bool has_atomics(Function& f) {
  for (Instruction const& i : instructions(f))
    if (i.isAtomic()) return true;
  return false;
}

}  // namespace

PreservedAnalyses Waits::run(Function& f, FunctionAnalysisManager& analyses) {
  if (!f.hasFnAttribute(plain_body)) return PreservedAnalyses::all();
  Body body(f, analyses);
  bool const many_lanes = f.hasFnAttribute(blocks_body), together = many_lanes && body.runs_together();
  bool const hands_over = many_lanes && body.may_hand_over(), polls = body.poll();
  if (many_lanes) answer(f, together, hands_over);
  // The compiler's pass makes calls of atomics in what it does not instrument, too, and tells of such functions' begin and end.
  if (together || !has_atomics(f)) f.addFnAttr(Attribute::DisableSanitizerInstrumentation);
  return polls || many_lanes ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace teamsan_plugin
