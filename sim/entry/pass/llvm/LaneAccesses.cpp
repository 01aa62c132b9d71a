// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes of a flat kernel access, for the runtime to decide a launch by before it runs (machine/DecidedLaunch.hpp): of the
/// checked body that runs many lanes in a loop (backends/simt/launch/UserCode.hpp), before its loops are unrolled. All of its
/// accesses are told, each at an address that is an affine function of the iteration's indices, of the functor's bytes and of
/// constants, or one of which bounds can be known (Addresses.hpp); or nothing is, where one is anything else, where there is a
/// loop whose turns are not counted (Loops.hpp), a call, a trap or an atomic in an iteration, but for updates that give
/// nothing back (Updates.hpp). (gcc/LaneAccesses.cpp is the same for GCC.)
#include "Addresses.hpp"
#include "Conditions.hpp"
#include "Numbers.hpp"

#include <algorithm>
#include <string>

namespace teamsan_plugin {

using namespace llvm;

namespace {

constexpr char asks[] = "__teamsan_lane_accesses";

StringRef name_of(StringRef file) { return file.substr(file.rfind('/') + 1); }

bool begins_with(StringRef text, StringRef with) { return text.substr(0, with.size()) == with; }

bool is_of_library(StringRef file) {
  if (begins_with(name_of(file), "Kokkos")) return true;
  for (char const* const folder : {"/desul/", "mdspan/", "/simt/", "/c++/"})
    if (file.find(folder) != StringRef::npos) return true;
  return false;
}
/// Where the user wrote it: of what is in line of Kokkos' own, the call.
DILocation const* user_place(Instruction const& i) {
  DILocation const* place = i.getDebugLoc();
  while (place != nullptr && place->getInlinedAt() != nullptr && is_of_library(place->getFilename()))
    place = place->getInlinedAt();
  return place;
}

/// One body, and what was found of it.
class Body {
 public:
  Body(Function& f, FunctionAnalysisManager& analyses)
      : m_function(f),
        m_library(analyses.getResult<TargetLibraryAnalysis>(f)),
        m_layout(f.getParent()->getDataLayout()),
        m_iterations(f, analyses.getResult<DominatorTreeAnalysis>(f)),
        m_loops(m_iterations, analyses.getResult<LoopAnalysis>(f), m_layout),
        m_addresses(m_iterations, m_loops, m_functor, analyses.getResult<ScalarEvolutionAnalysis>(f), m_layout),
        m_conditions(m_iterations, m_addresses) {}

  /// All that its lanes access, in the form of Abi.h, or why it is not known.
  Words accesses() { return find_all() ? m_records.all() : Records::unknown(m_why); }

 private:
  bool find_all() {
    if (!find_functor()) return false;
    if (char const* const why = m_iterations.find(); why != nullptr) return no(why);
    if (char const* const why = m_loops.find(m_function); why != nullptr) return no(why);
    for (BasicBlock& b : m_function) {
      if (!m_iterations.is_live(&b)) continue;
      bool inside = m_iterations.is_inside(&b);
      for (Instruction& i : b) {
        inside |= m_iterations.is_begin(&i);
        m_records.set_line(line_of(i));
        if (!look_at(i, inside)) return false;
      }
    }
    for (CountedLoop const& loop : m_loops.all()) {
      if (loop.update.exchange != nullptr) continue;
      Instruction& end_of = *loop.asks->getTerminator();
      m_records.set_line(line_of(end_of));
      Words end;
      if (!m_addresses.put_end_of(loop, end) || !put_value(end, loop.header))
        return no("how often a loop turns is not known", &end_of);
    }
    return true;
  }

  static Word line_of(Instruction const& i) {
    DILocation const* const place = user_place(i);
    return place != nullptr ? place->getLine() : 0;
  }

  bool no(char const* why, Instruction const* i = nullptr) {
    m_why = why;
    if (DILocation const* const place = i != nullptr ? user_place(*i) : nullptr; place != nullptr && place->getLine() > 0)
      m_why += " (" + name_of(place->getFilename()).str() + ":" + std::to_string(place->getLine()) + ")";
    return false;
  }

  /// The copy is one of so many bytes as the compiler cannot know.
  bool find_functor() {
    for (Instruction& i : instructions(m_function)) {
      auto* const copy = dyn_cast<MemCpyInst>(&i);
      if (copy == nullptr || isa<ConstantInt>(copy->getLength())) continue;
      Variable const to(copy->getRawDest(), m_layout);
      auto* const variable = to.base != nullptr ? dyn_cast<AllocaInst>(to.base) : nullptr;
      if (variable == nullptr) continue;
      if (m_functor.variable != nullptr) return no("there are two copies of functors", copy);
      if (!to.known || variable->isArrayAllocation()) return no("the copy lies elsewhere", copy);
      m_functor.variable = variable;
      m_functor.copied_by = copy;
      m_functor.begin = to.at;
      m_functor.end = size_of(variable);
    }
    return m_functor.variable != nullptr || no("there is no copy of the functor");
  }

  /// Of a variable; 0: it is not known.
  std::int64_t size_of(Value* base) const {
    Type* type = nullptr;
    if (auto const* const own = dyn_cast<AllocaInst>(base))
      type = own->isArrayAllocation() ? nullptr : own->getAllocatedType();
    else if (auto const* const global = dyn_cast<GlobalVariable>(base))
      type = global->getValueType();
    else if (auto const* const argument = dyn_cast<Argument>(base))
      type = argument->getParamByValType();
    return type == nullptr || !type->isSized() ? 0 : bytes_of(type);
  }
  std::int64_t bytes_of(Type* type) const {
    TypeSize const size = m_layout.getTypeStoreSize(type);
    return size.isScalable() ? 0 : static_cast<std::int64_t>(static_cast<Word>(size));
  }

  /// `inside`: it is an iteration's, whichever way control has come there.
  bool look_at(Instruction& i, bool inside) {
    if (m_iterations.is_begin(&i)) return true;
    if (auto* const load = dyn_cast<LoadInst>(&i))
      return !load->isSimple() ? no(load->isVolatile() ? "volatile" : "an atomic", load)
                               : access(load->getPointerOperand(), load->getType(), load->getAlign(), false, i, inside);
    if (auto* const store = dyn_cast<StoreInst>(&i)) {
      if (!store->isSimple()) return no(store->isVolatile() ? "volatile" : "an atomic", store);
      if (MDNode const* const type = i.getMetadata(LLVMContext::MD_tbaa); type != nullptr && type->isTBAAVtableAccess())
        return no("an object with virtual functions is made", store);
      return access(store->getPointerOperand(), store->getValueOperand()->getType(), store->getAlign(), true, i, inside);
    }
    if (auto* const copy = dyn_cast<MemTransferInst>(&i); copy != nullptr && copy != m_functor.copied_by) {
      auto const* const bytes = dyn_cast<ConstantInt>(copy->getLength());
      if (bytes == nullptr || copy->isVolatile()) return no("a call", &i);
      return access(copy->getRawSource(), bytes->getSExtValue(), copy->getSourceAlign().valueOrOne(), false, i, inside) &&
             access(copy->getRawDest(), bytes->getSExtValue(), copy->getDestAlign().valueOrOne(), true, i, inside);
    }
    if (auto* const set = dyn_cast<MemSetInst>(&i)) {
      auto const* const bytes = dyn_cast<ConstantInt>(set->getLength());
      if (bytes == nullptr || set->isVolatile()) return no("a call", &i);
      return access(set->getRawDest(), bytes->getSExtValue(), set->getDestAlign().valueOrOne(), true, i, inside);
    }
    if (auto* const changed = dyn_cast<AtomicRMWInst>(&i)) return update(*changed, inside);
    if (auto* const exchanged = dyn_cast<AtomicCmpXchgInst>(&i)) return update(*exchanged, inside);
    if (auto* const call = dyn_cast<CallBase>(&i)) return is_harmless(*call) || own_index(*call, inside) || no("a call", call);
    switch (i.getOpcode()) {
      case Instruction::SDiv:
      case Instruction::UDiv:
      case Instruction::SRem:
      case Instruction::URem:
        return divides(i);
      case Instruction::Fence:
        return no("an atomic", &i);
      case Instruction::IndirectBr:
      case Instruction::VAArg:
        return no("a statement of another kind", &i);
      default:
        return !i.mayReadOrWriteMemory() || isa<ReturnInst>(i) || no("a statement of another kind", &i);
    }
  }

  bool divides(Instruction& i) {
    Value* const by = i.getOperand(1);
    bool const is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
    if (auto const* const number = dyn_cast<ConstantInt>(by); number != nullptr && !number->isZero() && !number->isMinusOne())
      return true;
    Words divisor;
    return (by->getType()->isIntegerTy() && m_addresses.put_divisor(by, is_signed, i.getParent(), divisor) &&
            put_value(divisor, i.getParent())) ||
           no("a division may trap", &i);
  }

  /// Of a function of numbers, or of those by which lanes run.
  bool is_harmless(CallBase& call) const {
    if (&call == m_functor.copied_by) return true;
    if (auto const* const text = dyn_cast<InlineAsm>(call.getCalledOperand())) {
      StringRef const code = text->getAsmString();
      return code.find(TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE) "@gottpoff") != StringRef::npos ||
             (code.empty() && StringRef(text->getConstraintString()).find("memory") == StringRef::npos);
    }
    Function const* const to = call.getCalledFunction();
    if (to == nullptr) return false;
    if (auto const* const intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      Intrinsic::ID const which = intrinsic->getIntrinsicID();
      return intrinsic->isAssumeLikeIntrinsic() || which == Intrinsic::experimental_noalias_scope_decl ||
             (intrinsic->doesNotAccessMemory() && intrinsic->doesNotThrow() && !intrinsic->doesNotReturn());
    }
    if (to->hasFnAttribute(of_lanes))
      return std::none_of(call.arg_begin(), call.arg_end(), [&](Value* argument) {
        return argument->getType()->isPointerTy() && Variable(argument, m_layout).base == m_functor.variable;
      });
    for (char const* const known :
         {asks, "_ZN7teamsan9next_laneEv", "_ZN7teamsan9in_kernelEv", "_ZN7teamsan18note_lane_accessesEPKvS1_",
          "_ZN7teamsan19expect_functor_copyEv", "_ZN7teamsan16end_functor_copyEb", "__teamsan_atomic_was_load"})
      if (to->getName() == known) return true;
    if (to->getName() == "memcmp") return compares_functors(call);
    return is_of_numbers(call, m_library);
  }
  /// At the end of all lanes it is looked at whether the copy is as it was. What else is compared is memory that lanes read.
  bool compares_functors(CallBase& call) const {
    if (Variable(call.getArgOperand(0), m_layout).base != m_functor.variable) return false;
    Value* const other = call.getArgOperand(1)->stripPointerCasts();
    if (other == m_functor.copied_by->getRawSource()->stripPointerCasts()) return true;
    // The variable that holds the copy holds the functor's address, too, in front of it.
    auto* const load = dyn_cast<LoadInst>(other);
    if (load == nullptr) return false;
    Variable const place(load->getPointerOperand(), m_layout);
    return place.base == m_functor.variable && place.known && place.at + bytes_of(load->getType()) <= m_functor.begin;
  }

  bool update(AtomicRMWInst& i, bool inside) {
    switch (i.getOperation()) {
      case AtomicRMWInst::Add:
      case AtomicRMWInst::Sub:
      case AtomicRMWInst::And:
      case AtomicRMWInst::Or:
      case AtomicRMWInst::Xor:
        break;
      default:
        return no("an atomic", &i);
    }
    bool const relaxed = i.getOrdering() == AtomicOrdering::Monotonic && !i.isVolatile();
    if (!relaxed || !i.use_empty()) return no("an atomic", &i);
    return update(i, i.getPointerOperand(), i.getType(), inside);
  }
  bool update(AtomicCmpXchgInst& i, bool inside) {
    CountedLoop const* const loop = m_loops.of_exchange(i);
    if (loop == nullptr) return no("an atomic", &i);
    if (!m_addresses.is_at(loop->update.first_read->getPointerOperand(), i.getPointerOperand(), i.getParent()))
      return no("an atomic reads something else first", &i);
    if (bytes_of(loop->update.first_read->getType()) != bytes_of(i.getCompareOperand()->getType()))
      return no("an atomic reads something else first", &i);
    return update(i, i.getPointerOperand(), i.getCompareOperand()->getType(), inside);
  }
  bool update(Instruction& i, Value* pointer, Type* type, bool inside) {
    std::int64_t const bytes = bytes_of(type);
    if (!inside || (bytes != 4 && bytes != 8)) return no("an atomic", &i);
    if (!gives_nothing_back(i)) return no("an atomic gives a value back", &i);
    Words address;
    if (Variable(pointer, m_layout).base != nullptr || !m_addresses.put(pointer, true, i.getParent(), address) ||
        address.size() > teamsan_affine_most_words)
      return no("an atomic's address is not affine", &i);
    put_access(TEAMSAN_ACCESS_STORES | TEAMSAN_ACCESS_CONDITIONAL | TEAMSAN_ACCESS_ATOMIC, Align(bytes), bytes, address,
               i.getParent());
    return true;
  }

  bool access(Value* pointer, Type* type, Align aligned, bool stores, Instruction& i, bool inside) {
    std::int64_t const bytes = bytes_of(type);
    if (bytes == 0 || m_layout.getTypeSizeInBits(type) != static_cast<Word>(8 * bytes))
      return no("an access in parts of bytes", &i);
    return access(pointer, bytes, aligned, stores, i, inside);
  }
  bool access(Value* pointer, std::int64_t bytes, Align aligned, bool stores, Instruction& i, bool inside) {
    if (bytes <= 0) return bytes == 0 || no("it is too large", &i);
    if (pointer->getType()->getPointerAddressSpace() != 0) return no("an access of another form", &i);
    if (Variable const place(pointer, m_layout); place.base != nullptr) {
      auto const* const global = dyn_cast<GlobalVariable>(place.base);
      if (global != nullptr && (stores || !global->isConstant())) return no("a variable of the program's", &i);
      if (!place.known && global == nullptr && place.base != m_functor.variable) return true;
      if (!place.known || place.at < 0 || place.at + bytes > size_of(place.base))
        return no("a place in a variable that is not known", &i);
      return !stores || place.base != m_functor.variable || place.at + bytes <= m_functor.begin ||
             no("the functor changes", &i);
    }
    if (!inside) return no("an access outside of iterations", &i);
    Words address;
    if (!m_addresses.put(pointer, true, i.getParent(), address)) return no("its address is not affine", &i);
    if (address.size() > teamsan_affine_most_words) return no("its address is too long", &i);
    if (bytes > TEAMSAN_ACCESS_MOST_BYTES) return no("it is too large", &i);
    bool const always = m_iterations.come_always(i.getParent());
    bool const of_update = m_loops.is_first_read(i);
    put_access((stores ? TEAMSAN_ACCESS_STORES : 0) | (always ? 0 : TEAMSAN_ACCESS_CONDITIONAL) |
                   (of_update ? TEAMSAN_ACCESS_ATOMIC : 0),
               of_update ? Align(bytes) : aligned, bytes, address, i.getParent());
    return true;
  }

  /// Where the runtime would be told that an index lies outside an array of the lane's own (OwnArrays.cpp), no lane may come.
  bool own_index(CallBase& call, bool inside) {
    Function const* const to = call.getCalledFunction();
    if (!inside || to == nullptr || to->getName() != "__teamsan_own_index") return false;
    put_conditions(call.getParent(), true);
    return put_value({}, call.getParent());
  }

  void put_access(Word kind, Align aligned, std::int64_t bytes, Words const& address, BasicBlock* b) {
    put_conditions(b);
    m_records.put_access(kind, Log2(aligned), static_cast<Word>(bytes), address);
  }

  /// Of what follows.
  void put_conditions(BasicBlock* b, bool all = false) {
    m_records.put_conditions(m_iterations.is_inside(b) ? m_conditions.at(b, all) : std::vector<Condition>());
  }

  /// No access: the value must be known, in iterations that come to that block. Without words it is not.
  bool put_value(Words const& value, BasicBlock* b) {
    if (value.size() > teamsan_affine_most_words) return false;
    put_conditions(b);
    m_records.put_value(value);
    return true;
  }

  Function& m_function;
  TargetLibraryInfo const& m_library;
  DataLayout const& m_layout;
  FunctorVariable m_functor;
  Iterations m_iterations;
  Loops m_loops;
  Addresses m_addresses;
  Conditions m_conditions;
  Records m_records;
  std::string m_why;
};

/// A constant of the object's.
Constant* array_of(Words const& words, Module& module) {
  Constant* const value = ConstantDataArray::get(module.getContext(), words);
  auto* const variable =
      new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value, "teamsan_accesses");
  variable->setAlignment(Align(8));
  return variable;
}

}  // namespace

PreservedAnalyses LaneAccesses::run(Function& f, FunctionAnalysisManager& analyses) {
  SmallVector<CallInst*> calls;
  for (Instruction& i : instructions(f))
    if (auto* const call = dyn_cast<CallInst>(&i))
      if (Function const* const to = call->getCalledFunction(); to != nullptr && to->getName() == asks) calls.push_back(call);
  if (calls.empty()) return PreservedAnalyses::all();
  Words words;
  if (calls.size() == 1 && f.hasFnAttribute(flat_body) && f.hasFnAttribute(Attribute::SanitizeThread))
    words = Body(f, analyses).accesses();
  for (CallInst* const call : calls) {
    Value* const answer = words.empty() ? Constant::getNullValue(call->getType())
                                        : ConstantExpr::getPointerCast(array_of(words, *f.getParent()), call->getType());
    call->replaceAllUsesWith(answer);
    call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

}  // namespace teamsan_plugin
