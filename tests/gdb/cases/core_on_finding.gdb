# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --core-on-finding writes a core file in which the lane stands where the finding was made, and the program goes on.
# ARGUMENTS: race
# OPTIONS: num_threads=1:core_on_finding=@DIRECTORY@/finding.core
# REJECT: Python Exception
set confirm off
set width 0
run
# EXPECT: ^done
# EXPECT: finding.core is a core
# EXPECT: add-auto-load-safe-path
core-file @DIRECTORY@/finding.core
info teamsan finding
# EXPECT: ^teamsan: \[scratch-race\] .*kernel "exchange", launch #2, TS-
# EXPECT: ^  WRITE  league 0 thread 1 lane 0 .*program.cpp:@write@.*stands here
# EXPECT: ^  READ   league 0 thread 0 lane [01] .*program.cpp:@read@
# EXPECT: ^@write@
teamsan
# EXPECT: ^league 0 thread 1 lane 0 of "exchange", running
print own
# EXPECT: : 1$
info teamsan lanes
# EXPECT: league 0 +thread 0 .*has ended
print in
# EXPECT: = "in" double\[32\]
python
for command in ("teamsan shadow tile(0)", "teamsan next"):
    try:
        gdb.execute(command)
    except gdb.error as error:
        print("%s: %s" % (command, error))
end
# EXPECT: ^teamsan shadow tile\(0\): .*core file
# EXPECT: ^teamsan next: teamsan: a core file does not run
shell rm @DIRECTORY@/finding.core
