# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Steps stay in the lane, past a barrier and with other lanes at the same breakpoint, on two workers.
# OPTIONS: num_threads=2
# REJECT: Python Exception
# REJECT: run_instrumented
set confirm off
set width 0
break program.cpp:@own@
teamsan break program.cpp:@barrier@ if league == 1 && thread == 3 && lane == 1
run
delete 1
continue
# EXPECT: program.cpp:@barrier@
teamsan
# EXPECT: ^league 1 thread 3 lane 1 of
break program.cpp:@read@
teamsan next
# EXPECT: ^@read@
teamsan
# EXPECT: ^league 1 thread 3 lane 1 of "exchange", running
teamsan next
# EXPECT: ^@call@
teamsan step
# EXPECT: weigh \(left=11, right=12, depth=2\)
teamsan next 2
# EXPECT: return depth
delete
finish
# EXPECT: Value returned is .* = 45
teamsan next
teamsan
# EXPECT: ^league 1 thread 3 lane 1 of "exchange", running
teamsan thread 6 lane 0
# EXPECT: ^league 1 thread 6 lane 0 of .*can go on from
teamsan next
# EXPECT: ^@read@
teamsan
# EXPECT: ^league 1 thread 6 lane 0 of "exchange", running
print own
# EXPECT: = 14$
teamsan next 9
# EXPECT: ^league 1 thread 6 lane 0 has left the kernel
# The end is not waited for: gdb may lose a program of several threads there ("Couldn't get registers: No such process").
break program.cpp:@done@
continue
# EXPECT: ^@done@
kill
# EXPECT: killed
