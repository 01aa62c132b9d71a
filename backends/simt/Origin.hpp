// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells the runtime which TeamSan made the program: the one whose headers it was compiled with, in a build folder or where
/// somebody installed it, or moved it to. Command lines to paste name that one's `teamsan` (sim/places/Launcher.cpp).
#pragma once

extern "C" {
/// Of one name in the program and its libraries: whichever the linker takes.
[[gnu::used, gnu::visibility("default")]] inline char const* const __teamsan_headers = __FILE__;
}
