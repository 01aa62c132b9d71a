/// One kernel launch on the simulated GPU, as a backend asks for it. Knows nothing of Kokkos.
#pragma once

#include <teamsan/sim/machine/Lane.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace teamsan {

enum class Pattern : std::uint8_t { parallel_for, parallel_reduce, parallel_scan };
enum class Policy : std::uint8_t { range, md_range, team, work_graph };

/// Geometry as the GPU has it: `league_size` blocks of team_size * vector_length lanes.
struct LaunchConfig {
  std::string label;  ///< the Kokkos label, or the functor's demangled type name
  Pattern pattern = Pattern::parallel_for;
  Policy policy = Policy::range;
  std::uint64_t league_size = 1;
  std::uint32_t team_size = 1;
  std::uint32_t vector_length = 1;
  std::size_t team_scratch[2] = {0, 0};    ///< PerTeam bytes of level 0 and 1, as requested
  std::size_t thread_scratch[2] = {0, 0};  ///< PerThread bytes of level 0 and 1, as requested
  std::uint32_t instance = 0;              ///< execution space instance id
  std::string region;                      ///< profiling regions around it: "solve > assemble"
};

/// A lane's whole work, called once per lane on the lane's own stack. `kernel` points to the copy of the kernel object
/// in the simulated constant memory.
using LaneFunction = void (*)(void const* kernel, Lane const& lane);

/// Runs a launch to its end. The `kernel_bytes` of the kernel object (functor with policy) are copied bit by bit into
/// the simulated constant memory, as a GPU launch does; a lane that writes there is reported.
/// Teams run on the worker threads in parallel; their effects on what is shared (findings, global shadow, printed
/// output) are committed in league order.
/// Does not throw for findings. Throws std::runtime_error when the launch cannot be made (say why in one sentence).
void launch(LaunchConfig const& config, void const* kernel, std::size_t kernel_bytes, LaneFunction lane_function);

/// Called on each worker thread before it runs the first team of a launch, and after the last one
/// (Kokkos' thread-local View tracking is switched here).
struct ThreadHooks {
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
};
void set_thread_hooks(ThreadHooks hooks);

/// Ends what is pending in an execution space instance (all instances: instance = ~0u).
void fence(std::uint32_t instance);

/// The program has made an execution space instance of its own, whose kernels nothing orders with others'.
void note_instances();

/// What the instance does beside its kernels and is not waited for until it is fenced, for `missing-fence`: a kernel's
/// result put into a View, a copy. The memory may be of any space.
enum class AsyncWork : std::uint8_t { result, copy };
void pend_write(std::uint32_t instance, void const* begin, std::size_t bytes, AsyncWork work);
void pend_read(std::uint32_t instance, void const* begin, std::size_t bytes);

/// A request above a limit of the modelled device: makes the `limit` finding, with the devices that would accept it.
/// The backend then throws with the same message, as the real backend does.
enum class LimitKind : std::uint8_t { scratch_level0, scratch_level1, team_size, vector_length, league_size };
void report_limit(LimitKind kind, LaunchConfig const& config, std::size_t requested, std::size_t maximum,
                  std::string const& message);

}  // namespace teamsan
