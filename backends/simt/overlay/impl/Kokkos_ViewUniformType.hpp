// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay that ends what overlay/impl/Kokkos_ViewMapping.hpp began.
#pragma once
#pragma GCC system_header

#undef allocate_shared

#include_next <impl/Kokkos_ViewUniformType.hpp>
