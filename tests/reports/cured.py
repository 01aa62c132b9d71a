# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is each kernel's fixed twin what the report's own Fix says? Fix is taken from docs/judged.md, which reports/judged holds to
what the programs say; which cure it is, from sim/findings/Cures.def. CURES below names for each cure what a twin has that
follows it: it is compared with its kernel, comments aside. A twin that does something else is in ELSEWISE, with the reason.

    cured.py SOURCE_DIR

What this does not see is whether the twin's change is in the right place, but for barriers; that the twin is right, its own test
says.
"""

import difflib
import pathlib
import re
import sys

ATOMIC = r"+\batomic_(?!thread_fence)\w+|\batomic<"
KERNEL = r"+\bparallel_(for|reduce|scan)\("
OTHER_VIEW = r"+\bView<|\w\(\"\w+\", \w"
BARRIER = r"between \b(team|workgroup)_barrier\("
FENCE = r"new \b(memory|store)_fence\(|\bmemory_order_(release|acquire)"
HANDS_OVER = r"new \bmemory_fence\(|\ball_arrive\(|\bwait\("  # functions of some kernels that fence and wait for an atomic
STORE = r"new [^=!<>]=[^=]|\bzero_initialized\b"
PER_TEAM = r"+\bPerTeam\("
PER_THREAD = r"+\bPerThread\("
HERE = "at"  # something at a line that the report names is another

# Ways, each a text. "+RE": is found more often in the twin; "-RE": less often; "new RE": in a line that is new or elsewhere; "at",
# "around": a line is another that the report names, or the head of a block that holds one; "between RE": new, and between the two
# lines that Fix names; "moved": a line stands elsewhere; "bound": what is another has a number, an index, a comparison in it;
# "target": a line stores to another name.
CURES = {
    "barrier": [BARRIER],
    "barrier_outside": [BARRIER],
    "barrier_or_one_lane": [BARRIER, PER_TEAM],
    "barrier_or_flag": [BARRIER, FENCE, r"+\bwait\("],
    "barrier_on_each_way": [r"new \bteam_barrier\("],
    "barrier_in_macro": [r"+\bteam_barrier\("],
    "read_then_barrier": [r"+\bteam_barrier\("],
    "both_atomic": [ATOMIC],
    "both_atomic_or_barrier": [ATOMIC, BARRIER],
    "both_atomic_or_own_barrier": [ATOMIC, BARRIER],
    "value_of_update": [r"+\batomic_fetch_"],
    "split_or_both_atomic": [ATOMIC, KERNEL, OTHER_VIEW],
    "split_or_two_views": [KERNEL, OTHER_VIEW, ATOMIC],
    "two_views": [OTHER_VIEW, "target", ATOMIC],
    "update_or_two_views": [ATOMIC, OTHER_VIEW],
    "iterations_update": [ATOMIC, r"+\bparallel_reduce\(|ScatterView"],
    "teams_update": [ATOMIC, r"+ScatterView"],
    "team_update": [ATOMIC],
    "updates_of_iterations": [ATOMIC, r"+\bparallel_reduce\(|ScatterView"],
    "updates_of_teams": [ATOMIC, r"+ScatterView"],
    "updates_of_team": [ATOMIC],
    "plain_update_too": [ATOMIC],
    "atomic_store_to_word": [r"+\batomic_store\("],
    "atomic_store_of_word": [r"+\batomic_store\("],
    "open_lock": [r"+\batomic_store\(|\batomic_exchange\("],
    "read_under_lock": [HERE],
    "iteration_owns_any": [r"+\batomic_store\(", HERE],
    "team_owns_any": [r"+\batomic_store\(", HERE],
    "iteration_owns": [ATOMIC, KERNEL, HERE],
    "team_owns": [ATOMIC, KERNEL, HERE],
    "single_per_team": [PER_TEAM],
    "one_lane_of_team": [PER_TEAM, ATOMIC, r"+\bPerThread\(", HERE],
    "single_update": [PER_THREAD],
    "single_store": [PER_THREAD],
    "single_first": [PER_THREAD],
    "single_or_share": [PER_THREAD, r"+\b(Thread|Team)VectorRange\("],
    "single_of_team": [PER_TEAM, r"+\bTeamThreadRange\("],
    "one_lane_reads": [PER_THREAD, r"+\batomic_load\(", HERE],
    "one_lane_hands_on": [PER_THREAD],
    "read_in_range": [r"+\bThreadVectorRange\("],
    "reduce_over_lanes": [r"+\bparallel_reduce\(", ATOMIC],
    "team_vector_range": [r"+\bTeamVectorRange\("],
    "iterations_hand_over": [FENCE, "moved"],
    "teams_hand_over": [HANDS_OVER, r"+\bteam_barrier\("],
    "teams_move_between": [HERE],
    "fence_by_itself": [FENCE],
    "fence_between": [FENCE, "moved"],
    "initialise_members": [r"new \) : \w", r"-WithoutInitializing", r"+\bdeep_copy\(", KERNEL, STORE],
    "initialise": [r"-WithoutInitializing", r"+\bdeep_copy\(", KERNEL, STORE],
    "initialise_memory": [KERNEL, r"+\bdeep_copy\(|\bView<"],
    "write_scratch_first": [r"+\bteam_barrier\(", STORE],
    "clear_own_scratch": [r"-\bTeamThreadRange\("],
    "keep_index": ["bound"],
    "keep_index_from_0": ["bound"],
    "keep_index_of_memory": ["bound"],
    "keep_index_of_array": ["bound"],
    "keep_scratch_index": ["bound"],
    "keep_scratch_index_alone": ["bound"],
    "keep_scratch_index_from_0": ["bound"],
    "reserve_scratch": [r"bound"],
    "reserve_launch_sized": [r"+\bset_launch_sized_scratch\(|\bset_scratch_size\("],
    "align": [r"+\bget_shmem_aligned\(|alignas", r"new \breinterpret_cast<"],
    "keep_value": [r"-&"],
    "keep_alive": ["moved", r"-^\{$"],
    "free_behind_kernels": ["moved"],
    "free_after_use": ["moved"],
    "free_once": [r"-\bfree\("],
    "free_what_was_returned": [HERE],
    "copy_no_more": ["bound"],
    "obtain_scratch_anew": [r"+\bteam_scratch\(", "around", HERE],
    "results_in_views": [r"-\bmutable\b", r"+\bView<", HERE],
    "mirror": [r"+\bcreate_mirror|\bdeep_copy\(|\bSharedSpace\b", "target"],
    "pass_value": [HERE],
    "pass_value_or_as_device": [HERE],
    "device_view": [r"+\bView<|\bdeep_copy\(", r"-\[&\]", r"-&"],
    "device_view_or_space": [r"+\bdeep_copy\(|\bcreate_mirror", r"+\bRangePolicy<", HERE],
    "make_in_kernel": [KERNEL, r"new ^\w+ const \w+;$"],
    "share_values": [r"+\bteam_scratch\(|\bteam_broadcast\(|shuffle", HERE],
    "kernels_context": [HERE, r"+\bmalloc_device\("],
    "instance_of_context": [HERE, r"new \bmalloc_"],
    "free_in_context": [HERE],
    "usm_copy": [r"+\busm::copy\(|\bmalloc_shared"],
    "ask_for_aspect": [r"+\bmalloc_shared|\bmalloc_host|\bsystem_allocations\b"],
    "fence_before": [r"+\bfence\(", "moved"],
    "fence_or_aspect": [r"+\bfence\(", "moved", r"+\bconcurrent_access\b"],
    "fence_or_one_instance": [r"+\bfence\(", HERE],
    "fence_before_launch": [r"+\bfence\(", HERE],
    "edge_between": [r"+\bwhen_all\(", "at", r"+->"],
    "combine_with_accumulator": [r"+\+=|\bif \(|\bmax\(|\bmin\(", HERE],
    "combine_once_a_team": [PER_TEAM],
    "reduce_into_own": [PER_TEAM],
    "contribute": [r"+\bcontribute_into\("],
    "reset_before": [r"+\breset_except\(", "moved"],
    "sync_device": [r"+\bsync_device\(|\bsync<"],
    "sync_host": [r"new \bsync_host\("],
    "modify_and_sync": [r"+\bmodify_host\(|\bmodify<"],
    "all_reach": ["around", HERE],
    "no_early_return": [r"-\breturn;"],
    "change_what_is_waited_for": [r"new \batomic_(store|exchange|fetch)|\brelease\(", r"+\bteam_barrier\(", r"-\breturn;", HERE],
    "collective_out": ["around", HERE, "moved"],
    "nested_policy": [r"+\bPolicy\(|\bfor \(", "moved"],
    "leave_single_out": [r"-\bsingle\("],
    "range_on_its_level": [r"-\bTeamThreadRange\(|\bTeamVectorRange\(", "around", HERE],
    "less_scratch": ["bound"],
    "less_scratch_level1": ["bound"],
    "smaller_team_for_reduction": ["bound"],
    "auto_team_size": ["bound"],
    "less_device_memory": ["bound"],
    "less_pinned_memory": ["bound"],
    "error_code": [r"-\bthrow\b", r"+\bparallel_reduce\("],
    "end_on_host": [r"+\bparallel_reduce\(|\bView<"],
    "ask_failed_insert": [r"+\bfailed_insert\(|\brehash\(|\bvalid_at\(", r"new \bUnorderedMap<"],
    "larger_stack": ["bound"],
    "end_before_finalize": [r"+\bdelete\b|\bmake_unique<|^\{$"],
    "finalize_after_views": [r"+\bScopeGuard\b|\bfinalize\("],
    "release_variable": [r"+= .*View|\bpush_finalize_hook\(|= \{\}"],
    "free_in_hook": [r"+\bpush_finalize_hook\("],
    "copy_mirror": [r"+\bdeep_copy\("],
}

# Twins that do something else than Fix says, and why that is the better twin.
ELSEWISE = {
    "global-race/atomic_and_plain": "the mean is wanted of what all teams have added: two kernels; atomic, it is of some",
    "global-race/counted_by_another_rule": "elements are an iteration's own once they are counted by the rule that they are filled by",
    "global-race/flags_read_by_fours": "it shows besides that bytes of a word, each an iteration's own, are silent",
    "global-race/many_instructions": "the element is the iteration's own where the caller gives its index",
    "global-race/one_launch_of_many": "the launch that is checked is right, and the others race",
    "global-race/random_state_by_number": "a state of the iteration's own is what get_state() gives",
    "global-race/row_of_all_teams": "Fix of the second finding, which says that teams race as well, is followed: two kernels",
    "global-race/ticket_hands_over": "the kernel's own hand-over is kept, with the fences that it lacks",
    "global-race/transpose_in_place": "of a pair that two iterations swap one does it, which needs no second View",
    "uninit-global/beside_a_race": "both findings are cured by reading an element that was written in the kernel before",
}

# Twins that follow Fix in other words than those in which it spells an atomic; global-race/updates_as_written has words of each kind.
OTHER_WORDS = {
    "global-race/added_by_each_thread": "the single that Fix names first",
    "global-race/naive_erosion": "what is counted in has a member for it",
    "global-race/range_accumulate": "the parallel_reduce that Fix names, too",
    "scratch-race/vector_sum_of_zeros": "the reduction that Fix names first",
    "scratch-race/workgroup_plain_counter": "a variable that is declared atomic",
}


def code_of(path):
    """Its lines without comments and blanks at the ends."""
    return [re.sub(r"\s*//.*$", "", line).strip() for line in path.read_text().splitlines()]


def spelt(fix):
    """The calls of atomics that Fix spells out, without blanks."""
    for call in re.finditer(r"Kokkos::atomic_\w+\(", fix):
        depth, end = 1, call.end()
        while depth and end < len(fix):
            depth += {"(": 1, ")": -1}.get(fix[end], 0)
            end += 1
        yield "".join(fix[call.start():end].split())


def templates(text):
    for name, body in re.findall(r'TEAMSAN_CURE\((\w+), \w+,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', text):
        sentence = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', body))
        if re.sub(r"\{\w+\}|[ ;]", "", sentence):
            yield name, re.compile("(.*)".join(re.escape(part) for part in re.split(r"\{\w+\}", sentence)))


def cure_of(fix, known):
    """The one whose words are most of the sentence."""
    fits = [(len(sentence.pattern), name) for name, sentence in known if sentence.fullmatch(fix)]
    return max(fits)[1] if fits else "as_said"


class Twins:
    def __init__(self, kernel, finding, fix):
        self.wrong, self.fixed = code_of(kernel), code_of(kernel.with_name(kernel.stem + "_fixed.cpp"))
        self.changes = [c for c in difflib.SequenceMatcher(None, self.wrong, self.fixed, False).get_opcodes() if c[0] != "equal"]
        self.named = [int(n) for n in re.findall(r"\d+", finding.split(" at ")[1])] if re.search(r" at \d", finding) else []
        self.ends = [int(n) for n in re.findall(r"(?<![\w:]):(\d+)", fix)]

    def count(self, pattern, lines):
        return sum(len(re.findall(pattern, line)) for line in lines)

    def touches(self, line):
        return any(first < line <= max(last, first + 1) for _, first, last, _, _ in self.changes)

    def heads(self, line):
        """Where blocks begin that hold the line."""
        open_at = []
        for number, text in enumerate(self.wrong[: line - 1], 1):
            for brace in re.findall(r"[{}]", text):
                open_at.append(number) if brace == "{" else open_at.pop()
        return open_at

    def has(self, way):
        if way == "at":
            return any(self.touches(line) for line in self.named + self.ends)
        if way == "bound":  # a number, a comparison, an index or an extent is another
            return any(re.search(r"\d|[<>%(\[]|\b(extent|size|min|max)\b", line)
                       for _, a, b, c, d in self.changes for line in self.wrong[a:b] + self.fixed[c:d])
        if way == "target":
            targets = lambda lines: {m[1] for line in lines if (m := re.match(r"([\w:]+)\(.*\) [-+*/|&]?= ", line))}
            return any(targets(self.fixed[c:d]) - targets(self.wrong[a:b]) for _, a, b, c, d in self.changes)
        if way == "around":
            return any(self.touches(head) for line in self.named for head in self.heads(line))
        if way.startswith("new "):
            return any(self.count(way[4:], self.fixed[c:d]) for _, _, _, c, d in self.changes)
        if way == "moved":  # a line stands elsewhere
            gone = [line for _, a, b, _, _ in self.changes for line in self.wrong[a:b] if len(line) > 3]
            new = [line for _, _, _, c, d in self.changes for line in self.fixed[c:d]]
            return any(line in new for line in gone)
        if way.startswith("between "):
            first, last = (self.ends + [0, 0])[:2]
            places = [(a, b) for _, a, b, c, d in self.changes if self.count(way[8:], self.fixed[c:d])]
            return any(b >= first and a < last if first <= last else b >= first or a < last for a, b in places)
        more, pattern = way[0] == "+", way[1:]
        before, after = self.count(pattern, self.wrong), self.count(pattern, self.fixed)
        return after > before if more else after < before


root = pathlib.Path(sys.argv[1])
known = list(templates((root / "sim/findings/Cures.def").read_text()))
problems = []
followed = words = 0
for line in (root / "docs/judged.md").read_text().splitlines():
    if not re.match(r"\| [a-z-]+/", line):
        continue
    kernel, finding, fix = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:4])
    if fix == "none":
        continue
    fix = fix.replace("\\|", "|")
    cure = cure_of(fix, known)
    ways = CURES.get(cure)
    if ways is None:
        problems.append(f"{kernel}: nobody has said what a twin has that follows {cure or fix}")
        continue
    twins = Twins(root / "tests/kernels" / f"{kernel}.cpp", finding, fix)
    does = any(twins.has(way) for way in ways)
    has_words = all(call in "".join("".join(twins.fixed).split()) for call in spelt(fix))
    words += has_words and next(spelt(fix), None) is not None
    if has_words == (kernel in OTHER_WORDS):
        problems.append(f"{kernel}_fixed.cpp " + ("has the words of Fix, and is listed as if it had not" if has_words else
                                                  f"has other words than Fix: {fix}"))
    if does == (kernel in ELSEWISE):
        problems.append(f"{kernel}_fixed.cpp does what Fix says, and is listed as if it did not" if does else
                        f"{kernel}_fixed.cpp does not do what Fix says: {cure}: {fix}")
    followed += does
for problem in problems:
    print(problem)
if problems or followed < 250 or words < 8:
    sys.exit(f"{followed} twins follow Fix, {words} word by word")
print(f"{followed} twins are what Fix says, {len(ELSEWISE)} do something else, with a reason each; {words} have the atomics that Fix "
      f"spells out, {len(OTHER_WORDS)} others, with a reason each")
