// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernel vocabulary for workgroup memory and warps, all of it; docs/workgroup.md shows it.
#pragma once

#include "atomic.hpp"
#include "barriers.hpp"
#include "launch_sized_scratch.hpp"
#include "vec.hpp"
#include "warp_load.hpp"
#include "warp_store.hpp"
#include "workgroup_layout.hpp"
#include "workgroup_variables.hpp"
