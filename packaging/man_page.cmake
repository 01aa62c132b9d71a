# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a man page from what the program says of itself: teamsan's from its --help and that of each command, teamsan-c++'s
# from the comment that it begins with.
function(escaped variable text)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# What `teamsan WORD...` prints, as it is.
function(help_of variable)
  execute_process(COMMAND "${TEAMSAN}" ${ARGN} --help OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(STRIP "${text}" text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

cmake_path(GET PAGE STEM LAST_ONLY program)
escaped(name "${program}")
string(TOUPPER "${program}" title)
set(page ".\\\" Made by packaging/man_page.cmake.\n.TH \"${title}\" 1 \"\" \"TeamSan ${VERSION}\" \"User Commands\"\n.SH NAME\n")
if(program STREQUAL "teamsan")
  help_of(general)
  escaped(text "${general}")
  string(APPEND page "teamsan \\- run a Kokkos program on a simulated GPU and report its bugs\n"
    ".SH SYNOPSIS\n.B teamsan\n.I COMMAND\n\\&...\n.SH DESCRIPTION\n.nf\n${text}\n.fi\n.SH COMMANDS\n")
  string(REGEX MATCHALL "\n  [a-z][a-z-]*  +[^\n]*" lines "${general}")
  set(commands)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^\n  ([a-z-]+) .*" "\\1" command "${line}")
    list(APPEND commands ${command})
  endforeach()
  list(LENGTH commands count)
  if(count LESS 10)
    message(FATAL_ERROR "teamsan --help names the commands ${commands} alone.")
  endif()
  foreach(command IN LISTS commands)
    help_of(text ${command})
    escaped(text "${text}")
    escaped(command "${command}")
    string(APPEND page ".SS \"teamsan ${command}\"\n.nf\n${text}\n.fi\n")
  endforeach()
  string(APPEND page ".SH ENVIRONMENT\n.TP\n.B TEAMSAN_OPTIONS\n"
    "Options of checked programs, KEY=VALUE joined by colons: the flags of \\fBteamsan run\\fR with underscores. "
    "TEAMSAN_OPTIONS=help=1 before a checked program prints all of them with their defaults.\n"
    ".TP\n.B TEAMSAN_CHECKPOINTS\nThe file that teamsan::checkpoint() writes to.\n"
    ".SH SEE ALSO\n.BR teamsan\\-c++ (1)\n")
else()
  file(READ "${COMPILER}" text)
  string(REGEX MATCH "\n(# [^\n]*\n)+" text "${text}")
  string(REGEX REPLACE "\n# ?" "\n" text "${text}")
  string(REGEX REPLACE "Made by CMake.*$|, by default the one TeamSan was built with: @[A-Z_]+@" "" text "${text}")
  string(STRIP "${text}" text)
  if(NOT text MATCHES "CXX=teamsan-c\\+\\+")
    message(FATAL_ERROR "${COMPILER} does not begin with what it is.")
  endif()
  escaped(text "${text}")
  string(APPEND page "${name} \\- the compiler of checked programs, for any build system\n"
    ".SH SYNOPSIS\n.B ${name}\n[\\fB\\-\\-show\\fR] \\fICOMPILER ARGUMENT\\fR...\n.SH DESCRIPTION\n.nf\n${text}\n.fi\n"
    ".SH SEE ALSO\n.BR teamsan (1)\n")
endif()
file(WRITE "${PAGE}" "${page}")
