/// Whether this process records a trace, replays one, or (almost always) neither. Set before any kernel runs.
#pragma once

#include <cstdint>

namespace teamsan::trace {

enum class Mode : std::uint8_t { off, recording, replaying };

extern constinit Mode mode;

inline bool recording() { return mode == Mode::recording; }
inline bool replaying() { return mode == Mode::replaying; }

}  // namespace teamsan::trace
