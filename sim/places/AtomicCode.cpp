#include <teamsan/sim/places/AtomicCode.hpp>

#include <teamsan/sim/places/Symbolizer.hpp>

#include <algorithm>

namespace teamsan::detect {
namespace {

/// UnorderedMap::insert and find walk the map's lists while other lanes append to them with compare-and-swap:
/// on a GPU each such load is one access of relaxed order. The flags of insert and erase are stored by all
/// lanes alike. MemoryPool reads the states of its superblocks, and a bitset its words, in the same way
/// before it updates them atomically.
bool is_atomic(Frame const& frame) {
  if (frame.file.find("/desul/") != std::string::npos) return true;
  for (char const* const file : {"/Kokkos_MemoryPool.hpp", "/Kokkos_ConcurrentBitset.hpp"})
    if (frame.file.ends_with(file)) return true;
  return frame.file.ends_with("/Kokkos_UnorderedMap.hpp") &&
         (frame.function.find("insert") != std::string::npos ||
          frame.function.find("find") != std::string::npos ||
          frame.function.find("erase") != std::string::npos);
}

}  // namespace

bool is_atomic_code(std::uintptr_t pc) {
  struct Known {
    std::uintptr_t pc = 0;
    bool atomic = false;
  };
  thread_local Known recent[64];
  Known& known = recent[(pc ^ pc >> 6) % 64];
  if (known.pc != pc) {
    auto const& frames = frames_of(pc);
    known.atomic = std::any_of(frames.begin(), frames.end(), is_atomic);
    known.pc = pc;
  }
  return known.atomic;
}

bool is_atomic_loop(std::uintptr_t pc) {
  auto const& frames = frames_of(pc);
  return std::any_of(frames.begin(), frames.end(), [](Frame const& frame) {
    return frame.file.find("/desul/atomics/") != std::string::npos &&
           (frame.function.find("fetch_oper") != std::string::npos || frame.function.find("oper_fetch") != std::string::npos ||
            frame.function.find("atomic_fetch_") != std::string::npos);
  });
}

bool is_random_pool(std::uintptr_t pc) {
  auto const& frames = frames_of(pc);
  return std::any_of(frames.begin(), frames.end(),
                     [](Frame const& frame) { return frame.file.ends_with("_Random.hpp"); });
}

}  // namespace teamsan::detect
