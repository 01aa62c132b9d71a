# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated GPU as the debugger sees it: workers, the teams they run, their lanes."""
import struct

import gdb

from teamsan_gdb import memory, places


class Lane:
    def __init__(self, team, address, data, table):
        self.team, self.address = team, address
        (self.league, _, self.thread, _, self.lane, self.width, self.index) = struct.unpack_from(
            "<QQIIIII", data, table["LaneState.lane"])
        self.status = team.machine.statuses[data[table["LaneState.status"]]]
        self.meeting = team.machine.meetings.get(data[table["LaneState.waits.meeting"]], "a synchronisation")
        site, = struct.unpack_from("<I", data, table["LaneState.waits.site"])
        self.site = places.address_of(site)
        self.fiber, = struct.unpack_from("<Q", data, table["LaneState.stack.fiber"])
        self.running = address == team.running

    def __str__(self):
        return "league %d thread %d lane %d" % (self.league, self.thread, self.lane)

    def is_suspended(self):
        return not self.running and self.fiber != 0 and self.status not in ("fresh", "done", "in turn")

    def state(self):
        """What it does, in words, and the instruction it does it at (0: none)."""
        if self.running:
            return "running", 0
        if self.status == "fresh":
            return "has not begun", 0
        if self.status == "done":
            return "has ended", 0
        if self.status == "in turn":
            return "takes the same step in its turn", 0
        if self.status == "ready":
            return "can go on from", self.site
        return "waits at " + self.meeting, self.site


class Team:
    def __init__(self, machine, address, worker):
        t = machine.table
        self.machine, self.address, self.worker = machine, address, worker
        self.league = t.at(address, "Team.m_league_rank")
        self.launch = Launch(t, t.at(address, "Team.m_launch"))
        self.count = memory.u32(address + t["Team.m_count"])
        self.alive = memory.u32(address + t["RunningTeam.m_alive"])
        self.interval = t.at(address, "Team.m_clock.interval")
        self.last_barrier = places.address_of(memory.u32(address + t["Team.m_clock.last_barrier"]))
        self.floor = memory.u32(address + t["Team.m_clock.floor"])
        self.checked = memory.read(address + t["Team.m_checked"], 1) != b"\0"
        self.alone = memory.read(address + t["RunningTeam.m_lone.alone"], 1) != b"\0"
        self.running = worker.lane if worker.team == address else 0
        self._lanes = None

    def lanes(self):
        if self._lanes is None:
            t = self.machine.table
            begin, count = memory.std_vector(self.address + t["Team.m_lanes"])
            size = t["LaneState"]
            data = memory.read(begin, count)
            self._lanes = [Lane(self, begin + i, data[i:i + size], t) for i in range(0, self.count * size, size)]
            if self.alone:  # one after the other, in one state: the others' are another team's still
                one = self.address + t["RunningTeam.m_lone.one"]
                running = Lane(self, one, memory.read(one, size), t)
                before, after = ("in turn", "in turn") if self.launch.steps else ("done", "fresh")
                for i, lane in enumerate(self._lanes):
                    lane.status, lane.league, lane.fiber = before if i < running.index else after, self.league, 0
                self._lanes[running.index] = running
        return self._lanes


class Launch:
    def __init__(self, t, address):
        self.address = address
        facts = address + t["LaunchState.facts"]
        config = facts + t["LaunchFacts.config"]
        self.number = t.at(facts, "LaunchFacts.number")
        self.steps = t.at(address, "LaunchState.steps")
        self.epoch = memory.u32(address + t["LaunchState.epoch"])
        self.label = memory.std_string(config + t["LaunchConfig.label"])
        self.region = memory.std_string(config + t["LaunchConfig.region"])
        self.league_size = t.at(config, "LaunchConfig.league_size")
        self.team_size = memory.u32(config + t["LaunchConfig.team_size"])
        self.vector_length = memory.u32(config + t["LaunchConfig.vector_length"])
        policy = memory.read(config + t["LaunchConfig.policy"], 1)[0]
        self.policy = t.names("Policy").get(policy, "a policy")
        self.committed = t.at(t.at(address, "LaunchState.commit"), "CommitQueue.m_next")

    def geometry(self):
        if self.policy == "TeamPolicy":
            return "TeamPolicy(league=%d, team=%d, vector=%d)" % (self.league_size, self.team_size,
                                                                  self.vector_length)
        return "%s(blocks=%d, lanes=%d)" % (self.policy, self.league_size, self.team_size)


class Worker:
    def __init__(self, machine, address):
        t = machine.table
        self.tid = memory.u32(address + t["Worker.m_thread"])
        self.thread = next((th for th in gdb.selected_inferior().threads() if th.ptid[1] == self.tid), None)
        self.lane = self.team = 0
        self.teams = []
        if self.thread is None:
            return  # its thread has ended
        hot = t.at(address, "Worker.m_hot")
        self.lane = t.at(hot, "Hot.lane")
        self.team = t.at(hot, "Hot.team")
        idle = set(memory.pointers(address + t["Worker.m_idle"]))
        self.teams = [Team(machine, a, self) for a in memory.pointers(address + t["Worker.m_teams"])
                      if a not in idle]


class Machine:
    """As it is now; made anew for every question."""

    def __init__(self):
        self.table = t = memory.Table()
        self.statuses = t.names("LaneStatus")
        self.meetings = t.names("Meeting")
        self.workers = []
        address = t.workers
        while address:
            self.workers.append(Worker(self, address))
            address = t.at(address, "Worker.m_next")
        self.launch = Launch(t, t.launch) if t.launch else None

    def teams(self):
        if self.launch is None:
            return []
        return sorted((team for w in self.workers for team in w.teams), key=lambda team: team.league)

    def running_lane(self, thread=None):
        """The lane that runs on the thread (the selected one), or None."""
        thread = thread or gdb.selected_thread()
        for w in self.workers:
            if thread is not None and w.thread is not None and w.tid == thread.ptid[1] and w.lane:
                team = next((team for team in w.teams if team.address == w.team), None)
                if team is not None:
                    return next((lane for lane in team.lanes() if lane.address == w.lane), None)
        return None

    def find(self, league, thread, lane):
        for team in self.teams():
            if team.league == league:
                for each in team.lanes():
                    if (each.thread, each.lane) == (thread, lane):
                        return each
                raise gdb.GdbError("teamsan: team %d has %d threads of %d vector lanes"
                                   % (league, team.launch.team_size, team.launch.vector_length))
        flying = ", ".join(str(team.league) for team in self.teams()) or "none"
        raise gdb.GdbError("teamsan: team %d is not running now; in flight: %s" % (league, flying))


def running_place():
    """(league, thread, lane, address) of the lane that runs on the selected thread, or None. Cheap: for conditions."""
    t = memory.Table()
    thread = gdb.selected_thread()
    address = t.workers
    while address and thread is not None:
        if memory.u32(address + t["Worker.m_thread"]) == thread.ptid[1]:
            lane = t.at(t.at(address, "Worker.m_hot"), "Hot.lane")
            if lane == 0:
                return None
            league, _, y, _, x = struct.unpack("<QQIII", memory.read(lane + t["LaneState.lane"], 28))
            return league, y, x, lane
        address = t.at(address, "Worker.m_next")
    return None
