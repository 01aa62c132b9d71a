// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan compare` and `teamsan verify` as a shell sees them, and what production programs are made of.
#include "CheckpointBytes.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

using namespace native_test;

namespace {

struct Result {
  int status;
  std::string out;  ///< standard output and standard error, as they came
};

Result shell(std::string const& line) {
  std::FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  Result result{0, {}};
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.out.append(buffer.data(), n);
  int const raw = pclose(pipe);
  result.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return result;
}

Result teamsan(std::string const& words) {
  return shell("env -u TEAMSAN_OPTIONS -u TEAMSAN_CHECKPOINTS " TEAMSAN " " + words);
}

void expect(std::string const& words, int status, std::string const& out) {
  Result const result = teamsan(words);
  BOOST_TEST(result.out == out);
  BOOST_TEST(result.status == status);
}

std::string read_file(std::string const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool contains(std::string const& text, std::string const& part) {
  BOOST_TEST_CONTEXT(text) BOOST_TEST((text.find(part) != std::string::npos), "no \"" << part << "\"");
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(mistakes_are_one_sentence) {
  expect("compare a", 2, "teamsan: compare takes two files, not 1: teamsan compare [options] A B\n");
  expect("compare a b c", 2, "teamsan: compare takes two files, not 3: teamsan compare [options] A B\n");
  expect("compare --ulp 4 a b", 2, "teamsan: unknown option --ulp; the nearest known one is --ulps\n");
  expect("compare --ulps 1.5 a b", 2, "teamsan: --ulps takes a whole number, not \"1.5\"\n");
  expect("compare --rtol -1 a b", 2, "teamsan: --rtol takes a number that is not negative, not \"-1\"\n");
  expect("compare --atol nan a b", 2, "teamsan: --atol takes a number that is not negative, not \"nan\"\n");
  expect("compare --report xml=f a b", 2,
         "teamsan: --report takes json=FILE or text=FILE, and html=FILE for two reports alone, not \"xml=f\"\n");
  char const* const two =
      "teamsan: verify needs two programs with a colon between them: teamsan verify [options] -- app args... "
      ": "
      "app_teamsan args...\n";
  expect("verify", 2, two);
  expect("verify -- true", 2, two);
  expect("verify -- true :", 2, two);
  expect("verify true : true", 2, "teamsan: verify does not take \"true\"\n");
  expect("verify --ulsp 1 -- true : true", 2,
         "teamsan: unknown option --ulsp; the nearest known one is --ulps\n");
  expect("verify -- no-such-program : true", 2, "teamsan: no program \"no-such-program\" in PATH\n");
}

BOOST_AUTO_TEST_CASE(help_fits_a_terminal) {
  for (char const* words : {"compare --help", "verify --help"}) {
    Result const help = teamsan(words);
    BOOST_TEST(help.status == 0);
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) BOOST_TEST(line.size() <= 80u, line);
  }
}

BOOST_AUTO_TEST_CASE(unreadable_files) {
  Files const files("native_unreadable_test");
  std::string const good = files.write("good", header() + doubles("u", {1}).file_bytes());
  std::string const cut = files.write("cut", header() + doubles("u", {1}).file_bytes().substr(0, 50));
  std::string const empty = files.write("empty", header());
  expect("compare " + good + " " + cut, 3,
         "teamsan: " + cut +
             ": the file was cut off: it ends at byte 74 within the description of snapshot 1\n");
  expect("compare " + files.path("no") + " " + good, 3,
         "teamsan: " + files.path("no") + " cannot be opened: No such file or directory\n");
  expect("compare " + empty + " " + empty, 3,
         "teamsan: " + empty + " and " + empty + " hold no snapshot: there is nothing to compare\n");
  BOOST_TEST(teamsan("compare " + empty + " " + good).status == 66);
  Result const unwritable = teamsan("compare --report json=/nonexistent/f " + good + " " + good);
  BOOST_TEST(unwritable.status == 3);
}

BOOST_AUTO_TEST_CASE(the_same) {
  Files const files("native_same_test");
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::string const a = files.write("a", header() + doubles("u", {1, nan, 3}).file_bytes());
  std::string const b =
      files.write("b", header(1, "Simt") + doubles("u", {1, nan, std::nextafter(3, 4)}).file_bytes());
  expect("compare " + a + " " + a, 0,
         "==== teamsan: compare: 1 snapshot same: 3 elements, 1 NaN in both (exact; A Cuda, B Cuda) ====\n");
  expect("compare --ulps 2 --rtol 0.5 " + a + " " + b, 0,
         "==== teamsan: compare: 1 snapshot same: 3 elements, 1 not equal but within tolerance, at most 1 "
         "ulp apart, "
         "1 NaN in both (tolerance 2 ulps, rtol 0.5; A Cuda, B Simt) ====\n");
}

BOOST_AUTO_TEST_CASE(all_kinds_of_difference) {
  Files const files("native_differ_test");
  Snapshot matrix{.name = "m", .extents = {2, 3}, .elements = elements_of<double>({1, 2, 3, 4, 5, 6})};
  Snapshot other = matrix;
  other.elements = elements_of<double>({1, 2, 3.5, 4, 5, 60});
  Snapshot turned = matrix;
  turned.name = "shape";
  Snapshot straight = turned;
  straight.extents = {3, 2};
  Snapshot index{.name = "i",
                 .kind = signed_integer,
                 .element_bytes = 4,
                 .type = "int32",
                 .extents = {2},
                 .elements = elements_of<int>({4, 5})};
  Snapshot index2 = index;
  index2.elements = elements_of<int>({4, 9});
  std::string const a =
      files.write("a", header() + matrix.file_bytes() + turned.file_bytes() + index.file_bytes() +
                           doubles("u", {1}).file_bytes() + doubles("u", {2}, 1).file_bytes());
  std::string const b =
      files.write("b", header(1, "Simt") + doubles("u", {1}).file_bytes() + index2.file_bytes() +
                           straight.file_bytes() + other.file_bytes() + doubles("w", {1}).file_bytes());
  std::string const json = files.path("r.json"), text = files.path("r.txt");
  std::string const wanted =
      "==== teamsan: compare: 5 of 6 snapshots differ (exact) ====\n"
      " A       " +
      a +
      " (Cuda)\n"
      " B       " +
      b +
      " (Simt)\n"
      "\n"
      " Data    \"m\"  float64[2][3]  View \"v\"\n"
      " Differ  2 of 6 elements\n"
      " First   (0, 2)  A 3  B 3.5  1,125,899,906,842,624 ulps, relative 0.143, absolute 0.5\n"
      " Worst   (1, 2)  A 6  B 60  15,199,648,742,375,424 ulps, relative 0.9, absolute 54\n"
      "\n"
      " Data    \"shape\"\n"
      " Shape   A float64[2][3]  B float64[3][2]: not compared\n"
      "\n"
      " Data    \"i\"  int32[2]  View \"v\"\n"
      " Differ  1 of 2 elements\n"
      " First   (1)  A 5  B 9  apart by 4\n"
      "\n"
      " Data    \"u\" #2  float64[1]  View \"v\"\n"
      " Missing in B\n"
      "\n"
      " Data    \"w\"  float64[1]  View \"v\"\n"
      " Missing in A\n"
      "\n"
      " Same    1 snapshot: 1 element\n";
  expect("compare --report json=" + json + " --report text=" + text + " " + a + " " + b, 66, wanted);
  BOOST_TEST(read_file(text) == wanted);
  auto const report = nlohmann::json::parse(read_file(json));
  BOOST_TEST(report["format"] == "teamsan-compare");
  BOOST_TEST(report["differing"] == 5);
  BOOST_TEST(report["snapshots"][0]["worst"]["index"].dump() == "[1,2]");
  BOOST_TEST(report["snapshots"][0]["worst"]["b"] == "60");
  BOOST_TEST(report["snapshots"][1]["verdict"] == "mismatch");
  BOOST_TEST(report["snapshots"][1]["other_extents"].dump() == "[3,2]");
  BOOST_TEST(report["snapshots"][3]["verdict"] == "same");
  BOOST_TEST(report["snapshots"][4]["verdict"] == "missing-in-b");
  BOOST_TEST(report["snapshots"][5]["verdict"] == "missing-in-a");
}

BOOST_AUTO_TEST_CASE(verify_says_which_failed) {
  char const* const pair = DIFFUSION " : " CHECKED_DIFFUSION;
  expect("verify -- false : " DIFFUSION, 71,
         "teamsan: verify: the first program, false, ended with status 1\n");
  expect("verify -- sh -c 'kill -9 $$' : true", 71,
         "teamsan: verify: the first program, sh, was ended by signal 9 (Killed)\n");
  Result const second = teamsan("verify -- " DIFFUSION " : sh -c 'exit 66'");
  BOOST_TEST(second.status == 72);
  contains(second.out,
           "the second program, sh, ended with status 66: TeamSan's for a program with an error in it\n");
  expect("verify -- true : true", 3,
         "teamsan: verify: the first program, true, wrote no checkpoint: it must call "
         "teamsan::checkpoint(\"name\", "
         "view)\n");
  Files const files("native_verify_test");
  Result const same = teamsan("verify --rtol 1e-13 --keep " + files.path("kept") + " -- " + pair);
  BOOST_TEST(same.status == 0);
  contains(same.out, "==== teamsan: compare: 7 snapshots same: 7,001 elements");
  contains(same.out, "B Simt) ====");
  BOOST_TEST(teamsan("compare --rtol 1e-13 " + files.path("kept/first.checkpoints") + " " +
                     files.path("kept/second.checkpoints"))
                 .status == 0);
  Result const wrong = teamsan(std::string("verify --rtol 1e-13 -- ") + pair + " 0.2500001");
  BOOST_TEST(wrong.status == 66);
  contains(wrong.out, " Data    \"flux\"  float64[1000][2]\n");
}

BOOST_AUTO_TEST_CASE(nothing_is_written_unless_asked_for) {
  Files const files("native_quiet_test");
  BOOST_TEST(shell("cd " + files.path("") + " && env -u TEAMSAN_CHECKPOINTS " DIFFUSION).status == 0);
  BOOST_TEST(shell("cd " + files.path("") + " && TEAMSAN_CHECKPOINTS= " DIFFUSION).status == 0);
  BOOST_TEST(std::filesystem::is_empty(files.path("")));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_said) {
  Files const files("native_write_test");
  Result const folder = shell("TEAMSAN_CHECKPOINTS=" + files.path("") + " " DIFFUSION);
  BOOST_TEST(folder.status != 0);
  contains(folder.out, "TEAMSAN_CHECKPOINTS: " + files.path("") + " cannot be written: Is a directory");
  Result const full = shell("TEAMSAN_CHECKPOINTS=/dev/full " DIFFUSION);
  BOOST_TEST(full.status != 0);
  contains(full.out, "TEAMSAN_CHECKPOINTS: /dev/full cannot be written: No space left on device");
  BOOST_TEST(
      shell("OMPI_COMM_WORLD_RANK=3 TEAMSAN_CHECKPOINTS=" + files.path("r%r.50%%") + " " DIFFUSION).status ==
      0);
  BOOST_TEST(std::filesystem::exists(files.path("r3.50%")));
  // While another process holds the file.
  Result const taken = shell("flock " + files.path("taken") +
                             " env TEAMSAN_CHECKPOINTS=" + files.path("taken") + " " DIFFUSION);
  BOOST_TEST(taken.status != 0);
  contains(taken.out, "another process writes to " + files.path("taken"));
}

/// nm of a production program: whether anything in it is TeamSan's.
BOOST_AUTO_TEST_CASE(production_programs_hold_no_runtime) {
  auto const symbols = [](std::string const& program) {
    Result const result = shell("nm -C " + program);
    BOOST_TEST_REQUIRE(result.status == 0);
    BOOST_TEST(result.out.find(" main\n") != std::string::npos);
    return result.out;
  };
  for (char const* program : {NATIVE_PITFALLS}) {
    std::string const text = symbols(program);
    for (char const* part : {"teamsan", "__tsan_", "__wrap_"})
      BOOST_TEST((text.find(part) == std::string::npos), program << " holds " << part);
  }
  // A program with checkpoints holds their header's own functions, and nothing else.
  std::istringstream lines(symbols(DIFFUSION));
  unsigned own = 0;
  for (std::string line; std::getline(lines, line);) {
    BOOST_TEST((line.find("__tsan_") == std::string::npos), line);
    BOOST_TEST((line.find("__wrap_") == std::string::npos), line);
    BOOST_TEST((line.find("__teamsan") == std::string::npos), line);
    if (line.find("teamsan::") == std::string::npos) continue;
    bool header = false;
    for (char const* part : {"teamsan::native::", "teamsan::checkpoint<", "teamsan::CheckpointError",
                             "teamsan::traces::Crc32", "teamsan::traces::checkpoint_"})
      header = header || line.find(part) != std::string::npos;
    BOOST_TEST(header, line);
    ++own;
  }
  BOOST_TEST(own > 0u);
  BOOST_TEST((symbols(CHECKED_DIFFUSION).find("__tsan_write8") != std::string::npos),
             "the test does not see a runtime");
}
