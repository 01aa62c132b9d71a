# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the page of the HTML report into the room. A string literal has a limit of 64 KiB in some compilers; files
# here are far below.
function(teamsan_add_html_page target)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(page page.html)
  set(style style.css)
  set(script dom.js theme.js header.js life.js filters.js findings.js ranking.js kernels.js grid.js lines.js sources.js main.js)
  set(definitions "")
  foreach(part IN ITEMS page style script)
    string(APPEND definitions "\nstd::string_view const html_${part} =")
    foreach(name IN LISTS ${part})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${name}")
      file(READ "${folder}/${name}" text)
      if(text MATCHES "\\)html\"")
        message(FATAL_ERROR "${folder}/${name} holds the end of a raw string literal.")
      endif()
      string(APPEND definitions "\n    R\"html(${text})html\"")
    endforeach()
    string(APPEND definitions ";\n")
  endforeach()
  file(GLOB all CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.html" "${folder}/*.css" "${folder}/*.js")
  foreach(name IN LISTS all)
    if(NOT name IN_LIST page AND NOT name IN_LIST style AND NOT name IN_LIST script)
      message(FATAL_ERROR "${folder}/${name} is not part of the page: name it in HtmlReportPage.cmake.")
    endif()
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/HtmlReportPage.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"// Generated from sim/report/html.
#include \"@PROJECT_SOURCE_DIR@/sim/report/HtmlReportPage.hpp\"

namespace teamsan {
@definitions@
}  // namespace teamsan
")
  target_sources(${target} PRIVATE "${source}")
endfunction()
