// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandOvers.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// In line of what the host makes of an update that a GPU has an instruction for: a loop, or a lock of Kokkos' own.
bool is_of_update(Instruction const& i) {
  for (DILocation const* place = i.getDebugLoc(); place != nullptr; place = place->getInlinedAt()) {
    DISubprogram const* const of = place->getScope()->getSubprogram();
    StringRef const name = of != nullptr ? of->getName() : StringRef();
    if (name.substr(0, 12) == "host_atomic_" && name.split('<').first.find("oper") != StringRef::npos) return true;
  }
  return false;
}

/// An atomic, or a fence, by which lanes may tell each other something.
bool may_tell(Instruction const& i) {
  if (auto const* const update = dyn_cast<AtomicRMWInst>(&i))
    return update->getOperation() == AtomicRMWInst::Xchg || update->getOrdering() != AtomicOrdering::Monotonic;
  if (auto const* const fence = dyn_cast<FenceInst>(&i)) return fence->getSyncScopeID() != SyncScope::SingleThread;
  return isa<AtomicCmpXchgInst>(i) || i.isAtomic() || i.isVolatile();
}

}  // namespace

bool hands_over(Instruction const& i) { return may_tell(i) && !is_of_update(i); }

}  // namespace teamsan_plugin
