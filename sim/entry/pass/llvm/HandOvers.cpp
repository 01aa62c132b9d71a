// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandOvers.hpp"

#include "../Telling.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

std::string_view text_of(StringRef name) { return {name.data(), name.size()}; }

/// Line tables alone have no name of a space, but a file.
bool is_update(DISubprogram const& of) {
  StringRef const file = of.getFilename();
  bool const kokkos = file.find("desul/") != StringRef::npos || file.substr(file.rfind('/') + 1).substr(0, 6) == "Kokkos";
  return kokkos && is_update_of_host(text_of(of.getName()));
}

/// In one, in line or not.
bool is_of_update(Instruction const& i) {
  for (DILocation const* place = i.getDebugLoc(); place != nullptr; place = place->getInlinedAt()) {
    DISubprogram const* const of = place->getScope()->getSubprogram();
    if (of != nullptr && is_update(*of)) return true;
  }
  return is_mangled_update_of_host(text_of(i.getFunction()->getName()));
}

/// Nobody has the address: it is loaded from and stored to, and that is all.
bool is_of_lane(Value const& address) {
  return all_of(address.users(), [&](User const* user) {
    if (auto const* const store = dyn_cast<StoreInst>(user)) return store->getValueOperand() != &address;
    if (isa<GetElementPtrInst>(user) || isa<BitCastInst>(user)) return is_of_lane(*user);
    auto const* const call = dyn_cast<IntrinsicInst>(user);
    return isa<LoadInst>(user) || (call != nullptr && call->isLifetimeStartOrEnd());
  });
}

bool is_strange(Instruction const& i) {
  if (!i.isVolatile()) return false;
  Value const* const address = getLoadStorePointerOperand(&i);
  Value const* const of = address != nullptr ? getUnderlyingObject(address) : nullptr;
  return of == nullptr || !isa<AllocaInst>(of) || !is_of_lane(*of);
}

Telling telling(Instruction const& i) {
  if (is_strange(i)) return Telling::strange;
  if (auto const* const update = dyn_cast<AtomicRMWInst>(&i))
    return update->getOperation() == AtomicRMWInst::Xchg ? Telling::atomic : Telling::update;
  if (auto const* const fence = dyn_cast<FenceInst>(&i))
    return fence->getSyncScopeID() == SyncScope::SingleThread ? Telling::nothing : Telling::fence;
  return i.isAtomic() ? Telling::atomic : Telling::nothing;
}

bool is_relaxed(Instruction const& i) {
  auto const* const update = dyn_cast<AtomicRMWInst>(&i);
  return update != nullptr && update->getOrdering() == AtomicOrdering::Monotonic;
}

}  // namespace

bool hands_over(Instruction const& i) { return may_tell(telling(i), is_relaxed(i)) && !is_of_update(i); }
bool may_hand_over_inside(CallBase const& call) { return !is_of_update(call); }

}  // namespace teamsan_plugin
