// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sources are read where they may be: a page made of somebody else's report opens no file but in the directories that were
/// named, whatever paths the report holds.
#include "../../sim/places/SourceFile.hpp"
#include "../../sim/report/HtmlReport.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace teamsan;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::canonical(fs::temp_directory_path()) / ("teamsan_sources_" + std::to_string(getpid()));
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path / "inside" / "src");
    std::ofstream(path / "inside" / "src" / "a.cpp") << "int inside_line;\n";
    std::ofstream(path / "outside.cpp") << "int outside_line;\n";
    fs::create_symlink(path / "outside.cpp", path / "inside" / "link.cpp");
  }
  ~Folder() { fs::remove_all(path); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(files_lie_in_the_directories_that_were_named) {
  Folder const folder;
  std::string const inside = (folder.path / "inside" / "src" / "a.cpp").string();
  std::string const fifo = (folder.path / "inside" / "pipe.cpp").string();
  BOOST_REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  // A program's own sources lie anywhere; but no pipe, device or directory is one.
  BOOST_TEST(source_line((folder.path / "outside.cpp").string(), 1) == "int outside_line;");
  BOOST_TEST(source_line(fifo, 1) == "");
  BOOST_TEST(source_line("/dev/zero", 1) == "");
  BOOST_TEST(source_line("/", 1) == "");

  read_sources_only_in({});
  BOOST_TEST(!may_read_sources());
  BOOST_TEST(source_line(inside, 1) == "");

  // Files are kept once they were read, and this one was asked for in vain: paths of their own from here on.
  read_sources_only_in({(folder.path / "inside").string()});
  BOOST_TEST(may_read_sources());
  BOOST_TEST(source_line((folder.path / "inside" / "src" / "." / "a.cpp").string(), 1) == "int inside_line;");
  BOOST_TEST(source_line("src/a.cpp", 1) == "int inside_line;");
  BOOST_TEST(source_line("/home/somebody/project/src/a.cpp", 1) == "int inside_line;");
  BOOST_TEST(source_line((folder.path / "inside" / ".." / "outside.cpp").string(), 1) == "");
  BOOST_TEST(source_line("../outside.cpp", 1) == "");
  BOOST_TEST(source_line((folder.path / "inside" / "link.cpp").string(), 1) == "");
  BOOST_TEST(source_line("link.cpp", 1) == "");
  BOOST_TEST(source_line("/etc/passwd", 1) == "");
  BOOST_TEST(source_line("pipe.cpp", 1) == "");
}
