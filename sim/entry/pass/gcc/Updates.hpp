// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Relaxed atomic updates of Kokkos' that give nothing back: by one instruction, or by a loop that exchanges what was there for
/// what is to be there, until nobody has come between. What such a loop reads first counts as part of the update.
#pragma once

#include "Gcc.hpp"

namespace teamsan_plugin {

struct Loop;

/// Of a namespace of Kokkos' or desul's.
bool is_of_kokkos(tree function);

/// A statement of a relaxed atomic: is it one of Kokkos' that give nothing back? What does makes a note.
bool gives_nothing_back(gimple* s);

/// Of 4 or 8 bytes by one instruction; 0: the call is none.
int bytes_of_update(gimple* call);

/// A loop that is such an update. It ends when the exchange finds what is expected: what was read before the loop, or what the
/// exchange before has found.
struct UpdateLoop {
  gimple *exchange = nullptr, *first_read = nullptr;
  int bytes = 0;
};

/// Whether the loop is one. Nothing of it is used behind it.
bool is_update(function* f, Loop const& loop, UpdateLoop& update);

}  // namespace teamsan_plugin
