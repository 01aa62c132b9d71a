/// wrong-space and out-of-bounds, seen from the host: device memory touched by host code, a bad free.
#pragma once

namespace teamsan {
struct Access;
}

namespace teamsan::detect {

/// Host code touches an address of the arena.
void host_access(Access const& access);

/// Something was freed that allocate did not return, or was freed already.
void bad_free(void* pointer);

}  // namespace teamsan::detect
