/// The kernel vocabulary for workgroup memory and warps, all of it; docs/workgroup.md shows it.
#pragma once

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/launch_sized_scratch.hpp>
#include <teamsan/model/workgroup/vec.hpp>
#include <teamsan/model/workgroup/warp_load.hpp>
#include <teamsan/model/workgroup/warp_store.hpp>
#include <teamsan/model/workgroup/workgroup_layout.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
