# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes FROM to TO, edited as EDIT says. Run as: cmake -D EDIT=... -D FROM=FILE -D TO=FILE -P edit.cmake
file(READ "${FROM}" text)
if(EDIT STREQUAL "inserted")
  # Lines above everything, and above each line of a finding.
  string(REGEX REPLACE "\n( *)([^\n]*)// here" "\n\n\\1// A remark.\n\\1\\2// here" text "${text}")
  set(text "// A licence,\n// of two lines.\n\n${text}")
elseif(EDIT STREQUAL "indented")
  string(REGEX REPLACE "\n  " "\n\t  " text "${text}")
elseif(EDIT STREQUAL "commented")
  string(REPLACE "// here" "// another remark, \"quoted\"" text "${text}")
elseif(EDIT STREQUAL "changed")
  string(REPLACE "got += tile(next);" "got -= tile(next);" text "${text}")
elseif(NOT EDIT STREQUAL "as_it_is")
  message(FATAL_ERROR "no edit ${EDIT}")
endif()
file(WRITE "${TO}" "${text}")
