// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A trace file comes back as it was written; one that is cut off, changed, older or newer says so in one sentence and
/// gives what stood before.
#include <boost/test/unit_test.hpp>

#include "../../traces/TraceFile.hpp"
#include "../../traces/TraceRecords.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using namespace teamsan::traces;

namespace {

struct TemporaryFile {
  std::string name = (std::filesystem::temp_directory_path() / ("teamsan_trace_" + std::to_string(::getpid()))).string();
  ~TemporaryFile() { std::remove(name.c_str()); }

  std::string content() const {
    std::ifstream stream(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(std::string const& text) const { std::ofstream(name, std::ios::binary) << text; }
};

/// Records that say their number, in chunks of five. Gives where each chunk ends in the file.
std::vector<std::size_t> write_numbers(std::string const& file, unsigned records) {
  TraceWriter writer(file);
  std::vector<std::size_t> ends{static_cast<std::size_t>(writer.written_bytes())};
  for (unsigned i = 0; i != records; ++i) {
    Bytes bytes;
    put(bytes, i);
    put(bytes, std::string_view("some text that every record has"));
    writer.add(100, bytes);
    if (i % 5 != 4) continue;
    writer.flush();
    ends.push_back(static_cast<std::size_t>(writer.written_bytes()));
  }
  writer.finish();
  return ends;
}

/// How many could be read; they must be 0, 1, 2, ...
unsigned read_numbers(TraceReader& reader) {
  unsigned count = 0;
  for (TraceRecord record; reader.next(record); ++count) {
    BOOST_REQUIRE_EQUAL(record.tag, 100u);
    BOOST_REQUIRE_EQUAL(ByteReader(record.bytes).number(), count);
  }
  return count;
}

void check_sentence(std::string const& text) {
  BOOST_TEST_INFO(text);
  BOOST_CHECK(!text.empty() && text.find('\n') == text.npos && text.find("\"") != text.npos);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_written_is_read) {
  TemporaryFile const file;
  write_numbers(file.name, 103);
  TraceReader reader(file.name);
  BOOST_CHECK_EQUAL(read_numbers(reader), 103u);
  BOOST_CHECK_EQUAL(reader.damage(), "");
}

BOOST_AUTO_TEST_CASE(readers_come_back_to_a_record) {
  TemporaryFile const file;
  write_numbers(file.name, 103);
  TraceReader reader(file.name);
  std::vector<Position> places;
  TraceRecord record;
  for (Position p = reader.position(); reader.next(record); p = reader.position()) places.push_back(p);
  for (unsigned const i : {0u, 102u, 50u, 51u, 4u, 5u}) {
    reader.seek(places[i]);
    BOOST_REQUIRE(reader.next(record));
    BOOST_CHECK_EQUAL(ByteReader(record.bytes).number(), i);
  }
}

BOOST_AUTO_TEST_CASE(cut_off_at_every_byte_of_a_chunk_and_between_chunks) {
  TemporaryFile const file;
  auto const ends = write_numbers(file.name, 40);
  std::string const whole = file.content();
  for (std::size_t size = 0; size != whole.size(); ++size) {
    file.write(whole.substr(0, size));
    if (size < 24) {
      BOOST_CHECK_THROW(TraceReader{file.name}, TraceError);
      continue;
    }
    TraceReader reader(file.name);
    unsigned chunks = 0;
    while (chunks + 1 < ends.size() && ends[chunks + 1] <= size) ++chunks;
    BOOST_REQUIRE_EQUAL(read_numbers(reader), 5 * chunks);
    check_sentence(reader.damage());
    bool const says_so =
        reader.damage().find(ends[chunks] == size ? "ends without its last record" : "cut off") != std::string::npos;
    BOOST_CHECK_MESSAGE(says_so, reader.damage());
  }
}

BOOST_AUTO_TEST_CASE(every_byte_that_changes_is_noticed) {
  TemporaryFile const file;
  auto const ends = write_numbers(file.name, 30);
  std::string const whole = file.content();
  std::mt19937 random(1);
  for (std::size_t at = 0; at != whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (1 + random() % 255));
    file.write(changed);
    if (at < 24) {
      try {
        TraceReader const reader(file.name);
        BOOST_ERROR("a changed head was taken, at byte " << at);
      } catch (TraceError const& error) {
        check_sentence(error.what());
      }
      continue;
    }
    TraceReader reader(file.name);
    unsigned chunks = 0;
    while (chunks + 1 < ends.size() && ends[chunks + 1] <= at) ++chunks;
    BOOST_REQUIRE_MESSAGE(read_numbers(reader) == 5 * chunks, "a change at byte " << at << " was not noticed");
    check_sentence(reader.damage());
  }
}

BOOST_AUTO_TEST_CASE(other_versions_and_other_files_are_named) {
  TemporaryFile const file;
  write_numbers(file.name, 3);
  std::string const whole = file.content();
  auto const message = [&] {
    try {
      TraceReader const reader(file.name);
    } catch (TraceError const& error) {
      check_sentence(error.what());
      return std::string(error.what());
    }
    return std::string();
  };
  // As a TeamSan of that version would write its head.
  auto const with_version = [&](unsigned version) {
    std::string head = whole.substr(0, 16);
    head[8] = static_cast<char>(version);
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (unsigned char const c : head) hash = (hash ^ c) * 0x100000001b3u;
    for (unsigned i = 0; i != 8; ++i) head += static_cast<char>(hash >> 8 * i);
    file.write(head + whole.substr(24));
    return message();
  };
  BOOST_CHECK(with_version(trace_version).empty());
  BOOST_CHECK(with_version(oldest_version).empty());
  BOOST_CHECK(with_version(trace_version + 1).find("newer") != std::string::npos);
  BOOST_CHECK(with_version(oldest_version - 1).find("older") != std::string::npos);
  file.write("{\"format\": \"teamsan-report\"}");
  BOOST_CHECK(message().find("is no trace") != std::string::npos);
  std::remove(file.name.c_str());
  BOOST_CHECK(message().find("No such file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(records_that_no_run_has_are_refused) {
  LaunchRecord launch;
  launch.config.team_size = launch.config.vector_length = 0x10000;
  BOOST_CHECK_THROW(decode<LaunchRecord>(encode(launch)), TraceError);
  for (std::uint32_t const first : {0u, 0xffffffffu})
    BOOST_CHECK_THROW(decode<SourceRecord>(encode(SourceRecord{"a.cpp", first, {"x"}})), TraceError);
  Bytes number;
  put(number, std::uint64_t{1} << 40);  // "space" has eight bits
  BOOST_CHECK_THROW(decode<AllocateRecord>(number), TraceError);
  Bytes list;
  put(list, std::uint64_t{0x1000});  // a site, and a list that says to be long
  put(list, std::uint64_t{1} << 62);
  BOOST_CHECK_THROW(decode<FramesRecord>(list), TraceError);
}

BOOST_AUTO_TEST_CASE(a_small_file_that_asks_for_much_is_given_up) {
  TemporaryFile const file;
  write_numbers(file.name, 10);
  TraceReader reader(file.name);
  reader.spend(reader.limits().steps / 2);
  BOOST_CHECK_THROW(reader.spend(reader.limits().steps), TraceLimitError);
  BOOST_CHECK(TraceLimits::for_file(100 << 20).steps > reader.limits().steps);
  BOOST_CHECK_EQUAL(damage_of("x", TraceError("y")), "the trace \"x\" is damaged: y");
  BOOST_CHECK_EQUAL(damage_of("x", TraceLimitError("asks for y")), "the trace \"x\" asks for y");
}

BOOST_AUTO_TEST_CASE(records_become_bytes_and_back) {
  AllocateRecord made;
  made.space = 1;
  made.address = 0x100000000100;
  made.bytes = 4096;
  made.label = "temperature";
  made.shape.type = "double";
  made.shape.extents = {64, 8};
  made.shape.strides = {1, 64};
  auto const back = decode<AllocateRecord>(encode(made));
  BOOST_CHECK_EQUAL(back.address, made.address);
  BOOST_CHECK_EQUAL(back.label, "temperature");
  BOOST_CHECK_EQUAL(back.shape.strides[1], 64u);

  LaunchRecord launch;
  launch.number = 7;
  launch.config.label = "assemble";
  launch.config.thread_scratch[1] = 12;
  launch.checked = false;
  auto const l = decode<LaunchRecord>(encode(launch));
  BOOST_CHECK_EQUAL(l.config.label, "assemble");
  BOOST_CHECK_EQUAL(l.config.thread_scratch[1], 12u);
  BOOST_CHECK(!l.checked);

  // What an earlier minor version did not write keeps its default; what is cut off in the middle is refused.
  Bytes short_one = encode(launch);
  short_one.resize(short_one.size() - 2);  // `checked`, and how many calls there are
  BOOST_CHECK(decode<LaunchRecord>(short_one).checked);
  BOOST_CHECK_THROW(decode<LaunchRecord>(std::span(short_one).first(3)), TraceError);
}
