// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Thrust's header of this name, as far as Thrust.hpp goes.
#pragma once
#pragma GCC system_header

#include "../../Thrust.hpp"
