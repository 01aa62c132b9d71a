# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all commands have in common: a mistake is one sentence, no Python trace."""
import functools

import gdb


class Command(gdb.Command):
    def __init_subclass__(cls):
        work = cls.invoke

        @functools.wraps(work)
        def invoke(self, argument, from_tty):
            try:
                work(self, argument, from_tty)
            except gdb.error as error:  # of an expression, or of memory that is not there
                raise gdb.GdbError(str(error))

        cls.invoke = invoke


def is_core():
    connection = gdb.selected_inferior().connection  # since gdb 12
    return connection is not None and connection.type == "core"
