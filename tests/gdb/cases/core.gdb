# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A core file has all lanes: their backtraces and variables, and what device memory held.
# OPTIONS: num_threads=1
# REJECT: Python Exception
set confirm off
set width 0
teamsan break weigh if league == 1 && thread == 3 && lane == 0
run
generate-core-file @DIRECTORY@/core
# EXPECT: Saved corefile
kill
core-file @DIRECTORY@/core
teamsan
# EXPECT: ^league 1 thread 3 lane 0 of "exchange", running
info teamsan lanes
# EXPECT: ^\* league 1 +thread 3 lane 0 +running program.cpp:13
# EXPECT: ^  league 1 +thread 4-7 +can go on from program.cpp:@barrier@
teamsan thread 6 lane 1
# EXPECT: ^#[1-9].*program.cpp:@barrier@
bt
# EXPECT: ^#[1-9].*operator\(\).*program.cpp:@barrier@
print own
# EXPECT: = 14$
print tile
# EXPECT: = double\[8\] .*\(7\) = 15\}
print in
# EXPECT: = "in" double\[32\] .*\(31\) = 31\}
shell rm @DIRECTORY@/core
