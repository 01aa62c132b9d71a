// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// JSON reports: read, joined with themselves, written in every format. Texts are valid UTF-8 without control characters, and
/// XML that a parser takes.
#include "Fuzz.hpp"

#include "../../sim/places/SourceFile.hpp"
#include "../../sim/report/Join.hpp"
#include "../../sim/report/JsonReader.hpp"
#include "../../sim/report/Writers.hpp"
#include "../../traces/Printable.hpp"

#include <pugixml.hpp>

#include <algorithm>

namespace {

bool is_plain(std::string text) {
  std::erase(text, '\t');  // between fields of a line
  return teamsan::traces::printable("x" + text, teamsan::traces::LineEnds::kept).find("\\x1b") == text.npos &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 && c != '\n'; });
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  using namespace teamsan;
  read_sources_only_in({});
  try {
    Report const report = read_json_report(fuzz::text_of(data, bytes), "report.json");
    Report const joined = join_reports({report, report});
    for (Writer const& writer : writers()) {
      std::string const text = writer.write(joined);
      if (writer.format == "html") continue;  // the page's own script and style
      fuzz::require(is_plain(text));
      pugi::xml_document document;
      if (writer.format == "junit") fuzz::require(document.load_buffer(text.data(), text.size()));
    }
  } catch (ReportReadError const&) {
  }
  return 0;
}
