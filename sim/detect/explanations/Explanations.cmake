# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles sim/detect/explanations/RULE-ID.md into the room: one function from rule to text. Every rule of Rules.def must
# have its file, and every file its rule. How one place is left out is said below each, in the same words.
function(teamsan_add_explanations target)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(rules "${folder}/../../base/Rules.def")
  file(STRINGS "${rules}" lines REGEX "^TEAMSAN_RULE\\(")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${rules}")
  set(cases "")
  set(known "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^TEAMSAN_RULE\\(([a-z_]+), \"([a-z-]+)\"" matched "${line}")
    set(name ${CMAKE_MATCH_1})
    set(id ${CMAKE_MATCH_2})
    set(file "${folder}/${id}.md")
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "The rule ${id} has no explanation: write ${file}.")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND text "
To leave one place out: a comment in its line, or a line in the file that
`--suppressions` names (`kernel:LABEL`, `view:LABEL`, `id:TS-...` work as well).

    // teamsan: ignore(${id}) reason
    ${id}:FILE:LINE
")
    string(APPEND cases "    case Rule::${name}:\n      return R\"md(${text})md\";\n")
    list(APPEND known "${file}")
  endforeach()
  file(GLOB all CONFIGURE_DEPENDS "${folder}/*.md")
  foreach(file IN LISTS all)
    if(NOT file IN_LIST known)
      message(FATAL_ERROR "${file} explains no rule of Rules.def.")
    endif()
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/Explanations.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"// Generated from sim/detect/explanations.
#include \"@PROJECT_SOURCE_DIR@/sim/base/Explanations.hpp\"

namespace teamsan {

std::string_view explanation(Rule rule) {
  switch (rule) {
@cases@  }
  return {};
}

}  // namespace teamsan
")
  target_sources(${target} PRIVATE "${source}")
endfunction()
