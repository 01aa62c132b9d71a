# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements of Views in expressions: watch.
# OPTIONS: num_threads=1
# NEEDS: watchpoints
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
