// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The words by which headers (backends/simt/launch/Plain.hpp) speak of functions to both plug-ins: to GCC's in attributes, to
/// Clang's in annotations.
#pragma once

namespace teamsan_plugin {

/// All that this function calls is plain.
inline constexpr char const* plain_root = "teamsan_plain";
/// The same of one that runs many lanes in a loop, which what it calls itself is to be in line with.
inline constexpr char const* blocks_root = "teamsan_plain_blocks";
/// Lanes of flat launches run it, and all that it calls.
inline constexpr char const* flat_root = "teamsan_flat";
/// Of such a function: lanes of scans run it, step by step, and none of flat launches.
inline constexpr char const* steps_root = "teamsan_steps";
/// By it lanes follow each other. It touches nothing of the user's.
inline constexpr char const* of_lanes = "teamsan_of_lanes";

}  // namespace teamsan_plugin
