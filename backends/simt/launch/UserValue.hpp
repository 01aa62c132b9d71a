// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the backend, itself not instrumented, reads and writes a variable the user handed it by reference: a
/// lane's own variable most often, but it may lie in scratch or in a View, and then the access counts as the
/// lane's own.
#pragma once

#include "../Macros.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <type_traits>

namespace teamsan::simt {

/// Runs a type's own assignment where the compiler instruments it.
template <class Value>
void assign_instrumented(Value& to, Value const& from) {
  to = from;
}

/// `to = from` by the running lane at `site`.
template <class Value>
TEAMSAN_NO_INSTRUMENT void write_user_value(Value& to, Value const& from, void const* site) {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    note_write(&to, sizeof(Value), site);  // before the store: whether it changes the value is part of the check
    to = from;
  } else {
    ResultScope const result;
    assign_instrumented(to, from);
  }
}

/// A copy of `from`, read by the running lane at `site`.
template <class Value>
TEAMSAN_NO_INSTRUMENT Value read_user_value(Value const& from, void const* site) {
  note_read(&from, sizeof(Value), site);
  return from;
}

}  // namespace teamsan::simt
