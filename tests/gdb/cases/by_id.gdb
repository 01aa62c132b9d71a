# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Goes on to one finding alone (named as when ids had six digits), with both sides' lines, columns and calls; then there is none.
# LAUNCH: --gdb --check race
# ARGUMENTS: race
# REJECT: Python Exception
set width 0
set confirm off
# EXPECT: teamsan: \[scratch-race\] .*, TS-e1d346[0-9a-f][0-9a-f]$
# EXPECT: program.cpp:(@write@|@read@):[0-9]+   <- stands here
teamsan start TS-000000
# EXPECT: teamsan: the program has ended without TS-000000
info teamsan finding
# EXPECT: teamsan: the program does not run: teamsan start runs it up to its first finding
teamsan start TS-e1d346
# EXPECT: teamsan: \[scratch-race\] .*, TS-e1d346[0-9a-f][0-9a-f]$
# REJECT: ended without TS-e1d346
