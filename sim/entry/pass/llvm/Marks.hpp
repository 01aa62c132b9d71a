// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The words by which headers (Roots.hpp) and the passes speak of functions: in headers annotations, which the first pass makes
/// attributes.
#pragma once

#include "Llvm.hpp"

#include "../Roots.hpp"

namespace teamsan_plugin {

/// By the first pass: lanes of flat launches run it.
inline constexpr char const* flat_body = "teamsan-flat-body";
/// Of such a function: lanes of scans run it, step by step, and none of flat launches.
inline constexpr char const* steps_body = "teamsan-steps-body";
/// By the first pass: lanes run it, and it has a plain body beside it.
inline constexpr char const* lane_body = "teamsan-lane-body";
/// By the first pass: this is a plain body.
inline constexpr char const* plain_body = "teamsan-plain-body";
/// And one that runs many lanes.
inline constexpr char const* blocks_body = "teamsan-blocks-body";

/// An optimiser computes one number on two ways and joins them: one of these, or the value itself.
inline llvm::Value* without_joining(llvm::Value* value) {
  auto const* const phi = llvm::dyn_cast<llvm::PHINode>(value);
  auto* const one = phi != nullptr ? llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValue(0)) : nullptr;
  if (one == nullptr) return value;
  for (llvm::Value const* const other : phi->incoming_values()) {
    auto const* const i = llvm::dyn_cast<llvm::Instruction>(other);
    if (i == nullptr || !i->isIdenticalToWhenDefined(one)) return value;
  }
  return one;
}

struct TwoBodies : llvm::PassInfoMixin<TwoBodies> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};
struct Waits : llvm::PassInfoMixin<Waits> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
struct LaneAccesses : llvm::PassInfoMixin<LaneAccesses> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
struct OwnArrays : llvm::PassInfoMixin<OwnArrays> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
struct VirtualCalls : llvm::PassInfoMixin<VirtualCalls> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};
/// Between the two, no function that is instrumented is vectorised: its accesses arrive as they were written.
struct BeginScalar : llvm::PassInfoMixin<BeginScalar> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};
struct EndScalar : llvm::PassInfoMixin<EndScalar> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

struct LeftOut : llvm::PassInfoMixin<LeftOut> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};
struct Checks : llvm::PassInfoMixin<Checks> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
struct TeamChecks : llvm::PassInfoMixin<TeamChecks> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace teamsan_plugin
