/// The calls that a compiler places before each plain access under -fsanitize=thread, for GCC and Clang. They translate
/// and nothing else; what an access means is decided in Access.hpp and sim/detect.
#include <teamsan/sim/base/CallSite.hpp>
#include <teamsan/sim/runtime/Access.hpp>

namespace {
using namespace teamsan;

void range(void const* p, std::size_t bytes, AccessKind kind, std::uintptr_t pc) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (address - hot.ignore_begin < hot.ignore_bytes || bytes == 0) return;
  access_range(address, bytes, kind, pc);
}
}  // namespace

#define TEAMSAN_CALLBACKS(n)                                                                       \
  void __tsan_read##n(void* p) { on_read<n>(p, TEAMSAN_PC); }                                      \
  void __tsan_write##n(void* p) { on_write<n>(p, TEAMSAN_PC); }                                    \
  void __tsan_volatile_read##n(void* p) { on_read<n>(p, TEAMSAN_PC); }                             \
  void __tsan_volatile_write##n(void* p) { on_write<n>(p, TEAMSAN_PC); }                           \
  void __tsan_unaligned_read##n(void* p) { range(p, n, AccessKind::read, TEAMSAN_PC); }            \
  void __tsan_unaligned_write##n(void* p) { range(p, n, AccessKind::write, TEAMSAN_PC); }          \
  void __tsan_unaligned_volatile_read##n(void* p) { range(p, n, AccessKind::read, TEAMSAN_PC); }   \
  void __tsan_unaligned_volatile_write##n(void* p) { range(p, n, AccessKind::write, TEAMSAN_PC); } \
  void __tsan_read_write##n(void* p) {                                                             \
    on_read<n>(p, TEAMSAN_PC);                                                                     \
    on_write<n>(p, TEAMSAN_PC);                                                                    \
  }                                                                                                \
  void __tsan_unaligned_read_write##n(void* p) {                                                   \
    range(p, n, AccessKind::read, TEAMSAN_PC);                                                     \
    range(p, n, AccessKind::write, TEAMSAN_PC);                                                    \
  }

extern "C" {

TEAMSAN_CALLBACKS(1)
TEAMSAN_CALLBACKS(2)
TEAMSAN_CALLBACKS(4)
TEAMSAN_CALLBACKS(8)
TEAMSAN_CALLBACKS(16)

void __tsan_read_range(void* p, unsigned long bytes) { range(p, bytes, AccessKind::read, TEAMSAN_PC); }
void __tsan_write_range(void* p, unsigned long bytes) { range(p, bytes, AccessKind::write, TEAMSAN_PC); }

// A virtual call reads the object's first word; which table it points to is the compiler's business.
void __tsan_vptr_read(void** p) { on_read<8>(p, TEAMSAN_PC); }
void __tsan_vptr_update(void** p, void*) { on_write<8>(p, TEAMSAN_PC); }

/// Marks an instrumented program for the launcher.
[[gnu::used, gnu::visibility("default")]] extern int const __teamsan_runtime = 1;
}
