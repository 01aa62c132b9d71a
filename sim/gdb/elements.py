# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print tile(0, 1), watch tile(1, 1): elements of Views in expressions. gdb calls no operator() of an object, and shall call
nothing in the program; an element is written here as what lies at its address."""
import re

import gdb

from teamsan_gdb import views
from teamsan_gdb.command import Command

# What may stand in front of an element's indices: a name, or a member of one.
_call = re.compile(r"(?<![\w.>$:'\"])((?:[A-Za-z_]\w*)(?:\s*(?:\.|->)\s*[A-Za-z_]\w*)*)\s*\(")


def _closing(text, start):
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return None


def _parts(text):
    """The arguments, parted by commas that no bracket holds."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p for p in parts if p.strip()]


def _view(name):
    try:
        value = gdb.parse_and_eval(name)
    except gdb.error:
        return None
    return views.View(value) if views.is_view(value) else None


def with_addresses(text):
    """The expression with each element of a View as *(TYPE *) ADDRESS."""
    at = 0
    while True:
        found = _call.search(text, at)
        if found is None:
            return text
        open_at = found.end() - 1
        close_at = _closing(text, open_at)
        view = _view(found.group(1)) if close_at is not None else None
        if view is None:
            at = found.end()
            continue
        indices = [int(gdb.parse_and_eval(with_addresses(part))) for part in _parts(text[open_at + 1:close_at])]
        element = "(*(%s *) %#x)" % (view.type.unqualified(), view.address(indices))
        text = text[:found.start(1)] + element + text[close_at + 1:]
        at = found.start(1) + len(element)


class Print(Command):
    """print [[OPTION]... --] [/FMT] [EXP]: gdb's own, and EXP may have elements of Views in it, such as tile(0, 1)."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        # gdb's own print went when this one came; its call says the same of everything but void.
        shape = re.match(r"/\w+\s*", argument)
        expression = argument[shape.end():] if shape else argument
        gdb.execute("call%s %s" % (shape.group().strip() if shape else "", with_addresses(expression) or "$"), from_tty)


class Watch(Command):
    """watch [-l] EXP [if CONDITION]: gdb's own, and EXP may be an element of a View, such as tile(0, 1). It stops after any
    lane has changed it; in CONDITION league, thread and lane are those of that lane."""

    def __init__(self):
        super().__init__("watch", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        from teamsan_gdb.commands import condition_of
        expression, found, condition = argument.partition(" if ")
        expression = expression.strip()
        if not expression:
            raise gdb.GdbError("teamsan: write watch EXPRESSION, such as watch tile(0, 1)")
        located = re.match(r"-l(ocation)?\s+", expression)
        plain = expression[located.end():] if located else expression
        addressed = with_addresses(plain)
        if located and addressed == plain:
            value = gdb.parse_and_eval(plain)
            addressed = "*(%s *) %#x" % (value.type.unqualified(), int(value.address))
        watchpoint = gdb.Breakpoint(addressed, gdb.BP_WATCHPOINT, gdb.WP_WRITE)
        if found:
            watchpoint.condition = condition_of(condition)


def _install():
    Print()
    for alias in ("p", "inspect"):
        try:
            gdb.execute("alias %s = print" % alias, to_string=True)
        except gdb.error:
            pass  # this gdb kept it
    Watch()


_install()
