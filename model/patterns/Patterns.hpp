// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the kernel of a user's material reaches its data, as views over flat arrays of the device: each names
/// its access pattern, so that reports can. Header-only; needs Kokkos and nothing else.
/// docs/access-patterns.md has the table.
#pragma once

#include "Curves.hpp"
#include "ElementShared.hpp"
#include "Order.hpp"
#include "PerThread.hpp"
