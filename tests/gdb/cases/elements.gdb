# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements of Views in expressions: print.
# OPTIONS: num_threads=1
# REJECT: Python Exception
set confirm off
set width 0
break program.cpp:@call@
run
print table(1, 1)
# EXPECT: = 11
print/x table(2,0) + table(0, 1)
# EXPECT: = 0x15
p 2 * tile(rank)
# EXPECT: = 0
print tile(rank + 1) + own
# EXPECT: = 1
print table
# EXPECT: = "table" int\[3\]\[2\] LayoutRight
print rank
# EXPECT: = 0
print table(1, 5)
# EXPECT: teamsan: index 5 is outside the extent 2
