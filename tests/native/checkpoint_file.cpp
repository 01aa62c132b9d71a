// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The reader of checkpoint files: what CHECKPOINT.md says is read as it stands; every file that is cut off,
/// damaged or of another version is a sentence.
#include "CheckpointBytes.hpp"

#include "../../traces/Checkpoint.hpp"

#include <boost/test/unit_test.hpp>

using namespace native_test;
using teamsan::traces::Checkpoint;
using teamsan::traces::ElementKind;
using teamsan::traces::MalformedCheckpoint;
using teamsan::traces::read_checkpoints;

namespace {

std::string sentence_for(std::string const& file) {
  try {
    read_checkpoints(file);
  } catch (MalformedCheckpoint const& error) {
    BOOST_TEST(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

Snapshot small() {
  return {.name = "u", .extents = {2, 3}, .elements = elements_of<double>({1, 2, 3, 4, 5, 6})};
}

}  // namespace

BOOST_AUTO_TEST_CASE(crc_is_zlibs) { BOOST_TEST(crc32("123456789") == 0xcbf43926u); }

BOOST_AUTO_TEST_CASE(reads_what_is_there) {
  Files const files("native_file_test");
  Snapshot const second{.name = "flags",
                        .kind = boolean,
                        .element_bytes = 1,
                        .type = "bool",
                        .extents = {},
                        .elements = std::string(1, '\1'),
                        .label = ""};
  Snapshot const third{.name = "u", .extents = {0, 7}, .elements = "", .occurrence = 1};
  auto const file = read_checkpoints(
      files.write("f", header() + small().file_bytes() + second.file_bytes() + third.file_bytes()));
  BOOST_TEST(file.space == "Cuda");
  BOOST_TEST_REQUIRE(file.entries.size() == 3u);
  Checkpoint const& u = file.entries[0];
  BOOST_TEST(u.name == "u");
  BOOST_TEST(u.label == "v");
  BOOST_TEST(u.type == "float64");
  BOOST_CHECK(u.kind == ElementKind::real);
  BOOST_TEST(u.elements == 6u);
  auto const data = file.load(u);
  double last = 0;
  std::memcpy(&last, data.data() + 40, sizeof last);
  BOOST_TEST(last == 6.0);
  BOOST_TEST(file.entries[1].elements == 1u);  // of rank 0
  BOOST_TEST(file.load(file.entries[1]).size() == 1u);
  BOOST_TEST(file.entries[2].elements == 0u);
  BOOST_TEST(file.entries[2].occurrence == 1u);
  BOOST_TEST(read_checkpoints(files.write("none", header())).entries.empty());
}

BOOST_AUTO_TEST_CASE(a_file_cut_off_anywhere_is_refused) {
  Files const files("native_cut_test");
  std::string const head = header(), one = small().file_bytes(), whole = head + one + one;
  for (std::size_t size = 0; size < head.size() + one.size(); ++size) {
    if (size == head.size()) continue;  // a file without a snapshot
    std::string const sentence = sentence_for(files.write("f", whole.substr(0, size)));
    BOOST_TEST(!sentence.empty(), "cut off at " << size);
    if (size >= 8) BOOST_TEST(sentence.find("was cut off") != std::string::npos, sentence);
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_byte_anywhere_is_refused) {
  Files const files("native_damage_test");
  std::string const whole = header() + small().file_bytes();
  for (std::size_t byte = 0; byte < whole.size(); ++byte)
    for (int const bit : {0, 7}) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      BOOST_TEST(!sentence_for(files.write("f", damaged)).empty(), "bit " << bit << " of byte " << byte);
    }
}

BOOST_AUTO_TEST_CASE(sentences) {
  Files const files("native_sentence_test");
  auto const says = [&](std::string const& content, std::string const& words) {
    std::string const file = files.write("f", content);
    BOOST_TEST(sentence_for(file) == file + ": " + words);
  };
  says("", "the file is empty, it is no checkpoint file");
  says("# text\n", "the file does not begin as a checkpoint file does");
  says(header(2), "the file has version 2 of the format, a newer TeamSan wrote it; this one reads 1");
  says(header(0), "the file has version 0, which never was; it is damaged");
  std::string flipped = header() + small().file_bytes();
  flipped[flipped.size() - 5] ^= 1;
  says(flipped, "at byte " + std::to_string(flipped.size() - 4) +
                    " the checksum of the elements of \"u\" does not fit; the file is damaged");
  says(header() + small().file_bytes() + small().file_bytes(),
       "snapshot \"u\" stands there twice as number 1; the file is damaged");
  Snapshot odd = small();
  odd.kind = 9;
  says(header() + odd.file_bytes(),
       "at byte 24 snapshot \"u\" has elements of kind 9 and 8 bytes, which the format does not have");
  Snapshot huge = small();  // its checksum is right, its size is beyond all memory
  huge.extents = {std::uint64_t{1} << 62, std::uint64_t{1} << 62};
  says(header() + huge.file_bytes(), "the file was cut off: it ends within the elements of \"u\"");
  BOOST_TEST(sentence_for(files.path("missing")) ==
             files.path("missing") + " cannot be opened: No such file or directory");
  BOOST_TEST(sentence_for(files.path("")) == files.path("") + " cannot be opened: it is a directory");
}
