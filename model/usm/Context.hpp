// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What allocations are tied to (SYCL 2020, 4.8.2): an allocation may be touched by kernels, and be copied,
/// prefetched and freed, in its own context alone. Kernels run in the context whose instance they are
/// launched in; Kokkos' default instance, and instances from elsewhere, belong to the default context.
///
///     usm::Context const physics = usm::Context::make();
///     auto const queue = physics.make_instance();
///     double* x = usm::malloc_shared<double>(n, physics, "x");
///     Kokkos::parallel_for("fill", Kokkos::RangePolicy(queue, 0, n), KOKKOS_LAMBDA(int i) { x[i] = i; });
///
/// In production a context costs nothing and separates nothing; the simulated GPU holds programs to it.
#pragma once

#include "Backend.hpp"

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>

namespace teamsan::usm {

/// A number; copies name the same context. Space: the execution space whose device it is about.
template <class Space>
class BasicContext {
 public:
  /// The default context.
  constexpr BasicContext() = default;

  /// A context that did not exist before.
  static BasicContext make() {
    static std::atomic<std::uint32_t> last{0};
    return BasicContext(++last);
  }

  /// A further execution space instance (SYCL's queue) whose kernels belong to this context, unordered with
  /// all others until they are fenced.
  Space make_instance() const { return Backend<Space>::make_instance(m_id); }

  constexpr std::uint32_t id() const { return m_id; }
  friend constexpr bool operator==(BasicContext const&, BasicContext const&) = default;

 private:
  explicit constexpr BasicContext(std::uint32_t id) : m_id(id) {}
  std::uint32_t m_id = 0;
};

using Context = BasicContext<Kokkos::DefaultExecutionSpace>;

}  // namespace teamsan::usm
