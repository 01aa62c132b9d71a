# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An uninitialised read stops where it is made, though the verdict waits for the barrier interval to end.
# LAUNCH: --gdb
# ARGUMENTS: uninit
# REJECT: Python Exception
set width 0
print rank
# EXPECT: teamsan: \[uninit-scratch\] read of team scratch that no lane of this team has written so far, kernel "exchange"
# EXPECT: READ +league 0 thread 2 lane 0   program.cpp:@read@:[0-9]+   <- stands here
# EXPECT: = 2$
teamsan shadow tile(3)
# EXPECT: initialised +no: no lane of this team has written it
catch syscall exit_group
teamsan continue
# EXPECT: ERROR \[uninit-scratch\]
# EXPECT: call to syscall exit_group
print $rdi
# EXPECT: = 66$
kill
