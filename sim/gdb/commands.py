# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`teamsan ...`: the focus, breakpoints in one lane, stepping in one lane, starting up to the first finding."""
import re

import gdb

from teamsan_gdb import focus, launches, places, reports
from teamsan_gdb.command import Command, is_core


class Teamsan(Command):
    """The simulated GPU: teamsan league L thread T lane V, break, step, next, continue, shadow, start; info teamsan."""

    def __init__(self):
        super().__init__("teamsan", gdb.COMMAND_RUNNING, prefix=True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError('teamsan: unknown command "%s"; help teamsan lists them' % argument.split()[0])
        print_focus()


def print_focus():
    lane = focus.lane()
    if lane is None:
        print("no lane: this thread is in host code")
        return
    state, site = lane.state()
    print("%s of \"%s\", %s%s" % (lane, lane.team.launch.label, state, " " + places.line_of(site) if site else ""))


class Focus(Command):
    """teamsan league L thread T lane V: backtraces and variables are those of that lane. What is left out stays."""

    def __init__(self, word):
        super().__init__("teamsan " + word, gdb.COMMAND_STACK)
        self.word = word

    def invoke(self, argument, from_tty):
        words = (self.word + " " + argument).split()
        here = focus.place()
        wanted = dict(zip(("league", "thread", "lane"), here or (None, 0, 0)))
        if here is None:
            from teamsan_gdb.machine import Machine
            teams = Machine().teams()
            wanted["league"] = teams[0].league if teams else None
        if len(words) % 2 or any(w not in wanted for w in words[::2]):
            raise gdb.GdbError("teamsan: write teamsan league L thread T lane V, with what is to change")
        for word, number in zip(words[::2], words[1::2]):
            wanted[word] = int(gdb.parse_and_eval(number))
        if wanted["league"] is None:
            raise gdb.GdbError("teamsan: no kernel is running")
        from teamsan_gdb.machine import Machine
        focus.show(Machine().find(wanted["league"], wanted["thread"], wanted["lane"]))
        print_focus()
        if focus.select_user_frame() is not None:
            gdb.execute("frame")


_words = {"league": "$_league_rank()", "league_rank": "$_league_rank()", "thread": "$_team_rank()",
          "team_rank": "$_team_rank()", "lane": "$_lane()", "vector_lane": "$_lane()"}


def condition_of(text):
    """league, thread and lane stand for the place of the lane; what is qualified (a.lane, f::lane) is the program's."""
    return re.sub(r"(?<![\w.$>:])(%s)\b(?!\s*(\(|::))" % "|".join(sorted(_words, key=len, reverse=True)),
                  lambda m: _words[m.group(1)], text)


class Break(Command):
    """teamsan break LOCATION [if CONDITION]: in CONDITION league, thread and lane are those of the lane that comes by."""

    def __init__(self):
        super().__init__("teamsan break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        location, found, condition = argument.partition(" if ")
        if not location.strip():
            raise gdb.GdbError("teamsan: write teamsan break LOCATION if league == L && thread == T && lane == V")
        gdb.execute("break " + location + (" if " + condition_of(condition) if found else ""))


class _InLane(gdb.Breakpoint):
    """Where a suspended lane goes on."""

    def __init__(self, pc, place):
        super().__init__("*%#x" % pc, internal=True, temporary=False)
        self.silent = True
        self.condition = "$_is_lane(%d, %d, %d)" % place


class _OnlyIn:
    """For as long as it lives, breakpoints stop in that lane alone; a finding still stops."""

    def __init__(self, place):
        self.test = "$_is_lane(%d, %d, %d)" % place

    def __enter__(self):
        self.changed = []
        for b in gdb.breakpoints() or ():
            if b.enabled and b.type == gdb.BP_BREAKPOINT and not reports.is_ours(b):
                self.changed.append((b, b.condition))
                b.condition = "%s && (%s)" % (self.test, b.condition) if b.condition else self.test

    def __exit__(self, *_):
        for b, condition in self.changed:
            if b.is_valid():
                b.condition = condition


def _skip_runtime():
    """gdb's step shall not enter the callbacks before each access, nor the simulated GPU."""
    if "__tsan_" not in gdb.execute("info skip", to_string=True):
        gdb.execute("skip -rfunction ^__(tsan|wrap)_", to_string=True)
        for room in ("machine", "runtime", "memory", "detect", "report"):
            gdb.execute("skip -gfile */sim/%s/*" % room, to_string=True)


def _must_run():
    if is_core():
        raise gdb.GdbError("teamsan: a core file does not run; teamsan start runs the program up to the finding")


def _go(command):
    """Lets the program run. gdb may lose a program of several threads that ends meanwhile ("Couldn't get registers: No such process"):
    that is its end, and nothing that the user did wrong."""
    try:
        gdb.execute(command)
    except gdb.error as error:
        if "No such process" not in str(error):
            raise
        process = gdb.selected_inferior().pid
        gdb.execute("kill", to_string=True)
        print("[Inferior %d (process %d) has ended; gdb does not know how]" % (gdb.selected_inferior().num, process))


class Step(Command):
    """Goes to the lane's next source line, however many other lanes run in between, past barriers too."""

    def __init__(self, word):
        super().__init__("teamsan " + word, gdb.COMMAND_RUNNING)
        self.word = word
        self.most = 400  # steps through Kokkos' own lines before giving up

    def invoke(self, argument, from_tty):
        for _ in range(int(gdb.parse_and_eval(argument)) if argument else 1):
            if not self.once():
                return
        gdb.execute("frame")

    def once(self):
        here = focus.place()
        if here is None:
            raise gdb.GdbError("teamsan: no lane here; teamsan league L thread T lane V goes to one")
        place = here[:3]
        name = "league %d thread %d lane %d" % place
        _must_run()
        _skip_runtime()
        with _OnlyIn(place), reports.OnlyIn(place), reports.Quiet() as quiet:
            start = self.go_to(place)
            if start is None:
                return self.gone(name, quiet)
            if gdb.newest_frame().find_sal().line != start[0]:
                return True  # the call that it waited in was the last of its line
            for _ in range(self.most):
                gdb.execute(self.word, to_string=True)
                if quiet.stopped():
                    return self.gone(name, quiet)
                if not gdb.selected_inferior().threads():
                    return False
                now = focus.place()
                if now is None or now[:3] != place:
                    return self.gone(name, quiet)
                frame = gdb.newest_frame()
                if not places.is_internal(frame):
                    sal = frame.find_sal()
                    if (sal.line, frame.name()) != start or quiet.hit():
                        focus.set_variables()
                        return True
                elif frame.name() is not None and frame.name().startswith("teamsan::RunningTeam::run_lane"):
                    return self.gone(name, quiet)
                elif self.word == "next" or frame.name() is None:
                    gdb.execute("finish", to_string=True)
        print("%s is still in code of Kokkos" % name)
        return True

    def go_to(self, place):
        """Lets the program run until the lane itself stands in its innermost user frame; (line, function) of that."""
        frame = focus.user_frame()
        if frame is None:
            return None
        sal = frame.find_sal()
        start = sal.line, frame.name()
        if focus.shown_in(gdb.selected_thread()) or frame != gdb.newest_frame():
            stop = _InLane(frame.pc(), place)
            focus.clear()
            try:
                gdb.execute("continue", to_string=True)
            finally:
                if stop.is_valid():
                    stop.delete()
            here = focus.place() if gdb.selected_inferior().threads() else None
            if here is None or here[:3] != place:
                return None
        return start

    def gone(self, name, quiet):
        if quiet.stopped():
            reports.tell()
        elif gdb.selected_inferior().threads():
            focus.set_variables()
            print("%s has left the kernel" % name)
        return False


class Continue(Command):
    """teamsan continue [ID]: goes on to the next finding or breakpoint, or to that finding."""

    def __init__(self):
        super().__init__("teamsan continue", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        _must_run()
        reports.stop_at_findings()
        reports.stop_only_at(argument.split())
        _go("continue")


class Start(Command):
    """teamsan start [ID | kernel [LABEL]] [ARGUMENT...]: runs the program up to its first finding, or to that one; or to the
launch of its first checked kernel, or of one of that label (* is any text)."""

    def __init__(self):
        super().__init__("teamsan start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        words = reports.stop_only_at(argument.split())
        if words and words[0] == "kernel":
            launches.stop_at(words[1] if len(words) > 1 else None)
            words = words[2:]
        reports.stop_at_findings()
        _go("run " + " ".join(words))


Teamsan()
for _word in ("league", "thread", "lane"):
    Focus(_word)
Break()
Step("step")
Step("next")
Continue()
Start()
