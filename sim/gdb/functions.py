# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""$_league_rank(), $_team_rank(), $_lane(), $_is_lane(ADDRESS): for conditions of breakpoints. -1 outside kernels."""
import gdb

from teamsan_gdb import focus


class _Rank(gdb.Function):
    def __init__(self, name, which):
        super().__init__(name)
        self.which = which

    def invoke(self):
        here = focus.place()
        return here[self.which] if here else -1


class _IsLane(gdb.Function):
    """True for the lane of that league, thread and vector lane."""

    def __init__(self):
        super().__init__("_is_lane")

    def invoke(self, league, thread, lane):
        here = focus.place()
        return here is not None and here[:3] == (int(league), int(thread), int(lane))


for _i, _name in enumerate(("_league_rank", "_team_rank", "_lane")):
    _Rank(_name, _i)
_IsLane()
