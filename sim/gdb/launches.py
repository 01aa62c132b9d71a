# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""teamsan start kernel [LABEL]: stops where a kernel is launched that is checked; for programs in which nothing is found."""
import re

import gdb

from teamsan_gdb import focus, memory

# count_launch(std::string_view kernel, std::uint64_t number, bool checked) of sim/findings/Collector.hpp.
_FUNCTION = "_ZN7teamsan12count_launchESt17basic_string_viewIcSt11char_traitsIcEEmb"


class _OnLaunch(gdb.Breakpoint):
    """At its first instruction the arguments are in registers."""

    def __init__(self, label):
        super().__init__("*(unsigned long) &" + _FUNCTION, internal=True, temporary=False)
        self.silent = True
        self.label = label
        self.found = None

    def stop(self):
        length, text, number, checked = (int(gdb.parse_and_eval("$" + r)) for r in ("rdi", "rsi", "rdx", "cl"))
        name = memory.read(text, min(length, 400)).decode(errors="replace")
        if not checked & 1 or re.fullmatch(self.label or r"(?!Kokkos::).*", name, re.S) is None:
            return False
        self.found = name, number
        return True


_breakpoint = None


def stop_at(label):
    """A kernel of that label (* is any text), or the first one that is not Kokkos' own."""
    global _breakpoint
    if _breakpoint is not None and _breakpoint.is_valid():
        _breakpoint.delete()
    _breakpoint = _OnLaunch(label and ".*".join(re.escape(part) for part in label.split("*")))


def _on_stop(event):
    if _breakpoint is None or not isinstance(event, gdb.BreakpointEvent) or _breakpoint not in event.breakpoints:
        return
    print('teamsan: kernel "%s", launch #%d, begins' % _breakpoint.found)
    if focus.select_user_frame() is not None:
        gdb.execute("frame")


gdb.events.stop.connect(_on_stop)
