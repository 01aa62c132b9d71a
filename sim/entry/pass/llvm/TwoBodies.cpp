// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The first pass: before anything is in line, all that a root calls, directly or not, and that -fsanitize=thread would
/// instrument, gets a second body. Second bodies are not instrumented, call each other, and are optimised as if TeamSan's flags
/// for memory functions were not there. What was there before stays as it was, and is what others call: pointers to functions,
/// virtual calls, other files.
#include "Marks.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// Functions that a header marked by `__attribute__((annotate(mark)))`. The annotations go: they would keep what nobody calls.
struct Roots {
  SetVector<Function*> plain, blocks, flat, steps;
};
Roots take_roots(Module& module) {
  Roots roots;
  GlobalVariable* const notes = module.getGlobalVariable("llvm.global.annotations");
  if (notes == nullptr || !notes->hasInitializer()) return roots;
  auto* const all = dyn_cast<ConstantArray>(notes->getInitializer());
  if (all == nullptr) return roots;
  SmallVector<Constant*> others;
  for (Use& use : all->operands()) {
    auto* const note = cast<ConstantStruct>(use.get());
    auto* const text = dyn_cast<GlobalVariable>(note->getOperand(1)->stripPointerCasts());
    auto* const f = dyn_cast<Function>(note->getOperand(0)->stripPointerCasts());
    auto* const words =
        text != nullptr && text->hasInitializer() ? dyn_cast<ConstantDataArray>(text->getInitializer()) : nullptr;
    StringRef const mark = words != nullptr && words->isCString() ? words->getAsCString() : StringRef();
    if (f != nullptr && mark == plain_root)
      roots.plain.insert(f);
    else if (f != nullptr && mark == blocks_root)
      roots.blocks.insert(f);
    else if (f != nullptr && mark == flat_root)
      roots.flat.insert(f);
    else if (f != nullptr && mark == steps_root)
      roots.steps.insert(f);
    else if (f != nullptr && mark == of_lanes)
      f->addFnAttr(of_lanes);
    else
      others.push_back(note);
  }
  if (others.size() == all->getNumOperands()) return roots;
  std::string const section = notes->getSection().str();
  Type* const element = all->getType()->getElementType();
  notes->eraseFromParent();
  if (others.empty()) return roots;
  auto* const type = ArrayType::get(element, others.size());
  auto* const rest = new GlobalVariable(module, type, false, GlobalValue::AppendingLinkage, ConstantArray::get(type, others),
                                        "llvm.global.annotations");
  rest->setSection(section);
  return roots;
}

bool is_instrumented(Function const& f) { return f.hasFnAttribute(Attribute::SanitizeThread); }

/// What a call goes to, if its body is here and may be copied.
Function* body_of(CallBase const& call) {
  auto* const f = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (f == nullptr || f->isDeclaration() || f->isIntrinsic() || f->isInterposable()) return nullptr;
  if (f->hasFnAttribute(Attribute::Naked) || f->hasFnAttribute(Attribute::OptimizeNone)) return nullptr;
  if (f->getFunctionType() != call.getFunctionType()) return nullptr;
  for (BasicBlock const& b : *f)
    if (b.hasAddressTaken()) return nullptr;
  return f;
}
SmallVector<Function*> callees(Function& f) {
  SmallVector<Function*> all;
  for (Instruction& i : instructions(f))
    if (auto const* const call = dyn_cast<CallBase>(&i))
      if (Function* const to = body_of(*call)) all.push_back(to);
  return all;
}

/// What the roots reach, and is instrumented, or calls what is. In the order in which it was reached.
SmallVector<Function*> to_be_copied(SetVector<Function*> const& roots) {
  SetVector<Function*> reached;
  SmallVector<Function*> todo(roots.begin(), roots.end());
  DenseSet<Function*> wanted;
  while (!todo.empty())
    for (Function* const to : callees(*todo.pop_back_val()))
      if (!roots.count(to) && reached.insert(to)) {
        todo.push_back(to);
        if (is_instrumented(*to)) wanted.insert(to);
      }
  for (bool more = true; more;) {
    more = false;
    for (Function* const f : reached)
      if (!wanted.count(f))
        for (Function* const to : callees(*f))
          if (wanted.count(to)) more |= wanted.insert(f).second;
  }
  SmallVector<Function*> all;
  for (Function* const f : reached)
    if (wanted.count(f)) all.push_back(f);
  return all;
}

/// Not instrumented, and memory functions are the compiler's to choose again.
void make_plain(Function& f) {
  f.removeFnAttr(Attribute::SanitizeThread);
  f.addFnAttr(plain_body);
  for (char const* const name :
       {"memset", "memcpy", "memmove", "mempcpy", "bzero", "memcmp", "bcmp", "strcpy", "stpcpy", "strncpy"})
    f.removeFnAttr((Twine("no-builtin-") + name).str());
}

Function* copy_of(Function& f) {
  ValueToValueMapTy values;
  Function* const copy = CloneFunction(&f, values);
  copy->setName(f.getName() + ".plain");
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  copy->setComdat(nullptr);
  make_plain(*copy);
  return copy;
}

/// Its calls go to plain bodies, which run on lanes alone: Kokkos' Views ask for that at each access.
void redirect(Function& f, DenseMap<Function*, Function*> const& copies) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    auto* const call = dyn_cast<CallBase>(&i);
    Function const* const to = call != nullptr ? call->getCalledFunction() : nullptr;
    if (to != nullptr && to->getName() == "_ZN7teamsan9in_kernelEv" && isa<CallInst>(call)) {
      call->replaceAllUsesWith(ConstantInt::getTrue(call->getType()));
      call->eraseFromParent();
    } else if (to != nullptr && to->getName() == "__teamsan_atomic_was_load" && isa<CallInst>(call)) {
      call->eraseFromParent();
    } else if (call != nullptr) {
      if (auto const known = copies.find(body_of(*call)); known != copies.end()) call->setCalledFunction(known->second);
    }
  }
}

/// The user's body, which the root calls by way of the header's own functions, which are always in line.
void take_callees_in_line(Function& root) {
  for (Function* const to : callees(root)) {
    if (!to->hasFnAttribute(plain_body)) continue;
    if (to->hasFnAttribute(Attribute::AlwaysInline)) {
      take_callees_in_line(*to);
      continue;
    }
    bool const calls_itself = is_contained(callees(*to), to);
    if (!calls_itself && !to->hasFnAttribute(Attribute::NoInline)) to->addFnAttr(Attribute::AlwaysInline);
  }
}

/// What scans reach, and nothing else that is flat.
void mark_steps(Roots const& marked) {
  SetVector<Function*> others = marked.flat;
  others.remove_if([&](Function* f) { return marked.steps.count(f) != 0; });
  DenseSet<Function*> of_others;
  for (Function* const f : to_be_copied(others)) of_others.insert(f);
  for (Function* const f : marked.steps) f->addFnAttr(steps_body);
  for (Function* const f : to_be_copied(marked.steps))
    if (!of_others.count(f)) f->addFnAttr(steps_body);
}

}  // namespace

PreservedAnalyses TwoBodies::run(Module& module, ModuleAnalysisManager&) {
  Roots const marked = take_roots(module);
  SetVector<Function*> roots = marked.plain;
  for (Function* const f : marked.blocks) roots.insert(f);
  roots.remove_if([](Function const* f) { return f->isDeclaration(); });
  if (roots.empty()) return PreservedAnalyses::all();
  DenseMap<Function*, Function*> copies;
  SmallVector<Function*> plain(roots.begin(), roots.end());
  for (Function* const f : to_be_copied(roots)) plain.push_back(copies[f] = copy_of(*f));
  for (auto const& [f, copy] : copies) f->addFnAttr(lane_body);  // copies are made by now
  for (Function* const f : roots) make_plain(*f);
  for (Function* const f : marked.flat) f->addFnAttr(flat_body);
  for (Function* const f : to_be_copied(marked.flat)) f->addFnAttr(flat_body);
  mark_steps(marked);
  for (Function* const f : plain) redirect(*f, copies);
  for (Function* const f : marked.blocks)
    if (!f->isDeclaration()) {
      f->addFnAttr(blocks_body);
      take_callees_in_line(*f);
    }
  return PreservedAnalyses::none();
}

}  // namespace teamsan_plugin
