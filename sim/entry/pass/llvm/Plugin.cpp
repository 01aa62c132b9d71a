// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plug-in's door to Clang (-fpass-plugin). It serves the very compiler whose headers it was built with.
#include "Marks.hpp"

namespace teamsan_plugin {

using namespace llvm;

namespace {

/// Both vectorisers leave functions alone that may use no registers of floating-point numbers unasked.
constexpr char scalar[] = "teamsan-scalar";

}  // namespace

PreservedAnalyses BeginScalar::run(Function& f, FunctionAnalysisManager&) {
  if (f.hasFnAttribute(Attribute::SanitizeThread) && !f.hasFnAttribute(Attribute::NoImplicitFloat)) {
    f.addFnAttr(Attribute::NoImplicitFloat);
    f.addFnAttr(scalar);
  }
  return PreservedAnalyses::all();
}
PreservedAnalyses EndScalar::run(Module& module, ModuleAnalysisManager&) {
  for (Function& f : module)
    if (f.hasFnAttribute(scalar)) {
      f.removeFnAttr(Attribute::NoImplicitFloat);
      f.removeFnAttr(scalar);
    }
  return PreservedAnalyses::all();
}

}  // namespace teamsan_plugin

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  using namespace teamsan_plugin;
  using Level = llvm::OptimizationLevel;
  return {LLVM_PLUGIN_API_VERSION, "teamsan", LLVM_VERSION_STRING, [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, Level level) {
              if (level != Level::O0) passes.addPass(TwoBodies());
            });
            builder.registerPeepholeEPCallback([](llvm::FunctionPassManager& passes, Level level) {
              if (level != Level::O0) passes.addPass(OwnArrays());
            });
            builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, Level) {
              passes.addPass(VirtualCalls());
              passes.addPass(Waits());
              passes.addPass(LaneAccesses());
              passes.addPass(BeginScalar());
            });
            builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, Level level, auto...) {
              passes.addPass(EndScalar());
              passes.addPass(LeftOut());
#ifdef TEAMSAN_CHECKS_IN_LINE
              if (level != Level::O0) passes.addPass(Checks());
              if (level != Level::O0) passes.addPass(TeamChecks());
#endif
            });
          }};
}
