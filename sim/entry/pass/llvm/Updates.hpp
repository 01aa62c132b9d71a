// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Relaxed atomic updates of Kokkos' that give nothing back: by one instruction, or by a loop that exchanges what was there for
/// what is to be there, until nobody has come between. What such a loop reads first counts as part of the update.
#pragma once

#include "Llvm.hpp"

namespace teamsan_plugin {

/// An instruction of a relaxed atomic: is it one of Kokkos' that give nothing back? What does makes a note.
bool gives_nothing_back(llvm::Instruction const& i);

/// The compare-and-exchange that the value comes of, through conversions, or nullptr; `exchanged`: whether it says if it was.
llvm::AtomicCmpXchgInst* exchange_of(llvm::Value* value, bool& exchanged);

/// One that expects what the one before it has found: no other lane has anything to do for it.
bool expects_what_was_found(llvm::Loop const& loop, llvm::AtomicCmpXchgInst* exchange);

/// Where such an exchange of this loop has found what was expected, does the loop end by this condition, which each turn comes
/// to? `stays`: it goes on where the condition is that.
bool ends_when_exchanged(llvm::Loop const& loop, llvm::Value* condition, bool stays);

/// A loop that is such an update. It ends when the exchange finds what is expected: what was read before the loop, or what the
/// exchange before has found.
struct UpdateLoop {
  llvm::AtomicCmpXchgInst* exchange = nullptr;
  llvm::LoadInst* first_read = nullptr;
};

/// Whether the loop, which control comes to from `entry` and goes on in from `latch`, is one. Nothing of it is used behind it.
bool is_update(llvm::Loop const& loop, llvm::BasicBlock* entry, llvm::BasicBlock* latch, llvm::DominatorTree const& dominators,
               UpdateLoop& update);

}  // namespace teamsan_plugin
