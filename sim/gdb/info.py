# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""info teamsan lanes, teams, barriers, scratch, kernels, finding."""
import struct

import gdb

from teamsan_gdb import focus, memory, places, reports
from teamsan_gdb.command import Command
from teamsan_gdb.machine import Machine


def lane_ranges(lanes):
    """Texts for a set of lanes of one team: whole threads as "thread 0-3", parts as "thread 4 lane 1-2"."""
    by_thread = {}
    for lane in lanes:
        by_thread.setdefault(lane.thread, []).append(lane.lane)
    width = lanes[0].width if lanes else 1
    texts, whole = [], []

    def flush():
        if whole:
            texts.append("thread %s" % _span(whole[0], whole[-1]))
            whole.clear()

    for thread in sorted(by_thread):
        if len(by_thread[thread]) != width:
            flush()
            texts.append("thread %d lane %s" % (thread, _runs(sorted(by_thread[thread]))))
            continue
        if whole and thread != whole[-1] + 1:
            flush()
        whole.append(thread)
    flush()
    return texts


def _span(first, last):
    return "%d" % first if first == last else "%d-%d" % (first, last)


def _runs(numbers):
    runs = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ",".join(_span(a, b) for a, b in runs)


def _at(site):
    return " " + places.line_of(site) if site else ""


def _teams():
    machine = Machine()
    teams = machine.teams()
    if not teams:
        print("no kernel is running; %d launches so far" % machine.table.launches)
    return machine, teams


class Info(Command):
    """info teamsan lanes|teams|barriers|scratch|kernels: the simulated GPU as it is now."""

    def __init__(self):
        super().__init__("info teamsan", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, argument, from_tty):
        raise gdb.GdbError("teamsan: info teamsan lanes, teams, barriers, scratch or kernels")


class Lanes(Command):
    """The lanes of all teams in flight, those alike together; * the lane in focus."""

    def __init__(self):
        super().__init__("info teamsan lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        _, teams = _teams()
        here = focus.place()
        for team in teams:
            groups = {}
            for lane in team.lanes():
                mine = here is not None and lane.address == here[3]
                state, site = lane.state()
                if lane.running and here is not None and mine:
                    frame = focus.user_frame()
                    line = frame.find_sal() if frame is not None else None
                    state += " %s:%d" % (places.short(line.symtab.filename), line.line) if line and line.symtab else ""
                groups.setdefault((mine, state, site), []).append(lane)
            for (mine, state, site), lanes in sorted(groups.items(), key=lambda g: g[1][0].index):
                for text in lane_ranges(lanes):
                    print("%s league %-4d %-22s %s%s" % ("*" if mine else " ", team.league, text, state, _at(site)))


class Teams(Command):
    """The teams in flight: the thread that runs each, and what its lanes do."""

    def __init__(self):
        super().__init__("info teamsan teams", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        _, teams = _teams()
        here = focus.place()
        for team in teams:
            waiting = sum(lane.status.startswith("at_") for lane in team.lanes())
            fresh = sum(lane.status == "fresh" for lane in team.lanes())
            print("%s league %-4d \"%s\"  gdb thread %d  barrier interval %d  %d lanes: %d ended, %d wait, %d not begun%s"
                  % ("*" if here and here[0] == team.league else " ", team.league, team.launch.label,
                     team.worker.thread.num, team.interval, team.count, team.count - team.alive, waiting, fresh,
                     "" if team.checked else "  (not checked)"))


class Barriers(Command):
    """At which synchronisations the lanes of each team wait, and who has not arrived."""

    def __init__(self):
        super().__init__("info teamsan barriers", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        _, teams = _teams()
        for team in teams:
            since = "from" + _at(team.last_barrier) if team.last_barrier else "from the start of the kernel"
            print("league %d  barrier interval %d, %s" % (team.league, team.interval, since))
            waiting = {}
            for lane in team.lanes():
                if lane.status.startswith("at_"):
                    waiting.setdefault((lane.meeting, lane.site, lane.status), []).append(lane)
            for (meeting, site, status), lanes in waiting.items():
                print("  %d of %d lanes wait at %s%s: %s" % (len(lanes), team.count, meeting, _at(site),
                                                           ", ".join(lane_ranges(lanes))))
            missing = [lane for lane in team.lanes() if not lane.status.startswith("at_") and lane.status != "done"]
            if waiting and missing:
                print("  not arrived: %s" % ", ".join(lane_ranges(missing)))
            ended = [lane for lane in team.lanes() if lane.status == "done"]
            if waiting and ended:
                print("  ended: %s" % ", ".join(lane_ranges(ended)))


def pieces(team):
    """The pieces of scratch that the team has obtained: dictionaries, in the order of their addresses."""
    t = team.machine.table
    scratch = team.address + t["Team.m_scratch"]
    names = []
    begin, count = memory.std_vector(scratch + t["Scratch.m_names"])
    for at in range(begin, begin + count, t["Scratch::Name"]):
        names.append((t.at(at, "Scratch::Name.address"), memory.std_string(at + t["Scratch::Name.name"])))
    begin, count = memory.std_vector(scratch + t["Scratch.m_pieces"])
    found = []
    for at in range(begin, begin + count, t["ScratchPiece"]):
        piece = {"begin": t.at(at, "ScratchPiece.begin"), "bytes": t.at(at, "ScratchPiece.bytes"),
                 "level": memory.u32(at + t["ScratchPiece.level"]), "pc": places.address_of(memory.u32(at + t["ScratchPiece.site"])),
                 "per_thread": memory.read(at + t["ScratchPiece.per_thread"], 1) != b"\0",
                 "thread": memory.u32(at + t["ScratchPiece.thread"]), "name": ""}
        for address, name in names:
            if address - piece["begin"] in range(piece["bytes"]):
                piece["name"] = name
        found.append(piece)
    return found


def obtained(piece):
    line = places.user_line_of(piece["pc"])
    return "  obtained at " + line if line else ""


class ScratchOf(Command):
    """The scratch that the team in focus (all teams in flight, if none is) has obtained."""

    def __init__(self):
        super().__init__("info teamsan scratch", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        _, teams = _teams()
        here = focus.place()
        for team in teams:
            if here is not None and team.league != here[0]:
                continue
            print("league %d" % team.league)
            for p in pieces(team):
                owner = "thread %d" % p["thread"] if p["per_thread"] else "team"
                print("  %#x  level %d  %-10s %8d bytes%s%s" % (
                    p["begin"], p["level"], owner, p["bytes"], '  "%s"' % p["name"] if p["name"] else "",
                    obtained(p)))


class Kernels(Command):
    """The kernels launched so far; * the one that runs."""

    def __init__(self):
        super().__init__("info teamsan kernels", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        machine = Machine()
        t, running = machine.table, machine.launch
        counts = {}
        if t.kernels:
            for node in memory.hash_nodes(t.kernels):
                counts[memory.std_string(node + 8)], = struct.unpack("<Q", memory.read(node + 40, 8))
        for label in sorted(counts):
            text = ""
            if running is not None and running.label == label:
                text = "  launch #%d  %s, %d of %d teams done" % (running.number, running.geometry(),
                                                                running.committed, running.league_size)
                text += "  region " + running.region if running.region else ""
            print('%s "%s"  %d launch%s%s' % ("*" if text else " ", label, counts[label],
                                              "" if counts[label] == 1 else "es", text))
        if not counts:
            print("no kernel has been launched")


class Told(Command):
    """The finding that was just made, or that a core file is of."""

    def __init__(self):
        super().__init__("info teamsan finding", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if memory.Table().report == 0:
            raise gdb.GdbError("teamsan: no finding was made here; teamsan continue goes on to the next one")
        reports.tell()


for _command in (Info, Lanes, Teams, Barriers, ScratchOf, Kernels, Told):
    _command()
