// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches and fences on the simulated GPU, as a backend asks for them. Knows nothing of Kokkos.
#pragma once

#include "../base/Api.hpp"
#include "../base/LaunchConfig.hpp"
#include "../machine/Lane.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

class LaunchScript;

/// Runs a launch to its end. The `kernel_bytes` of the kernel object (functor with policy) are copied bit by bit into
/// the simulated constant memory, as a GPU launch does; a lane that writes there is reported.
/// Teams run on the worker threads in parallel; their effects on what is shared (findings, global shadow, printed
/// output) are committed in league order.
/// Does not throw for findings. Throws std::runtime_error when the launch cannot be made (say why in one sentence).
/// `script`: what its teams do again, in a replay. `steps`: what the lane function does, if it is in steps. `plain`: what does
/// the same, for teams that are not checked.
TEAMSAN_API void launch(LaunchConfig const& config, void const* kernel, std::size_t kernel_bytes,
                        LaneFunction lane_function, LaunchScript* script = nullptr, LaneSteps const* steps = nullptr,
                        PlainBodies const& plain = {});

/// Nothing is known any more of what kernels did in earlier launches: for tests that launch one kernel for many.
void forget_kernels();

/// Ends what is pending in an execution space instance (all instances: instance = ~0u).
TEAMSAN_API void fence(std::uint32_t instance);

/// The program has made an execution space instance of its own, whose kernels nothing orders with others'.
TEAMSAN_API void note_instances();

/// What the instance does beside its kernels and is not waited for until it is fenced, for `missing-fence`: a kernel's
/// result put into a View, a copy. The memory may be of any space.
enum class AsyncWork : std::uint8_t { result, copy, fill };
TEAMSAN_API void pend_write(std::uint32_t instance, void const* begin, std::size_t bytes, AsyncWork work);
TEAMSAN_API void pend_read(std::uint32_t instance, void const* begin, std::size_t bytes);

}  // namespace teamsan
