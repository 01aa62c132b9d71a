# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A breakpoint in one lane, the lanes around it, and backtraces of those that are suspended.
# OPTIONS: num_threads=1
# REJECT: Python Exception
# REJECT: \[New (LWP|Thread)
set confirm off
set width 0
teamsan break weigh if league == 1 && thread == 2 && lane == 1
run
# EXPECT: Breakpoint 1, weigh \(left=10, right=11, depth=2\)
# EXPECT: ^teamsan: in league 1 thread 2 lane 1$
teamsan
# EXPECT: ^league 1 thread 2 lane 1 of "exchange", running
bt
# EXPECT: ^#0 .*weigh
# EXPECT: ^#1 .*operator\(\).*program.cpp:@call@
print $league_rank * 100 + $team_rank * 10 + $lane
# EXPECT: ^.1 = 121$
print $_league_rank() * 100 + $_team_rank() * 10 + $_lane()
# EXPECT: ^.2 = 121$
info teamsan kernels
# EXPECT: ^\* "exchange"  1 launch  launch #2  TeamPolicy\(league=4, team=8, vector=2\), 1 of 4 teams done
# EXPECT: ^  "fill"  1 launch
info teamsan teams
# EXPECT: ^\* league 1 .*barrier interval 1  16 lanes: 4 ended
info teamsan lanes
# EXPECT: ^  league 1 +thread 0-1 +has ended
# EXPECT: ^\* league 1 +thread 2 lane 1 +running program.cpp:13
# EXPECT: ^  league 1 +thread 3-7 +can go on from program.cpp:@barrier@
info teamsan scratch
# EXPECT: level 0  team +64 bytes
teamsan thread 5 lane 0
# EXPECT: ^league 1 thread 5 lane 0 of "exchange", can go on from program.cpp:@barrier@
# EXPECT: ^#[1-9].*program.cpp:@barrier@
print own
# EXPECT: = 13$
print rank
# EXPECT: = 5$
print $team_rank
# EXPECT: = 5$
bt -no-filters
# EXPECT: teamsan::meet
# EXPECT: team_barrier
# EXPECT: program.cpp:@barrier@
# EXPECT: teamsan::RunningTeam::run_lanes
teamsan thread 2 lane 1
# EXPECT: ^league 1 thread 2 lane 1 of "exchange", running
bt
# EXPECT: ^#0 .*weigh
python gdb.execute("set $wrong = 0")
python
for command in ("teamsan thread 0 lane 0", "teamsan league 3", "teamsan thread 8", "teamsan nonsense 1"):
    try:
        gdb.execute(command)
    except gdb.error as error:
        print("refused: " + str(error))
end
# EXPECT: ^refused: .*league 1 thread 0 lane 0 has ended
# EXPECT: ^refused: .*team 3 is not running now; in flight: 1
# EXPECT: ^refused: .*team 1 has 8 threads of 2 vector lanes
# EXPECT: ^refused: .*unknown command
teamsan break program.cpp:@barrier@ if league == 2 && thread == 3 && lane == 0
delete 1
continue
# EXPECT: program.cpp:@barrier@
info teamsan barriers
# EXPECT: ^league 2  barrier interval 0, from the start of the kernel
# EXPECT: ^  6 of 16 lanes wait at team_barrier\(\) program.cpp:@barrier@: thread 0-2
# EXPECT: ^  not arrived: thread 3-7
