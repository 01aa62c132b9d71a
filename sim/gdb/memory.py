# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading the program's memory by the table of offsets that it carries (sim/base/LaneTable.hpp). Nothing here or in
the other modules calls into the program or writes to it, so all of it works in a core file too."""
import struct

import gdb

VERSION = 1


def read(address, count):
    """bytes; gdb.MemoryError where there is nothing (a core file leaves the shadow out)."""
    return gdb.selected_inferior().read_memory(address, count).tobytes()


def u64(address):
    return struct.unpack("<Q", read(address, 8))[0]


def u32(address):
    return struct.unpack("<I", read(address, 4))[0]


def c_string(address, limit=400):
    if address == 0:
        return ""
    text = b""
    while b"\0" not in text and len(text) < limit:
        # Not past the end of the page, which may be the last one.
        text += read(address + len(text), min(64, 4096 - (address + len(text)) % 4096))
    return text.split(b"\0")[0].decode(errors="replace")


def std_string(address):
    """libstdc++: pointer, length."""
    return read(u64(address), min(u64(address + 8), 4096)).decode(errors="replace")


def std_vector(address):
    """Address and bytes of its elements."""
    begin, end = struct.unpack("<QQ", read(address, 16))
    return begin, end - begin


def pointers(address):
    """What a std::vector of pointers (or of std::unique_ptr) holds."""
    begin, count = std_vector(address)
    return struct.unpack("<%dQ" % (count // 8), read(begin, count)) if count else ()


def hash_nodes(address):
    """Addresses of the nodes of a libstdc++ unordered container; the value lies 8 bytes in."""
    node = u64(address + 16)
    while node:
        yield node
        node = u64(node)


class Table:
    """__teamsan_lane_table; raises gdb.error, one sentence, if the program has none that this script can read."""

    def __init__(self):
        try:
            self.address = int(gdb.parse_and_eval("(unsigned long)&__teamsan_lane_table"))
        except gdb.error:
            raise gdb.GdbError("teamsan: this program was not built for checking: it has no __teamsan_lane_table")
        head = read(self.address, 80)
        magic, self.version, count, fields = struct.unpack("<8sIIQ", head[:24])
        if magic != b"TEAMSAN\0":
            raise gdb.GdbError("teamsan: the program does not run: teamsan start runs it up to its first finding")
        if self.version != VERSION:
            raise gdb.GdbError("teamsan: the program's lane table is version %d, this script reads version %d"
                               % (self.version, VERSION))
        (self.workers, self.launch, self.launches, self.kernels, self.allocations, self.report) = struct.unpack(
            "<QQQQQQ", head[24:72])
        self._fields = _fields_of(fields, count)

    def __getitem__(self, name):
        return self._fields[name]

    def at(self, address, member):
        """The 8 bytes of a member."""
        return u64(address + self[member])

    def names(self, kind):
        """{value: name} of the enumerators "kind:name"."""
        return {v: n[len(kind) + 1:] for n, v in self._fields.items() if n.startswith(kind + ":")}


_cache = {}


def _fields_of(address, count):
    if (address, count) not in _cache:
        if read(address, 8) == bytes(8):
            raise gdb.GdbError("teamsan: start the program first")
        data = read(address, 16 * count)
        try:
            _cache[address, count] = {c_string(n): v for n, v in struct.iter_unpack("<QQ", data)}
        except gdb.MemoryError:  # a program that is not relocated yet
            raise gdb.GdbError("teamsan: start the program first")
    return _cache[address, count]


def forget():
    """Another program, or the same at other addresses."""
    _cache.clear()
