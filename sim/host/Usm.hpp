// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory on the simulated GPU, after SYCL 2020, section 4.8: allocations of four kinds, each tied to a
/// context. Where they lie is Memory.hpp's business; this is who may touch them. What a backend's hook for
/// model/usm/ calls. A context is a number; 0 is the default one, and the instances that no context made belong to it.
/// A View, and what kokkos_malloc returns, belongs to none and may be touched in all.
#pragma once

#include "../base/Api.hpp"
#include "../base/UsmAspects.hpp"
#include "../memory/Allocations.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// Makes a USM allocation of what teamsan::allocate (Memory.hpp) has just returned.
TEAMSAN_API void usm_adopt(void* pointer, UsmKind kind, std::uint32_t context);

/// May `pointer` be given to teamsan::deallocate? Otherwise it is a finding: freed already, inside an allocation, a
/// View's, or nobody's. Another context's allocation is a finding too, and true.
TEAMSAN_API bool usm_may_free(void* pointer, std::uint32_t context);

/// The kind of the live allocation that holds the address, inside its bytes; `none` for other pointers and for
/// allocations of another context.
TEAMSAN_API UsmKind usm_kind(void const* pointer, std::uint32_t context) noexcept;

/// The context of the live allocation that holds the address; no_context if there is none.
TEAMSAN_API std::uint32_t usm_owner(void const* pointer) noexcept;

/// Kernels, copies and prefetches of that execution space instance belong to that context.
TEAMSAN_API void usm_bind_instance(std::uint32_t instance, std::uint32_t context);
TEAMSAN_API std::uint32_t usm_context_of(std::uint32_t instance);

/// A copy in that instance, asynchronous: pending until the instance is fenced. What it must not touch is a finding,
/// and then nothing is copied: freed memory, bytes behind an allocation, another context's allocation.
TEAMSAN_API void usm_copy(std::uint32_t instance, void* to, void const* from, std::size_t bytes);

/// The same for bytes that are all set to `value`.
TEAMSAN_API void usm_fill(std::uint32_t instance, void* to, unsigned char value, std::size_t bytes);

/// The pages of a shared allocation that hold these bytes move to the device, or to the host, if they are not there.
/// Anything but a shared allocation is left alone. Another context's allocation is a finding.
TEAMSAN_API void usm_prefetch(std::uint32_t instance, void const* pointer, std::size_t bytes, bool to_device);

/// Advice on these bytes. Changes nothing; another context's allocation is a finding.
TEAMSAN_API void usm_advise(std::uint32_t instance, void const* pointer, std::size_t bytes);

}  // namespace teamsan
