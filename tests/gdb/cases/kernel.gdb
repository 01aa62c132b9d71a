# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A program in which nothing is found stops where a kernel is launched.
# OPTIONS: num_threads=1
# REJECT: Python Exception
set confirm off
set width 0
teamsan start kernel
# EXPECT: teamsan: kernel "fill", launch #[0-9]+, begins
# EXPECT: in main \(.*program.cpp:
teamsan start kernel ex*nge
# EXPECT: teamsan: kernel "exchange", launch #[0-9]+, begins
bt 1
# EXPECT: in main \(.*program.cpp:
teamsan break program.cpp:@call@ if league == 1
continue
# EXPECT: program.cpp:@call@
print $_league_rank()
# EXPECT: = 1
