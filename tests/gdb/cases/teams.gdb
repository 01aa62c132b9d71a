# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A race between teams is known when the second has ended: gdb says how to be there.
# LAUNCH: --gdb
# ARGUMENTS: teams
# REJECT: Python Exception
set width 0
set confirm off
teamsan break program.cpp:@store@ if league == 1 && thread == 0 && lane == 0
# EXPECT: teamsan: \[global-race\] write/write race on device memory between teams, kernel "exchange", launch #2
# EXPECT: WRITE +league 0 thread 0 lane 0   program.cpp:@store@
# EXPECT: WRITE +league 1 thread 0 lane 0   program.cpp:@store@
# EXPECT: the lanes have gone on; to be there: teamsan break program.cpp:@store@ if league == 0 && thread == 0 && lane == 0
run
# EXPECT: program.cpp:@store@
teamsan
# EXPECT: ^.*league 1 thread 0 lane 0 of "exchange", running
