// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan devices` and `teamsan model`, and every mistake in what model reads.
#include "Command.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

BOOST_AUTO_TEST_CASE(devices) {
  Result const result = teamsan("devices");
  BOOST_TEST(result.status == 0);
  for (std::string const row : {"\nh100       32  32x4  1024  48-227  255 dhs---c measured   ",
                                "\nmi250x     64  32x4  1024   64-64  512 dhs---c documented ",
                                "\nwebgpu     32  32x4   256   16-16    - d------ assumed    ",
                                "\nmobile     16  32x4   256   16-32   64 dh----- assumed    "})
    BOOST_TEST(result.out.find(row) != std::string::npos, "no row" << row);
  BOOST_TEST(shape_of(result.out).columns <= 80u);

  std::istringstream table(result.out.substr(result.out.find('\n') + 1));
  unsigned devices = 0;
  for (std::string line; std::getline(table, line) && !line.empty();) {
    if (line.front() == ' ') continue;
    std::string const name = line.substr(0, line.find(' '));
    Result const details = teamsan("devices " + name);
    BOOST_TEST(details.status == 0);
    BOOST_TEST(details.out.starts_with(name + ": "));
    for (char const* figure : {"\nwarp_width ", "\nscratch_opt_in ", "\nregisters_per_thread ", "\nusm "})
      BOOST_TEST(details.out.find(figure) != std::string::npos, name << " lacks" << figure);
    BOOST_TEST(shape_of(details.out).columns <= 80u);
    ++devices;
  }
  BOOST_TEST(devices == 8u);
}

namespace {

/// Files of accesses for `teamsan model`, in a folder of their own.
class AccessFiles {
 public:
  AccessFiles() { std::filesystem::create_directory(m_folder); }
  ~AccessFiles() { std::filesystem::remove_all(m_folder); }

  static std::string header(int lanes, std::string const& counters) {
    std::string text = "op,bytes_per_lane,pattern,active_mask_hex";
    for (int lane = 0; lane < lanes; ++lane) text.append(",offset_lane").append(std::to_string(lane));
    return text + counters + "\n";
  }
  static std::string row(std::string const& begin, int lanes, int stride, std::string const& counters) {
    std::string text = begin;
    for (int lane = 0; lane < lanes; ++lane) text.append(",").append(std::to_string(lane * stride));
    return text + counters + "\n";
  }
  /// Its path.
  std::string write(std::string const& name, std::string const& text) const {
    std::string const path = (m_folder / name).string();
    std::ofstream(path) << text;
    return path;
  }
  std::string folder() const { return m_folder.string(); }

 private:
  std::filesystem::path m_folder = std::filesystem::absolute("cli_model_test");
};

std::string read_file(std::string const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(model_appends_what_it_says_and_sums_up) {
  AccessFiles const files;
  std::string const head = files.header(32, ",wavefronts,bank_conflicts");
  std::string const good = files.row("ld,4,column,ffffffff", 32, 128, ",32,31");
  std::string const bad = files.row("st,4,row,ffffffff", 32, 4, ",3,1");
  std::string const worse = files.row("ld,4,other,ff", 32, 128, ",1,0");
  std::string const file = files.write("shared.csv", head + good + bad + worse);
  std::string const output = files.folder() + "/out.csv";
  Result const result = teamsan("model " + file + " --output " + output + " --what-if device=mi250x");
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.out ==
             "teamsan: h100: 1 of 3 rows exact (33.3 %)\n"
             "  line 4: ld 4 other: model wavefronts 8, recorded 1; bank_conflicts 7, recorded 0\n"
             "  line 3: st 4 row: model wavefronts 1, recorded 3; bank_conflicts 0, recorded 1\n");
  auto const with = [](std::string text, std::string const& columns) {
    text.pop_back();
    return text + columns + "\n";
  };
  BOOST_TEST(read_file(output) == with(head,
                                       ",model_wavefronts,model_bank_conflicts,what_if_mi250x_wavefronts,"
                                       "what_if_mi250x_bank_conflicts") +
                                      with(good, ",32,31,32,31") + with(bad, ",1,0,1,0") +
                                      with(worse, ",8,7,8,7"));
  expect_mistake("model " + output, output + " has a column model_wavefronts already");
}

BOOST_AUTO_TEST_CASE(model_of_64_lanes_and_without_counters) {
  AccessFiles const files;
  std::string const head = files.header(64, "");
  std::string const row = files.row("ld,4,row,ffffffffffffffff", 64, 4, "");
  std::string const file = files.write("wide.csv", head + row);
  auto const last_line = [](std::string const& text) { return text.substr(text.find('\n') + 1); };
  auto const counts = [&](std::string const& options) {
    Result const result = teamsan("model " + options + " " + file);
    BOOST_TEST(result.status == 0);
    return last_line(result.out).substr(row.size() - 1);
  };
  // One wavefront of 64 in two halves; two warps of 32, four of 16.
  BOOST_TEST(counts("--space shared --device mi250x") == ",2,0\n");
  BOOST_TEST(counts("--space shared") == ",2,0\n");
  BOOST_TEST(counts("--space=global --device MI250X") == ",1,4\n");
  BOOST_TEST(counts("--space global --what-if device=mobile") == ",2,8,4,4\n");
}

BOOST_AUTO_TEST_CASE(model_meets_every_recorded_row) {
  for (char const* name :
       {"h100_shared_memory", "h100_shared_memory_more", "h100_global_memory", "h100_global_memory_more"}) {
    Result const result = teamsan(std::string("model --output /dev/null " HARDWARE "/") + name + ".csv");
    BOOST_TEST(result.status == 0);
    BOOST_TEST(result.out.ends_with(" rows exact (100.0 %)\n"), name << ": " << result.out);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_of_model_are_one_sentence) {
  AccessFiles const files;
  std::string const row = files.row("ld,4,row,ffffffff", 32, 4, "");
  std::string const plain = files.write("plain.csv", files.header(32, "") + row);
  std::string const both = files.write(
      "both.csv", files.header(32, ",sectors,wavefronts") + files.row("ld,4,row,ffffffff", 32, 4, ",4,1"));
  expect_mistake("model", "model needs a file: teamsan model [--device h100] FILE.csv");
  expect_mistake("model no.csv", "no.csv: the file cannot be read: No such file or directory");
  expect_mistake("model " + files.folder(), files.folder() + ": the file cannot be read: it is a directory");
  expect_mistake("model " + plain + " x", "model does not take \"x\"");
  expect_mistake("model --spaec shared " + plain, "unknown option --spaec; the nearest known one is --space");
  expect_mistake("model --space local " + plain, "--space takes shared or global, not \"local\"");
  expect_mistake("model " + plain,
                 plain +
                     " has no counters of either memory: say which is meant by --space shared or "
                     "--space global");
  expect_mistake("model " + both,
                 both +
                     " has counters of shared and of global memory: say which is meant by --space "
                     "shared or --space global");
  expect_mistake("model --device h10 " + plain,
                 "unknown device \"h10\"; the nearest known one is \"h100\"; `teamsan devices` lists all");
  expect_mistake("model --what-if mi250x " + plain, "--what-if takes device=NAME, not \"mi250x\"");
  expect_mistake("model --what-if device=mi25 " + plain,
                 "unknown device \"mi25\"; the nearest known one is \"mi250x\"; `teamsan devices` lists all");
  expect_mistake("model --space shared --what-if device=a100 --what-if device=A100 " + plain,
                 "--what-if names a100 twice");
  expect_mistake("model --space shared --output /no/such/folder/x " + plain,
                 "/no/such/folder/x cannot be written");

  std::string const empty = files.write("empty.csv", "");
  expect_mistake("model " + empty, empty +
                                       ":1: the file is empty, it must begin with a header line "
                                       "op,bytes_per_lane,pattern,active_mask_hex,...");
  std::string const bare = files.write("bare.csv", files.header(32, ",sectors"));
  expect_mistake("model " + bare, bare + " has a header, but no access below it");
  std::string const wrong = files.write("wrong.csv", "op,bytes,pattern\n");
  expect_mistake("model " + wrong,
                 wrong + ":1: column 2 of the header is \"bytes\", it must be \"bytes_per_lane\"");
  std::string const mask =
      files.write("mask.csv", files.header(32, "") + files.row("ld,4,row,0xff", 32, 4, ""));
  expect_mistake("model --space shared " + mask,
                 mask + ":2: active_mask_hex is \"0xff\", it must be up to 8 hexadecimal digits, without 0x");
}
