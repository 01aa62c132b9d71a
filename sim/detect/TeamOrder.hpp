/// Says when a run may have depended on the order in which teams ran, which workers do not fix: a note at the end of
/// the report, so that nobody takes a difference between two runs for an error of the tool.
#pragma once

#include <cstdint>
#include <vector>

namespace teamsan::detect {

/// Instructions whose atomics several teams of a launch performed on the same word. One that gives its old value back
/// (atomic_fetch_add, exchange, compare_exchange, load) makes the note; atomic_add and the like do not.
void note_shared_atomics(std::vector<std::uintptr_t> const& pcs);

/// Teams raced on device memory.
void note_raced_teams();

}  // namespace teamsan::detect
