// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The runtime's own beginning, before main if the program is instrumented, at the first launch otherwise. The room `process`
/// does it.
#pragma once

namespace teamsan {

/// Reads the options, reserves the arena, installs signal and exit handlers. Once; later calls do nothing.
void start();

/// The same for a program that tells of its accesses; what a translation unit compiled for checking calls first.
void start_instrumented();

/// A stack for the calling thread's signal handlers, so that a lane's stack overflow can be told.
void install_signal_stack();

/// True once a translation unit compiled for checking has announced itself.
bool is_instrumented();

}  // namespace teamsan
