// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a value in an iteration is made of, in the words of Abi.h: of the iteration's indices, of the functor's bytes, of which
/// the body has a copy, and of constants; by sums, and products of which one factor is the same for all iterations. Beside
/// these, in those of Bounded.h: of what memory holds, of loops' counters, of remainders, quotients and bits, and of one of
/// several values.
///
/// LLVM's integers have no sign: each is asked for as the number that it is with one, or without. Of 64 bits these are one.
#pragma once

#include "Loops.hpp"

#include "../Words.hpp"

#include <cstdint>

namespace teamsan_plugin {

/// The variable that holds the copy of the functor, and which bytes of it do.
struct FunctorVariable {
  llvm::AllocaInst* variable = nullptr;
  llvm::MemCpyInst* copied_by = nullptr;
  std::int64_t begin = 0, end = 0;
};

/// A place in a variable: `known`: so many bytes behind its beginning.
struct Variable {
  explicit Variable(llvm::Value* pointer, llvm::DataLayout const& layout);
  llvm::Value* base = nullptr;  ///< nullptr: it is in memory
  std::int64_t at = 0;
  bool known = false;
  bool is_own() const { return base != nullptr && !llvm::isa<llvm::GlobalVariable>(base); }
};

class Addresses {
 public:
  Addresses(Iterations& iterations, Loops const& loops, FunctorVariable const& functor, llvm::ScalarEvolution& evolution,
            llvm::DataLayout const& layout)
      : m_iterations(iterations), m_loops(loops), m_functor(functor), m_evolution(evolution), m_layout(layout) {}

  /// An address or a number, as an instruction of that block has it, with a sign or without; false: it is made of something
  /// else.
  bool put(llvm::Value* value, bool is_signed, llvm::BasicBlock* at, Words& to);
  /// The same, and a number more, whatever 32 or 64 bits hold of the sum.
  bool put_sum(llvm::Value* value, std::int64_t more, llvm::BasicBlock* at, Words& to);
  /// Two names of one address.
  bool is_at(llvm::Value* pointer, llvm::Value* other, llvm::BasicBlock* at);
  /// What must be known for a loop to end.
  bool put_end_of(CountedLoop const& loop, Words& to);
  /// The same for a division by that not to trap.
  bool put_divisor(llvm::Value* divisor, bool is_signed, llvm::BasicBlock* at, Words& to);

 private:
  void begin(llvm::BasicBlock* at);
  bool put(llvm::Value* value, bool is_signed, Words& to);
  bool put_value_of(llvm::Value* value, bool is_signed, Words& to);
  bool put_cast(llvm::CastInst* cast, bool is_signed, Words& to);
  bool put_further(llvm::GetElementPtrInst* further, Words& to);
  bool put_operation(llvm::BinaryOperator* operation, bool is_signed, Words& to);
  bool put_parts(Word operation, llvm::BinaryOperator* joined, bool is_signed, Words& to);
  bool put_quotient(llvm::BinaryOperator* shifted, bool is_signed, Words& to);
  bool put_bounded(Word operation, llvm::Value* a, llvm::Value* b, bool is_signed, Words& to);
  bool put_or_any(llvm::Value* value, bool is_signed, Words& to);
  bool put_least_or_most(llvm::Value* value, bool is_signed, Words& to);
  bool put_of_memory(llvm::LoadInst* load, bool is_signed, Words& to);
  /// A number compares so with another one, the same in all iterations: what is computed of it then.
  struct Kept {
    Words words;
    bool is_signed = false, below = false;
  };
  std::vector<Kept> comparisons_of(llvm::LoadInst* load);
  void add_comparison(llvm::Value* condition, bool holds, llvm::LoadInst* load, int depth, std::vector<Kept>& to);
  static void put_kept(std::vector<Kept> const& kept, bool is_signed, Words& to);
  bool put_phi(llvm::PHINode* phi, bool is_signed, Words& to);
  bool put_recurrence(CountedLoop const& loop, llvm::PHINode* phi, bool is_signed, Words& to);
  bool put_counter(CountedLoop const& loop, bool is_signed, bool turns, Words& to);
  /// The number that was put is asked for with the other sign.
  void put_as(llvm::Type* type, bool was_signed, bool is_signed, Words& to) const;
  void put_fit(llvm::Type* type, bool is_signed, Words& to) const;
  Word of_type(Word operation, llvm::Type* type, bool is_signed) const;
  unsigned bits_of(llvm::Type* type) const { return static_cast<unsigned>(m_layout.getTypeSizeInBits(type)); }
  bool is_entered(CountedLoop const& loop, bool is_signed);
  bool is_asked_before(CountedLoop const& loop, llvm::CmpInst::Predicate wanted);
  bool is_asked(llvm::Value* condition, bool holds, CountedLoop const& loop, llvm::CmpInst::Predicate wanted, int depth);
  bool is_same(llvm::Value* a, llvm::Value* b, bool is_signed);

  Iterations& m_iterations;
  Loops const& m_loops;
  FunctorVariable const& m_functor;
  llvm::ScalarEvolution& m_evolution;
  llvm::DataLayout const& m_layout;
  std::set<llvm::PHINode*> m_open;
  std::set<llvm::BasicBlock*> m_open_loops;
  llvm::BasicBlock* m_at = nullptr;
  int m_depth = 0, m_left = 0;
  bool m_keeps = false;  ///< what conditions keep of a number counts: it is of this very moment
};

}  // namespace teamsan_plugin
