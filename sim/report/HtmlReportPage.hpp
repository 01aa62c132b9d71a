// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the HTML report that are the same in all of them: the files of sim/report/html, compiled in
/// by HtmlReportPage.cmake.
#pragma once

#include <string_view>

namespace teamsan {

extern std::string_view const html_page;    ///< page.html, with marks where the others go
extern std::string_view const html_style;   ///< style.css
extern std::string_view const html_script;  ///< the scripts, in the order of HtmlReportPage.cmake

}  // namespace teamsan
