# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kokkos Views (Kokkos 5): label, extents, layout and values for the printer, the address of an element."""
import re

import gdb
import gdb.printing

from teamsan_gdb import memory

DYNAMIC = (1 << 64) - 1


def _leaves(value):
    """The numbers in a mapping, extents first, as they lie."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT:
        for field in kind.fields():
            if hasattr(field, "bitpos"):
                yield from _leaves(value[field])
    elif kind.code == gdb.TYPE_CODE_ARRAY:
        for i in range(kind.range()[0], kind.range()[1] + 1):
            yield from _leaves(value[i])
    else:
        yield int(value)


def _member(value, name):
    """The member of that name, of a base class too."""
    try:
        return value[name]
    except gdb.error:
        return None


class View:
    def __init__(self, value):
        self.value = value
        while value.type.strip_typedefs().code == gdb.TYPE_CODE_REF:
            value = value.referenced_value()
        handle = value["m_ptr"]
        self.tracker = None
        if handle.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
            self.tracker = handle["m_tracker"]
            handle = handle["m_handle"]
        self.data = int(handle)
        self.type = handle.type.strip_typedefs().target().strip_typedefs()
        mapping = value["m_map"]
        extents = _member(mapping, "exts")
        self.layout = next((text for mark, text in (("layout_left", "LayoutLeft"), ("layout_right", "LayoutRight"))
                            if mark in str(mapping.type.strip_typedefs())), "LayoutStride")
        numbers = list(_leaves(extents if extents is not None else mapping))
        static = self._static_extents(value)
        dynamic = iter(numbers)
        self.extents = [next(dynamic) if e == DYNAMIC else e for e in static]
        rest = list(dynamic)
        rank = len(self.extents)
        if self.layout == "LayoutStride":
            self.strides = rest[-rank:] if rank else []
        else:
            self.strides = self._padded_strides(mapping)

    @staticmethod
    def _static_extents(value):
        text = str(value.type.strip_typedefs().unqualified())
        for base in [value.type.strip_typedefs()] + [f.type.strip_typedefs() for f in
                                                    value.type.strip_typedefs().fields() if f.is_base_class]:
            found = re.search(r"\bextents<[^,<>]+((?:, *\d+[a-z]*)*)>", str(base))
            if found:
                return [int(re.sub("[a-z]", "", n)) for n in found.group(1).split(",") if n.strip()]
        raise gdb.GdbError("teamsan: %s is no View that this script knows" % text[:60])

    def _padded_strides(self, mapping):
        rank = len(self.extents)
        if rank == 0:
            return []
        order = range(rank) if self.layout == "LayoutLeft" else range(rank - 1, -1, -1)
        padded = _member(mapping, "padded_stride")
        pad = next(_leaves(padded), None) if padded is not None else None
        strides, run = [0] * rank, 1
        for place, i in enumerate(order):
            strides[i] = run
            run = (pad if pad is not None and place == 0 else self.extents[i]) * run
        return strides

    def label(self):
        """What the program calls it; empty: unmanaged memory."""
        if self.tracker is not None:
            try:
                bits = int(self.tracker["m_record_bits"])
                if bits & ~1 and not bits == 1:
                    record = gdb.Value(bits & ~1).cast(self.tracker["m_record"].type)
                    return record["m_alloc_ptr"]["m_label"].string()
            except (gdb.error, gdb.MemoryError, UnicodeDecodeError):
                pass
        from teamsan_gdb import shadow
        try:
            return shadow.label_of(self.data)
        except (gdb.error, gdb.GdbError, gdb.MemoryError):
            return ""

    def address(self, indices):
        if len(indices) != len(self.extents):
            raise gdb.GdbError("teamsan: the View has rank %d" % len(self.extents))
        for i, extent in zip(indices, self.extents):
            if not 0 <= i < extent:
                raise gdb.GdbError("teamsan: index %d is outside the extent %d" % (i, extent))
        return self.data + self.type.sizeof * sum(i * s for i, s in zip(indices, self.strides))

    def at(self, indices):
        return gdb.Value(self.address(indices)).cast(self.type.pointer()).dereference()

    def all_indices(self, most=1 << 62):
        """In the order of C arrays."""
        indices = [0] * len(self.extents)
        if 0 in self.extents:
            return
        for _ in range(most):
            yield tuple(indices)
            for d in range(len(indices) - 1, -1, -1):
                indices[d] += 1
                if indices[d] < self.extents[d]:
                    break
                indices[d] = 0
            else:
                return


def is_view(value):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_REF:
        kind = kind.target().strip_typedefs()
    return re.match(r"(const )?Kokkos::View<", str(kind.unqualified())) is not None


class _Printer:
    """label double[3][2] LayoutRight = {(0, 0) = 0, ...}: `set print elements` limits the values."""

    def __init__(self, value):
        self.view = View(value)

    def to_string(self):
        v = self.view
        label = v.label()
        return "%s%s%s %s at %#x" % ('"%s" ' % label if label else "", v.type.unqualified(),
                                     "".join("[%d]" % e for e in v.extents), v.layout, v.data)

    def children(self):
        limit = gdb.parameter("print elements") or 1 << 62
        for indices in self.view.all_indices(limit):
            yield "(%s)" % ", ".join(map(str, indices)), self.view.at(indices)


def _lookup(value):
    if re.match(r"Kokkos::View<", str(value.type.strip_typedefs().unqualified())) is None:
        return None
    try:
        return _Printer(value)
    except (gdb.error, gdb.GdbError, gdb.MemoryError, TypeError):
        return None  # optimised out, or another Kokkos: gdb's own way


_lookup.name = "teamsan-views"
_lookup.enabled = True
gdb.printing.register_pretty_printer(None, _lookup, replace=True)
