#include <teamsan/sim/base/Shard.hpp>

namespace teamsan {

constinit Shard shard;

}  // namespace teamsan
