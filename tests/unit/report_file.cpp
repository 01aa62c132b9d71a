// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Report files are written whole or not at all, and a failure is one sentence.
#include "../../sim/base/ReportFile.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace teamsan;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::absolute("report_file_test." + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(char const* name) const { return (path / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

std::string content(std::string const& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool fails_with(std::string const& file, char const* reason) {
  try {
    write_report_file(file, "text");
  } catch (ReportFileError const& error) {
    std::string const what = error.what();
    return what.find(file) != std::string::npos && what.find(reason) != std::string::npos;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(replaces_what_was_there_and_leaves_nothing_beside_it) {
  Folder const folder;
  write_report_file(folder.file("r"), "a long first text");
  write_report_file(folder.file("r"), "short");
  BOOST_TEST(content(folder.file("r")) == "short");
  BOOST_TEST(folder.entries() == 1);
}

BOOST_AUTO_TEST_CASE(follows_a_link) {
  Folder const folder;
  write_report_file(folder.file("target"), "old");
  fs::create_symlink(folder.file("target"), folder.file("link"));
  write_report_file(folder.file("link"), "new");
  BOOST_TEST(fs::is_symlink(folder.file("link")));
  BOOST_TEST(content(folder.file("target")) == "new");
}

BOOST_AUTO_TEST_CASE(says_why_it_cannot_write) {
  Folder const folder;
  BOOST_TEST(fails_with(folder.file("no/such/folder"), "No such file or directory"));
  BOOST_TEST(fails_with(folder.path.string(), "Is a directory"));
  BOOST_TEST(fails_with("/dev/full", "No space left on device"));
  BOOST_TEST(folder.entries() == 0);
}

BOOST_AUTO_TEST_CASE(names_hold_the_process_and_the_rank) {
  BOOST_TEST(expanded_file_name("a.%p.txt") == "a." + std::to_string(getpid()) + ".txt");
  for (char const* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
    unsetenv(name);
  BOOST_TEST(expanded_file_name("a.%r") == "a.0");
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  BOOST_TEST(expanded_file_name("a.%r") == "a.3");
  setenv("OMPI_COMM_WORLD_RANK", "../../etc/3", 1);
  BOOST_TEST(expanded_file_name("a.%r") == "a.______etc_3");
  BOOST_TEST(expanded_file_name("100%%%x%") == "100%%x%");
}
