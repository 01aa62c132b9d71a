# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lane that backtraces and variables are of. The lane that runs on a thread is that thread's own stack. Any other
lane's registers lie where __teamsan_switch saved them; an unwinder makes that stack the caller of the thread's innermost
frame, so that nothing is written, and it works in a core file."""
import gdb
from gdb.unwinder import Unwinder, register_unwinder

from teamsan_gdb import memory, places
from teamsan_gdb.machine import Machine, running_place


class _Registers:
    """sim/machine/Context.cpp: what lies at which offset from the saved context pointer."""

    def __init__(self, pc, sp, saved, context_bytes):
        self.pc, self.sp, self.saved, self.context_bytes = pc, sp, saved, context_bytes


_X86_64 = _Registers("rip", "rsp", {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38},
                     0x40)
_AARCH64 = _Registers("pc", "sp", {**{"x%d" % (19 + i): 0x40 + 8 * i for i in range(12)}, "pc": 0xa0}, 0xb0)


def _registers():
    return _AARCH64 if gdb.selected_inferior().architecture().name().startswith("aarch64") else _X86_64


_focus = None  # (ptid of the thread that shows it, the lane's place, context pointer, lane address)


def shown_in(thread):
    return _focus is not None and thread is not None and thread.ptid == _focus[0]


class _FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class _Unwinder(Unwinder):
    def __init__(self):
        super().__init__("teamsan-lane")

    def __call__(self, pending):
        if pending.level() != 0 or not shown_in(gdb.selected_thread()):
            return None
        context = _focus[2]
        registers = _registers()
        pc = pending.read_register(registers.pc)
        # gdb wants callers further up the stack than callees: the thread's frame counts as the lane's innermost.
        unwound = pending.create_unwind_info(_FrameId(gdb.Value(context), pc))
        for register, offset in registers.saved.items():
            unwound.add_saved_register(register, gdb.Value(memory.u64(context + offset)))
        unwound.add_saved_register(registers.sp, gdb.Value(context + registers.context_bytes))
        return unwound


def clear(*_):
    global _focus
    if _focus is not None:
        _focus = None
        gdb.invalidate_cached_frames()


def place():
    """(league, thread, lane, address) of the lane in focus, or of the one that runs on the selected thread, or None."""
    if shown_in(gdb.selected_thread()):
        return _focus[1] + (_focus[3],)
    return running_place()


def lane():
    """The same as a Lane."""
    machine = Machine()
    if shown_in(gdb.selected_thread()):
        return machine.find(*_focus[1])
    return machine.running_lane()


def set_variables():
    try:
        here = place()
    except (gdb.error, gdb.GdbError, gdb.MemoryError):
        here = None
    for i, name in enumerate(("league_rank", "team_rank", "lane")):
        gdb.set_convenience_variable(name, here[i] if here else None)


def user_frame():
    """The innermost frame of the user's code in the lane's stack, or None."""
    frame = gdb.newest_frame()
    return places.user_frame(frame.older() if shown_in(gdb.selected_thread()) else frame)


def select_user_frame():
    """Goes to the innermost frame of the user's code, if there is one."""
    frame = user_frame()
    if frame is not None:
        frame.select()
    return frame


def show(lane):
    """Puts the focus on a lane that runs or is suspended."""
    global _focus
    if lane.status == "fresh":
        raise gdb.GdbError("teamsan: %s has not begun" % lane)
    if lane.status == "done":
        raise gdb.GdbError("teamsan: %s has ended" % lane)
    clear()
    thread = lane.team.worker.thread
    if thread is not None:
        thread.switch()
    if lane.is_suspended():
        context = lane.team.machine.table.at(lane.fiber, "Fiber.context")
        _focus = (gdb.selected_thread().ptid, (lane.league, lane.thread, lane.lane), context, lane.address)
    gdb.invalidate_cached_frames()
    set_variables()
    select_user_frame()


register_unwinder(None, _Unwinder(), replace=True)
gdb.events.cont.connect(clear)
gdb.events.exited.connect(clear)
