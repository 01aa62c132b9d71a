// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory (model/usm/) on the simulated GPU: allocations are tied to their contexts, and
/// instances too, so that the simulator can hold kernels, copies and frees to them. Programs that name
/// teamsan::Simt without the overlay include this after <teamsan/model/usm/Usm.hpp>.
#pragma once

#include "../Kokkos_Simt.hpp"

#include "../../../model/usm/Backend.hpp"

#include "../../../model/device/Device.hpp"
#include "../../../sim/host/NextAllocation.hpp"
#include "../../../sim/host/Usm.hpp"

namespace teamsan::usm {

template <>
struct Backend<Simt> {
  using Execution = Simt;

  static Aspects aspects() {
    struct {
      model::UsmAspects const& usm;
    } const device{usm_aspects()};
    return aspects_of(device);
  }

  static void* allocate(Kind kind, std::uint32_t context, std::size_t bytes, char const* label) {
    void* pointer = nullptr;
    switch (kind) {
      case Kind::device:
        pointer = SimtSpace().allocate(label, bytes);
        break;
      case Kind::shared:
        pointer = SimtSharedSpace().allocate(label, bytes);
        break;
      case Kind::system:
        usm_next_is_system();
        [[fallthrough]];
      case Kind::host:
        pointer = SimtHostPinnedSpace().allocate(label, bytes);
        break;
      case Kind::unknown:
        return nullptr;
    }
    usm_adopt(pointer, static_cast<UsmKind>(kind), context);
    return pointer;
  }

  static void free(void* pointer, std::uint32_t context) {
    if (!usm_may_free(pointer, context)) return;
    switch (static_cast<Kind>(usm_kind(pointer, usm_owner(pointer)))) {
      case Kind::device:
        return SimtSpace().deallocate(pointer, 0);
      case Kind::shared:
        return SimtSharedSpace().deallocate(pointer, 0);
      case Kind::host:
      case Kind::system:
      case Kind::unknown:
        return SimtHostPinnedSpace().deallocate(pointer, 0);
    }
  }

  static Kind kind_of(void const* pointer, std::uint32_t context) {
    return static_cast<Kind>(usm_kind(pointer, context));
  }

  static Simt make_instance(std::uint32_t context) {
    Simt const instance = Simt::create_instance();
    usm_bind_instance(instance.impl_instance_id(), context);
    return instance;
  }

  static void copy(Simt const& instance, void* to, void const* from, std::size_t bytes) {
    usm_copy(instance.impl_instance_id(), to, from, bytes);
  }
  static void fill(Simt const& instance, void* to, unsigned char value, std::size_t bytes) {
    usm_fill(instance.impl_instance_id(), to, value, bytes);
  }
  static void prefetch(Simt const& instance, void const* pointer, std::size_t bytes, bool to_device) {
    usm_prefetch(instance.impl_instance_id(), pointer, bytes, to_device);
  }
  static void advise(Simt const& instance, void const* pointer, std::size_t bytes, Advice) {
    usm_advise(instance.impl_instance_id(), pointer, bytes);
  }
};

static_assert(static_cast<int>(Kind::unknown) == static_cast<int>(UsmKind::none) &&
              static_cast<int>(Kind::device) == static_cast<int>(UsmKind::device) &&
              static_cast<int>(Kind::host) == static_cast<int>(UsmKind::host) &&
              static_cast<int>(Kind::shared) == static_cast<int>(UsmKind::shared) &&
              static_cast<int>(Kind::system) == static_cast<int>(UsmKind::system));

}  // namespace teamsan::usm
