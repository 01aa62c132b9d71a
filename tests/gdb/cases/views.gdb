# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The printer of Views.
# OPTIONS: num_threads=1
# REJECT: Python Exception
set confirm off
set width 0
break program.cpp:@call@
run
print tile
# EXPECT: = double\[8\] LayoutLeft at 0x[0-9a-f]+ = \{\(0\) = 0, \(1\) = 1, .*\(7\) = 7\}
print table
# EXPECT: = "table" int\[3\]\[2\] LayoutRight at 0x[0-9a-f]+ = \{\(0, 0\) = 0, \(0, 1\) = 1, \(1, 0\) = 10, .*\(2, 1\) = 21\}
set print elements 2
print in
# EXPECT: = "in" double\[32\] LayoutLeft at 0x[0-9a-f]+ = \{\(0\) = 0, \(1\) = 1\.\.\.\}
