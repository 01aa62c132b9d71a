# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Notes name an option as whoever started the program would type it: a flag of `teamsan run`, or a key of TEAMSAN_OPTIONS.

    typed.py LAUNCHER PROGRAM
"""

import os
import subprocess
import sys

from programs import expect

launcher, program = sys.argv[1:3]


def report(words, **environment):
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("TEAMSAN_")} | environment
    ran = subprocess.run(words, env=surroundings, capture_output=True, text=True, check=False)
    expect(ran.returncode == 66, f"status {ran.returncode}: {ran.stderr}")
    return " ".join(ran.stderr.split())


expect("use --deterministic to compare runs" in report([launcher, "run", "--", program]), "a flag was typed")
expect("use deterministic=1 to compare runs" in report([program], TEAMSAN_OPTIONS="color=0"), "a key was typed")
print("options are named as they are typed")
