// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Shard.hpp"

namespace teamsan {

constinit Shard shard;

}  // namespace teamsan
