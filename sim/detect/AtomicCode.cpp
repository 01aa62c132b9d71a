#include <teamsan/sim/detect/AtomicCode.hpp>

#include <teamsan/sim/report/Symbolizer.hpp>

#include <algorithm>

namespace teamsan::detect {

bool is_atomic_code(std::uintptr_t pc) {
  struct Known {
    std::uintptr_t pc = 0;
    bool atomic = false;
  };
  thread_local Known recent[64];
  Known& known = recent[(pc ^ pc >> 6) % 64];
  if (known.pc != pc) {
    auto const& frames = frames_of(pc);
    known.atomic = std::any_of(frames.begin(), frames.end(),
                               [](Frame const& f) { return f.file.find("/desul/") != std::string::npos; });
    known.pc = pc;
  }
  return known.atomic;
}

}  // namespace teamsan::detect
