// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes whose work is in steps (sim/base/Lane.hpp), each on its own stack: where the machine does not run the steps itself.
#pragma once

#include "../Macros.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <cstdint>

namespace teamsan::simt {

/// What lanes combine behind a step.
struct Met {
  LaneSteps const* steps;
  void const* kernel;
  Lane const* lane;
  std::uint64_t step;

  TEAMSAN_NO_INSTRUMENT static void combine(void* const* values, std::uint32_t lanes, void const* pointer) {
    Met const& met = *static_cast<Met const*>(pointer);
    met.steps->met(met.kernel, *met.lane, met.step, values, lanes);
  }
};

/// All steps that are left of the running lane's, with its value.
TEAMSAN_NO_INSTRUMENT inline void run_in_steps(LaneSteps const& steps, void const* kernel, Lane const& lane, void* value) {
  std::uint64_t const count = steps.count(kernel, lane);
  FirstStep const first = first_step(value);
  for (std::uint64_t step = first.step; step != count; ++step) {
    if (step != first.step || !first.taken) steps.run(kernel, lane, step, value);
    if (step + 1 == count) return;
    Met const context{&steps, kernel, &lane, step};
    meet(steps.meeting, value, &Met::combine, &context, steps.site);
  }
}

}  // namespace teamsan::simt
