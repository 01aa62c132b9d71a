# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes OBJECT of the objects that OBJECT.txt lists, a line each, and of what they need of the archives and objects INSIDE.
# Functions of the objects keep their names for who links the result. Whatever else is in it (templates and inline functions,
# {fmt}, pugixml), of which the program may have another version, cannot be seen from outside, nor be replaced. RENAMED: names
# of libc's functions (Rooms.cmake). Run with NM, LD, OBJCOPY.
function(tool)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    file(REMOVE "${OBJECT}")
    message(FATAL_ERROR "sealing ${OBJECT}: ${error}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

# Weak ones with C's names are meant to be seen: malloc, say. So are templates of ours, where the object is a library of its own
# (traces), which its users link together with others.
tool(${NM} --defined-only --extern-only --format=posix "@${OBJECT}.txt")
string(REGEX MATCHALL "(^|\n)[^ \n]+ [ABCDRST] " strong "${said}")
string(REGEX MATCHALL "(^|\n)([^ \n_]|_ZT?[ISV]?[^ \n]*7teamsan)[^ \n]* [VW] " weak "${said}")
if(NOT LIBRARY)
  list(FILTER weak EXCLUDE REGEX "_Z")
endif()
list(FILTER weak EXCLUDE REGEX "DW\\.ref\\.")
set(own)
foreach(line IN LISTS strong weak)
  string(REGEX REPLACE "\n?([^ ]+) .*" "\\1\n" line "${line}")
  string(APPEND own "${line}")
endforeach()
file(WRITE "${OBJECT}.own" "${own}")

tool(${LD} -r --force-group-allocation -o "${OBJECT}" "@${OBJECT}.txt" ${INSIDE})
tool(${NM} --undefined-only "${OBJECT}")
if(said MATCHES " (_ZNK?(3fmt|4pugi)[^\n]*)")
  file(REMOVE "${OBJECT}")
  message(FATAL_ERROR "sealing ${OBJECT}: ${CMAKE_MATCH_1} is not inside")
endif()
set(rename)
foreach(function IN LISTS RENAMED)
  list(APPEND rename --redefine-sym ${function}=__real_${function})
endforeach()
tool(${OBJCOPY} "--keep-global-symbols=${OBJECT}.own" "${OBJECT}")
if(rename)
  tool(${OBJCOPY} ${rename} "${OBJECT}")
endif()
