// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HtmlReport.hpp"

#include "HtmlReportPage.hpp"

#include <stdexcept>
#include <string_view>

namespace teamsan {
namespace {

void put(std::string& page, std::string_view mark, std::string_view text) {
  std::size_t const at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("the HTML page lacks its mark " + std::string(mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string html_report(Report const& report) {
  std::string page(html_page);
  // The data last: no mark is looked for in it.
  put(page, "/*teamsan:style*/", html_style);
  put(page, "/*teamsan:script*/", html_script);
  put(page, "{\"teamsan\": \"data\"}", html_report_data(report));
  return page;
}

}  // namespace teamsan
