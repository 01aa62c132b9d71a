# Elements of Views in expressions: print and watch.
# OPTIONS: num_threads=1
# REJECT: Python Exception
set confirm off
set width 0
break program.cpp:@own@
run
delete breakpoints
watch tile(1) if thread == 1
# EXPECT: atchpoint [0-9]+: \(\*\(double \*\) 0x[0-9a-f]+\)
continue
# EXPECT: Old value = 
# EXPECT: New value = 1
print $_team_rank()
# EXPECT: = 1
delete breakpoints
break program.cpp:@call@
continue
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
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
