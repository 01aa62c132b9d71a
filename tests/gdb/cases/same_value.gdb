# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two stores in scratch: the stop stands before the second, whose value decides what the report calls it, and names both.
# LAUNCH: --gdb --check race
# ARGUMENTS: same
# REJECT: Python Exception
set width 0
# EXPECT: teamsan: \[scratch-race or same-value\] write/write race on team scratch, .*, TS-[0-9a-f]+ or TS-[0-9a-f]+$
# EXPECT: program.cpp:@same@:[0-9]+   <- stands here
