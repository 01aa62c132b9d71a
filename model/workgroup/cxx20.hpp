// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The headers of this room are C++20: names of variables are template arguments, and what a backend's member can do is asked
/// by `requires`. The target TeamSan::model_workgroup says so to CMake; this to who compiles without it.
#pragma once

#if __cplusplus < 202002L
#error "teamsan/model/workgroup is C++20: compile with -std=c++20 (with CMake, TeamSan::model_workgroup asks for it)"
#endif
