# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A finding that another lane makes while one is stepped is told and does not take the focus away, unless asked to.
# ARGUMENTS: same
# OPTIONS: num_threads=1:gdb=1
# REJECT: Python Exception
set confirm off
set width 0
teamsan break program.cpp:@same@ if league == 0 && thread == 3 && lane == 1
teamsan start
# EXPECT: program.cpp:@same@
teamsan next
# EXPECT: ^teamsan: meanwhile \[scratch-race or same-value\] .*kernel "exchange".* in league 0 thread 1 lane 0$
teamsan
# EXPECT: ^league 0 thread 3 lane 1 of "exchange", running
show teamsan follow
# EXPECT: ^A finding in another lane ends teamsan step: off
set teamsan follow on
teamsan start
# EXPECT: program.cpp:@same@
teamsan next
# EXPECT: ^teamsan: \[scratch-race or same-value\]
teamsan
# EXPECT: ^league 0 thread 1 lane 0 of "exchange", running
kill
# EXPECT: killed
