// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a checked program's own objects call, also from shared libraries that hold no runtime of their own. All else in the
/// rooms is hidden from the program (cmake/Rooms.cmake), but for the compiler's callbacks and the functions of the C library
/// that the runtime stands in front of, which say so where they are defined.
#pragma once

#define TEAMSAN_API [[gnu::visibility("default")]]
