# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops at findings: a breakpoint on __teamsan_on_report, and what is said of a finding there."""
import struct

import gdb

from teamsan_gdb import focus, memory, places

_SIDES, _SIDE = 40, 32  # bytes of TeamsanReport before its sides; of one
_ACCESS = {0: "LANE", 1: "READ", 2: "WRITE", 3: "ATOMIC", 4: "ATOMIC"}
_breakpoint = None


_only_in = None    # (league, thread, lane) that is stepped: findings of others do not stop there
_elsewhere = []    # what they were, for the end of the step


class _Follow(gdb.Parameter):
    """Whether a finding in another lane ends teamsan step and next, and takes the focus there."""

    def __init__(self):
        super().__init__("teamsan follow", gdb.COMMAND_STACK, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return "A finding in another lane ends teamsan step: " + value


_follow = None

_wanted = None  # the id of the only finding to stop at
_met = False    # it did


class _OnReport(gdb.Breakpoint):
    def __init__(self):
        super().__init__("__teamsan_on_report", internal=True)
        self.silent = True

    def stop(self):
        global _met
        # Who wrote an id down when ids had six digits means what begins with them.
        here = _wanted is None or any(i == _wanted or (len(_wanted) == 9 and i.startswith(_wanted))
                                      for i in _id(memory.Table().report).split(" or "))
        if here and _only_in is not None and not _follow.value and not _stands_in(_only_in):
            _elsewhere.append(_headline(memory.Table().report))
            return False
        _met = _met or here
        return here


def _stands_in(place):
    running = focus.running_place()
    return running is not None and running[:3] == place


def _id(report):
    return memory.c_string(memory.u64(report + _SIDES + 2 * _SIDE))


def _headline(report):
    rule, title, kernel, launch = struct.unpack("<QQQQ", memory.read(report, 32))
    kernel, name = memory.c_string(kernel), _id(report)
    where = focus.running_place()
    return "[%s] %s%s%s%s" % (memory.c_string(rule), memory.c_string(title),
                              ', kernel "%s", launch #%d' % (kernel, launch) if kernel else "",
                              ", " + name if name else "",
                              ", in league %d thread %d lane %d" % where[:3] if where else "")


class OnlyIn:
    """While it lives a finding that another lane makes is noted, and told at the end; the focus stays."""

    def __init__(self, place):
        self.place = place

    def __enter__(self):
        global _only_in
        _only_in = self.place
        _elsewhere.clear()

    def __exit__(self, *_):
        global _only_in
        _only_in = None
        for line in _elsewhere:
            print("teamsan: meanwhile %s" % line)


def stop_only_at(words):
    """Takes an id, TS-..., from the words of a command; without one every finding stops."""
    global _wanted, _met
    _met = False
    _wanted = next((w for w in words if w.startswith("TS-")), None)
    return [w for w in words if w != _wanted]


def _on_exit(event):
    if _wanted is not None and not _met and hasattr(event, "exit_code"):  # without one it was killed
        print("teamsan: the program has ended without %s" % _wanted)


def stop_at_findings():
    global _breakpoint
    if _breakpoint is None or not _breakpoint.is_valid():
        _breakpoint = _OnReport()


def is_ours(breakpoint):
    return breakpoint == _breakpoint or breakpoint.location == "__teamsan_on_report"


class Quiet:
    """While it lives stops say nothing; the caller does."""
    now = None

    def __enter__(self):
        Quiet.now = self
        self.last = None
        self.was = gdb.parameter("suppress-cli-notifications")  # since gdb 12
        gdb.execute("set suppress-cli-notifications on")
        gdb.events.stop.connect(self._note)
        return self

    def __exit__(self, *_):
        Quiet.now = None
        gdb.execute("set suppress-cli-notifications " + ("on" if self.was else "off"))
        gdb.events.stop.disconnect(self._note)

    def _note(self, event):
        self.last = event

    def stopped(self):
        return _is_finding(self.last)

    def hit(self):
        return isinstance(self.last, gdb.BreakpointEvent)


def _is_finding(event):
    return isinstance(event, gdb.BreakpointEvent) and any(is_ours(b) for b in event.breakpoints)


def tell():
    """Prints the finding and goes to the user's frame."""
    t = memory.Table()
    if t.report == 0:
        return
    rule, title, kernel, launch, count, here = struct.unpack("<QQQQII", memory.read(t.report, _SIDES))
    kernel, name = memory.c_string(kernel), _id(t.report)
    print("teamsan: [%s] %s%s%s" % (memory.c_string(rule), memory.c_string(title),
                                    ', kernel "%s", launch #%d' % (kernel, launch) if kernel else "",
                                    ", " + name if name else ""))
    running = focus.place()
    stop = None
    for i in range(count):
        pc, league, thread, lane, access, _ = struct.unpack("<QQIIII", memory.read(t.report + _SIDES + _SIDE * i, _SIDE))
        way = memory.c_string(memory.u64(t.report + _SIDES + 2 * _SIDE + 8 + 8 * i), 4000).split("\n")
        place = places.short(way[0]) or places.line_of(pc)
        known = league != (1 << 64) - 1
        who = "league %d thread %d lane %d" % (league, thread, lane) if known else "host code, or a lane not known"
        stands = here and known and running is not None and running[:3] == (league, thread, lane)
        print("  %-6s %s   %s%s" % (_ACCESS.get(access, ""), who, place, "   <- stands here" if stands else ""))
        for caller in way[1:]:
            print("           called from %s" % places.short(caller))
        if known and stop is None:
            stop = "teamsan break %s if league == %d && thread == %d && lane == %d" % (places.line_of(pc), league,
                                                                                     thread, lane)
    if not here and stop is not None:
        print("  the lanes have gone on; to be there: %s, then run again" % stop)
    focus.set_variables()
    if focus.select_user_frame() is not None:
        gdb.execute("frame")


def _tell_lane():
    """At any other stop: in which lane it is."""
    try:
        here = focus.place()
    except (gdb.error, gdb.GdbError, gdb.MemoryError):
        return  # before the simulated GPU is there, or after it
    if here is not None:
        print("teamsan: in league %d thread %d lane %d" % here[:3])


def on_stop(event):
    focus.set_variables()
    if Quiet.now is not None:
        return
    if _is_finding(event):
        tell()
    else:
        _tell_lane()


class _Settings(gdb.Command):
    """What teamsan's commands do."""

    def __init__(self, word):
        super().__init__(word + " teamsan", gdb.COMMAND_STACK, prefix=True)


for _word in ("set", "show"):
    _Settings(_word)
_follow = _Follow()


# Workers come by the dozen, and a core file names each; `info threads` still does.
gdb.execute("set print thread-events off")


gdb.events.stop.connect(on_stop)
gdb.events.exited.connect(_on_exit)
