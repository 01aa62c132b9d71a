#include <teamsan/sim/memory/Hot.hpp>

namespace teamsan {

thread_local constinit Hot hot;

}  // namespace teamsan
