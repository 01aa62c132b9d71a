# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fish completion of teamsan: the launcher itself says what may come next; where it says nothing, a file's name is meant.
function __teamsan_candidates
    set -l words (commandline -opc)
    set -l partial (commandline -ct)
    command $words[1] complete -- $words "$partial" 2>/dev/null
end
complete -c teamsan -f -n 'test -n "$(__teamsan_candidates)"' -a '(__teamsan_candidates)'
complete -c teamsan -F -n 'test -z "$(__teamsan_candidates)"'
