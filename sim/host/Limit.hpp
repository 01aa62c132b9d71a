/// limit, for memory: device or host-pinned allocations that together exceed what there is. Launches that ask for too
/// much are machine/Launch.hpp's report_limit.
#pragma once

#include <teamsan/sim/host/Memory.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace teamsan::detect {

/// Makes the finding of an allocation of `bytes` that does not fit beside `taken` into `limit`, and returns the sentence
/// to throw.
std::string report_memory_limit(Space space, std::string_view label, std::size_t bytes, std::size_t taken,
                                std::size_t limit);

}  // namespace teamsan::detect
