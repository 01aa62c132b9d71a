// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A virtual function is called: the plug-in tells of the object before (entry/pass/gcc/VirtualCalls.cpp). Where constructors
/// make such objects: entry/tsan/VirtualTables.hpp.
#include "../../../base/Api.hpp"
#include "../../../base/Arena.hpp"
#include "../../../machine/Events.hpp"
#include "../../../machine/FunctorCopy.hpp"
#include "../../../machine/Team.hpp"
#include "../../../memory/HostObjects.hpp"
#include "../../../memory/Hot.hpp"
#include "../../../places/Sites.hpp"
#include "../../../places/Symbolizer.hpp"
#include "../../../trace/TeamTrace.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {
namespace {

/// Backends keep a functor as what it is, and call its operator() directly, virtual or not.
bool is_call_by_backend(Site site) {
  struct Known {
    Site site{};
    bool is = false;
  };
  static thread_local Known known;
  if (known.site != site) {
    std::vector<Frame> const& frames = frames_of(site);
    known = {site, !frames.empty() && frames.front().internal};
  }
  return known.is;
}

}  // namespace

}  // namespace teamsan

extern "C" {

TEAMSAN_API void __teamsan_virtual_call(void const* object) noexcept {
  using namespace teamsan;
  if (hot.lane == nullptr || hot.in_runtime != 0) return;
  auto const address = reinterpret_cast<std::uintptr_t>(object);
  bool const of_functor =
      functor_copy.has(address) || arena::contains(arena::constant, arena::constant_bytes, address);
  if (!of_functor && !host_objects().has(address)) return;
  Site const site = TEAMSAN_CALL;
  RuntimeScope const scope;
  if (of_functor && is_call_by_backend(site)) return;
  trace::note(trace::EventKind::virtual_call, site, address, of_functor);
  events::called_virtual(*hot.team, address, of_functor, site);
}
}
