# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Device memory that the team touched before it acquired what another released.
# OPTIONS: num_threads=1
# ARGUMENTS: turns
# REJECT: Python Exception
set confirm off
set width 0
teamsan break program.cpp:@call@ if league == 1 && thread == 4 && lane == 1
run
teamsan shadow in(cell)
# EXPECT: "in", byte 96 of 256
# EXPECT: read +league 1 thread 4 lane 0  program.cpp:@own@  before the last barrier
teamsan shadow turn()
# EXPECT: "turn", byte 0 of 4
# EXPECT: last written +league 1 thread . lane .  program.cpp:[0-9]+  before the last barrier  \(atomic\)
teamsan shadow out(16)
# EXPECT: "out", byte 128 of 256
