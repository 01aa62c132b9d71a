# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""teamsan shadow EXPR: what is known of the bytes: whose they are, who wrote them last, who has read them since, in which
barrier interval, and whether they are initialised. Mirrors memory/Cell.hpp and memory/GlobalShadow.hpp."""
import struct

import gdb

from teamsan_gdb import focus, info, memory, places, views
from teamsan_gdb.command import Command, is_core
from teamsan_gdb.machine import Machine

LANE, ATOMIC, SEVERAL, MANY, FLAGS = 0x3ff, 1 << 10, 1 << 11, 1 << 12, 0x1f << 10
FIRST_STAMP, BEFORE_LAUNCH, BYTEWISE, POISON = 1 << 15, 1, 0xfffffffe, 0xffffffff
NOBODYS_CHUNK = 0xffffffff
HASH = 0x9e3779b97f4a7c15
WIDE = 1 << 63


def allocation_of(t, address):
    """Address of the Allocation that owns the bytes of global memory, or 0."""
    offset = address - t["arena::device"]
    index = (memory.u32(t["arena::chunk_owners"] + 4 * (offset // t["arena::chunk_bytes"])) or
             memory.u32(t["arena::granule_owners"] + 4 * (offset // t["arena::granule_bytes"])))
    if index in (0, NOBODYS_CHUNK):
        return 0
    chunk = memory.u64(t.allocations + 8 * (index // t["AllocationTable::per_chunk"]))
    return chunk + index % t["AllocationTable::per_chunk"] * t["Allocation"]


def label_of(address):
    t = memory.Table()
    if not 0 <= address - t["arena::device"] < t["arena::global_bytes"]:
        machine = Machine()
        team = team_of_scratch(machine, address)
        if team is not None:
            return next((p["name"] for p in info.pieces(team) if address - p["begin"] in range(p["bytes"])), "")
        return ""
    owner = allocation_of(t, address)
    return memory.std_string(owner + t["Allocation.label"]) if owner else ""


def team_of_scratch(machine, address):
    t = machine.table
    for team in machine.teams():
        scratch = team.address + t["Team.m_scratch"]
        if t.at(scratch, "Scratch.m_begin") <= address < t.at(scratch, "Scratch.m_next"):
            return team
    return None


class _Cells:
    """The first and second Cell of a word or byte: ((site, who) of the write, (site, who) of the read) each."""

    def __init__(self, first, second):
        self.first, self.second = struct.unpack("<IIII", memory.read(first, 16)), second

    def seconds(self):
        return struct.unpack("<IIII", memory.read(self.second, 16))


def _scratch_cells(team, address):
    t = team.machine.table
    offset = (address - t["arena::scratch"]) // 4 * 16
    cells = _Cells(t["arena::scratch_cells"] + offset, t["arena::scratch_seconds"] + offset)
    if cells.first[1] != BYTEWISE:
        return cells
    for node in memory.hash_nodes(team.address + t["Team.m_scratch"] + t["Scratch.m_bytes"]):
        key, line = struct.unpack("<QQ", memory.read(node + 8, 16))
        if key == address // 64:
            return _Cells(line + t["ByteLine.first"] + address % 64 * 16, line + t["ByteLine.second"] + address % 64 * 16)
    return cells


def _line(team, key):
    """The running team's Line of the 64 bytes at key * 64, or None."""
    t = team.machine.table
    shadow = t.at(team.address, "Team.m_shadow")
    begin, count = memory.std_vector(shadow + t["TeamShadow.m_index"])
    slots = count // 16
    slot = (key * HASH & (1 << 64) - 1) >> memory.u32(shadow + t["TeamShadow.m_shift"])
    for _ in range(slots):
        found, line = struct.unpack("<QQ", memory.read(begin + 16 * slot, 16))
        if found & ~WIDE == key:
            return line
        if found == 0:
            break
        slot = (slot + 1) % slots
    for node in memory.hash_nodes(shadow + t["TeamShadow.m_known"]):
        known, line = struct.unpack("<QQ", memory.read(node + 8, 16))
        if known == key:
            return line
    return None


def _global_cells(team, address):
    """What the running team itself did there, or None."""
    t = team.machine.table
    line = _line(team, address // 64)
    if line is None:
        return None
    per_byte = t.at(line, "Line.per_byte")
    if per_byte:
        offset = address % 64 * 16
        return _Cells(per_byte + t["ByteLine.first"] + offset, per_byte + t["ByteLine.second"] + offset)
    cell = line + t["Line.first"] + (address // 4 % 16 >> memory.read(line + t["Line.wide"], 1)[0]) * 16
    return _Cells(cell, cell + t["LineChunk.more"])


def _who(team, site, who):
    index, width = who & LANE, team.launch.vector_length
    when = "in this barrier interval (%d)" % team.interval if who & ~(FLAGS | LANE) >= team.floor else (
        "before the last barrier")
    return "league %d thread %d lane %d  %s  %s%s" % (team.league, index // width, index % width,
                                                      places.line_of(places.address_of(site)), when,
                                                      "  (atomic)" if who & ATOMIC else "")


def describe_cells(team, cells, fresh):
    """Lines of text; `fresh`: what stands for bytes that this team has not written."""
    write_site, write, read_site, read = cells.first
    if write == POISON:
        return ["nobody's: the bytes belong to no allocation"]
    lines = []
    if write == 0:
        lines.append("initialised    " + fresh)
    elif write == BEFORE_LAUNCH:
        lines.append("initialised    yes, before this launch")
    else:
        lines += ["initialised    yes", "last written   " + _who(team, write_site, write)]
        if write & (SEVERAL | MANY):
            lines.append("and by         " + _who(team, *cells.seconds()[:2]))
    if read >= FIRST_STAMP:
        since = "read           " + _who(team, read_site, read)
        lines.append(since)
        if read & (SEVERAL | MANY):
            lines.append("and            " + _who(team, *cells.seconds()[2:]) + ("  and perhaps others" if read & MANY
                                                                            else ""))
    else:
        lines.append("read           by no lane of this team")
    return lines


def _committed(machine, address):
    """What earlier teams of this launch, and earlier launches, left: (lines, initialised)."""
    t = machine.table
    word = (address - t["arena::device"]) // 4
    main, extra = memory.u64(t["arena::global_cells"] + 8 * word), memory.u32(t["arena::global_extras"] + 4 * word)
    bit = address % 4
    init, written = main >> 6 >> bit & 1, main >> 34 >> bit & 1
    launch = machine.launch
    lines = []
    if launch is not None and main & 63 == launch.epoch and not extra >> 28 & 1:
        sites = t.at(launch.address, "LaunchState.checks") + t["detect::LaunchChecks.m_context"]
        wide = memory.read(sites + t["detect::CommitContext.wide_league"], 1) != b"\0"
        begin, count = memory.std_vector(sites + t["detect::CommitContext.sites"] + t["detect::SiteTable.m_sites"])
        league = main >> 10 & 0xffffff
        if wide:
            league |= memory.u32(t["arena::global_ticks"] + 4 * word) << 24

        def side(lane, number):
            width = launch.vector_length
            site = memory.u32(begin + 4 * number) if 4 * number < count else 0
            return "league %d thread %d lane %d  %s" % (league, lane // width, lane % width,
                                                        places.line_of(places.address_of(site)))
        if written:
            lines.append("written        " + side(main >> 42 & 1023, main >> 52 | (extra >> 24 & 3) << 12))
        if main >> 38 >> bit & 1:
            lines.append("read           " + side(extra & 1023, extra >> 10 & 0x3fff))
    return lines, bool(init or written or address >= t["arena::shared"])


def describe(address, count):
    """Lines of text about `count` bytes; what is said of the accesses is of the first byte."""
    machine = Machine()
    t = machine.table
    here = focus.place()
    team = next((team for team in machine.teams() if here is not None and team.league == here[0]), None)
    if 0 <= address - t["arena::scratch"] < t["arena::scratch_bytes"]:
        owner = team_of_scratch(machine, address)
        if owner is None:
            return ["scratch of no team that is running: stale, or not obtained"]
        lines = []
        for p in info.pieces(owner):
            if address - p["begin"] in range(p["bytes"]):
                lines = ["scratch level %d of team %d, byte %d of %d%s%s" % (
                    p["level"], owner.league, address - p["begin"], p["bytes"],
                    ', "%s"' % p["name"] if p["name"] else "", info.obtained(p))]
        return lines + describe_cells(owner, _scratch_cells(owner, address), "no: no lane of this team has written it")
    if 0 <= address - t["arena::device"] < t["arena::global_bytes"]:
        owner = allocation_of(t, address)
        if owner == 0:
            return ["device memory that was never allocated"]
        begin = t.at(owner, "Allocation.begin") + t.at(owner, "Allocation.header_bytes")
        live = memory.read(owner + t["Allocation.live"], 1) != b"\0"
        lines = ['"%s", byte %d of %d%s' % (memory.std_string(owner + t["Allocation.label"]), address - begin,
                                            t.at(owner, "Allocation.bytes") - t.at(owner, "Allocation.header_bytes"),
                                            "" if live else ", freed")]
        earlier, initialised = _committed(machine, address)
        cells = _global_cells(team, address) if team is not None else None
        if cells is not None:
            lines += describe_cells(team, cells, "yes" if initialised else "no: nothing has written it")
        else:
            lines.append("initialised    " + ("yes" if initialised else "no: nothing has written it"))
            if team is not None:
                lines.append("touched        by no lane of team %d" % team.league)
        return lines + ["by a team that has ended: " + line for line in earlier]
    if 0 <= address - t["arena::stacks"] < t["arena::stacks_bytes"]:
        return ["on the stack of a lane: nothing is kept of it"]
    if 0 <= address - t["arena::constant"] < t["arena::constant_bytes"]:
        return ["the kernel object in constant memory: lanes may only read it"]
    return ["host memory: nothing is kept of it"]


def _split_call(text):
    """"tile(f(i), 2)" as ("tile", ["f(i)", "2"]); ("", []) if it is no call."""
    if not text.endswith(")"):
        return "", []
    depth, parts, end = 0, [], len(text) - 1
    for at in range(len(text) - 1, -1, -1):
        depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(text[at], 0)
        if (depth == 1 and text[at] == ",") or depth == 0:
            parts.insert(0, text[at + 1:end].strip())
            end = at
        if depth == 0:
            return text[:at].strip(), [p for p in parts if p]
    return "", []


def _target(expression):
    """Address and bytes of what the expression names: an lvalue, what a pointer points to, an element of a View."""
    name, indices = _split_call(expression.strip())
    if name:
        try:
            base = gdb.parse_and_eval(name)
        except gdb.error:
            base = None
        if base is not None and views.is_view(base):
            view = views.View(base)
            return view.address([int(gdb.parse_and_eval(i)) for i in indices]), view.type.sizeof
    value = gdb.parse_and_eval(expression)
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_REF:
        value = value.referenced_value()
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR:
        return int(value), max(1, kind.target().sizeof)
    if kind.code in (gdb.TYPE_CODE_INT,) and value.address is None:
        return int(value), 1
    if value.address is None:
        raise gdb.GdbError("teamsan: %s has no address" % expression)
    return int(value.address), kind.sizeof


class Shadow(Command):
    """teamsan shadow EXPR: who wrote and read it last, in which barrier interval, is it initialised. EXPR is an lvalue, a
pointer, or an element of a View: tile(i, j)."""

    def __init__(self):
        super().__init__("teamsan shadow", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("teamsan: write teamsan shadow EXPR, such as teamsan shadow tile(3)")
        if is_core():  # what it leaves out may read as zeros
            raise gdb.GdbError("teamsan: the shadow is not in this core file")
        address, count = _target(argument)
        try:
            lines = describe(address, count)
        except gdb.MemoryError:
            raise gdb.GdbError("teamsan: the shadow is not in this core file")
        print("%s at %#x, %d bytes" % (argument.strip(), address, count))
        for line in lines:
            print("  " + line)


Shadow()
