# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The frame filter: a backtrace shows the user's frames. `bt -no-filters` shows all."""
import itertools

import gdb

from teamsan_gdb import focus, places


class UserFrames:
    name = "teamsan"
    priority = 100
    enabled = True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        frames = list(itertools.islice(frames, 2000))
        thread_of_focus = focus.shown_in(gdb.selected_thread())
        own = [f for f in frames if not places.is_internal(f.inferior_frame())
               and not (thread_of_focus and f.inferior_frame().level() == 0)]
        return iter(own if own else frames)


UserFrames()
