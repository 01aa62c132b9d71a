# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bash completion of teamsan: the launcher itself says what may come next; where it says nothing, a file's name is meant.
# shellcheck shell=bash
_teamsan() {
  local line words=("${COMP_WORDS[@]:0:COMP_CWORD+1}") last joined
  # bash takes --flag=value and FORMAT=FILE apart; the launcher wants them as they were typed.
  joined=()
  for line in "${words[@]}"; do
    if [[ ${#joined[@]} -gt 0 && ($line == "=" || ${joined[-1]} == *=) && ${joined[-1]} != "--" ]]; then
      joined[-1]+=$line
    else
      joined+=("$line")
    fi
  done
  last=${joined[-1]}
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do
    # What bash holds to be the word begins behind the last '='.
    [[ $last != *=* || ${words[-1]} == "$last" ]] || line=${line#"${last%=*}="}
    COMPREPLY+=("$line")
  done < <("${COMP_WORDS[0]}" complete -- "${joined[@]}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default 2>/dev/null || true
  elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null || true
  fi
}
complete -F _teamsan teamsan
