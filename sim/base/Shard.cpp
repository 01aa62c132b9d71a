// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/base/Shard.hpp>

namespace teamsan {

constinit Shard shard;

}  // namespace teamsan
