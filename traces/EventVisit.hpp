// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hands a lane's event to the overload of a visitor's operator() for its kind: the visitor has one for every kind, so that the
/// compiler names a forgotten one.
#pragma once

#include "Event.hpp"

namespace teamsan::traces {

/// An event that is known to be of that kind.
template <EventKind>
struct EventOf : Event {};

template <class Visitor>
void visit(Event const& event, Visitor&& visitor) {
  switch (event.kind()) {
#define TEAMSAN_EVENT(name) \
  case EventKind::name:     \
    return visitor(EventOf<EventKind::name>{event});
#include "Events.def"
  }
}

}  // namespace teamsan::traces
