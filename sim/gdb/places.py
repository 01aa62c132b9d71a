# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which source line an instruction is of, and which frames are the user's own."""
import os
import re

import gdb

# Kokkos, desul, TeamSan and what lies between them and the user. Of code without line tables a template's name begins with its
# type: "void teamsan::slow_access<8u>(unsigned long)".
_internal_name = re.compile(
    r"^(?:[\w:]+[&*]* )*(Kokkos|desul|teamsan|boost|tbb|oneapi|std|__gnu_cxx)::|^__(tsan|teamsan|libc|wrap)_|^_Unwind_|"
    r"^_start$|^_?_?clone|^start_thread")
_internal_file = re.compile(r"/(Kokkos_[^/]*|desul/.*|sim/(machine|memory|runtime|detect|report)/[^/]*|mdspan/[^/]*|"
                            r"c\+\+/\d+/.*)$")


def is_internal(frame):
    """Kokkos' own code, the runtime's, or what no name is known of."""
    name = frame.name()
    if name is None:
        return True
    if _internal_name.search(name):
        return True
    sal = frame.find_sal()
    return sal.symtab is not None and _internal_file.search(sal.symtab.fullname()) is not None


def short(path):
    return os.path.basename(path)


def line_of(pc):
    """"file.cpp:12" for the access or call that returns to pc; its function where no line is known."""
    if pc == 0:
        return "an unknown place"
    sal = gdb.find_pc_line(pc - 1)
    if sal.symtab is not None and sal.line:
        return "%s:%d" % (short(sal.symtab.filename), sal.line)
    block = gdb.block_for_pc(pc - 1)
    while block is not None and block.function is None:
        block = block.superblock
    return block.function.print_name if block is not None else "%#x" % pc


def user_line_of(pc):
    """The same, empty for a line of Kokkos' own."""
    sal = gdb.find_pc_line(pc - 1) if pc else None
    internal = sal is None or sal.symtab is None or _internal_file.search(sal.symtab.fullname()) is not None
    return "" if internal else line_of(pc)


def address_of(site):
    """The instruction that a site is: the one nearest to the runtime whose address ends in those 32 bits."""
    if site == 0:
        return 0
    base = int(gdb.parse_and_eval("(unsigned long)&__teamsan_on_report"))
    near = base & ~0xffffffff | site
    return min((near - (1 << 32), near, near + (1 << 32)), key=lambda pc: abs(pc - base))


def user_frame(frame):
    """The innermost frame of the user's code from `frame` on, or None."""
    while frame is not None:
        if not is_internal(frame):
            return frame
        try:
            frame = frame.older()
        except gdb.error:
            return None
    return None
