# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Up to the first finding, at the access, and on to the next; flags of a Rerun line go with it.
# LAUNCH: --gdb --lane-order shuffle --seed 7 --check race
# ARGUMENTS: race
# REJECT: Python Exception
# REJECT: auto-loading has been declined
set width 0
bt
# EXPECT: teamsan: \[scratch-race\] (write/read|write/write) race on team scratch, kernel "exchange", launch #2
# EXPECT: program.cpp:(@write@|@read@):[0-9]+   <- stands here
# EXPECT: ^.*#[0-9]+ .*operator\(\).*program.cpp:(@write@|@read@)
show environment TEAMSAN_OPTIONS
# EXPECT: TEAMSAN_OPTIONS = .*lane_order=shuffle:seed=7.*num_threads=1
