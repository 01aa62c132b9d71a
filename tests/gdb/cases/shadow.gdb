# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is known of memory: scratch before and after the barrier, device memory of this and of earlier teams.
# OPTIONS: num_threads=1
# ARGUMENTS: uninit
# REJECT: Python Exception
set confirm off
set width 0
teamsan break program.cpp:@call@ if league == 1 && thread == 4 && lane == 1
run
teamsan shadow tile(5)
# EXPECT: ^tile\(5\) at 0x[0-9a-f]+, 8 bytes
# EXPECT: scratch level 0 of team 1, byte 40 of 64
# EXPECT: initialised +yes
# EXPECT: last written +league 1 thread 5 lane 0  program.cpp:@write@  before the last barrier
# EXPECT: read +league 1 thread 4 lane 0  program.cpp:@read@  in this barrier interval \(1\)
# EXPECT: and +league 1 thread 4 lane 1  program.cpp:@read@  in this barrier interval \(1\)
teamsan shadow tile((rank + 7) % 8)
# EXPECT: initialised +no: no lane of this team has written it
# EXPECT: read +league 1 thread 2 lane 0
teamsan shadow in(cell)
# EXPECT: "in", byte 96 of 256
# EXPECT: initialised +yes, before this launch
# EXPECT: read +league 1 thread 4 lane 0  program.cpp:@own@  before the last barrier
teamsan shadow out(0)
# EXPECT: "out", byte 0 of 256
# EXPECT: by a team that has ended: written +league 0 thread 0 lane 0  program.cpp:@store@
teamsan shadow out(8)
# EXPECT: last written +league 1 thread 0 lane 0  program.cpp:@store@  in this barrier interval \(1\)
teamsan shadow own
# EXPECT: on the stack of a lane
teamsan shadow (double*)0x168010000170
# EXPECT: scratch level 0 of team 1, byte 32 of 64
python
for expression in ("nonsense", "tile(8)", "tile(1, 1)"):
    try:
        gdb.execute("teamsan shadow " + expression)
    except gdb.error as error:
        print("refused: " + str(error))
end
# EXPECT: ^refused: .*No symbol "nonsense"
# EXPECT: ^refused: .*index 8 is outside the extent 8
# EXPECT: ^refused: .*the View has rank 1
