// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The form that CHECKPOINT.md describes, checked field by field. No length in a file is believed before the
/// file's own size was asked, so that a damaged one is a sentence and not an allocation of terabytes.
#include "Checkpoint.hpp"

#include "InputFile.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <utility>

namespace teamsan::traces {
namespace {

class Reader {
 public:
  explicit Reader(std::filesystem::path const& file) : m_name(file.string()) {
    try {
      InputFile const input(m_name);
    } catch (InputError const& error) {
      throw MalformedCheckpoint(m_name + " cannot be opened: " + error.what());
    }
    m_stream.open(file, std::ios::binary);
    if (!m_stream) throw MalformedCheckpoint(m_name + " cannot be opened: " + std::strerror(errno));
    m_stream.seekg(0, std::ios::end);
    m_size = static_cast<std::uint64_t>(m_stream.tellg());
    m_stream.seekg(0);
  }

  [[noreturn]] void fail(std::string const& what) const { throw MalformedCheckpoint(m_name + ": " + what); }
  [[noreturn]] void fail_at(std::uint64_t byte, std::string const& what) const {
    fail("at byte " + std::to_string(byte) + " " + what);
  }

  std::uint64_t at() const { return m_at; }
  std::uint64_t left() const { return m_size - m_at; }

  void read(void* into, std::uint64_t bytes) {
    if (bytes > left())
      fail("the file was cut off: it ends at byte " + std::to_string(m_size) + " within " + m_within);
    m_stream.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes));
    if (!m_stream) fail_at(m_at, "the file cannot be read");
    m_sum.take(into, bytes);
    m_at += bytes;
  }
  template <class T>
  T number() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::uint64_t const begin = m_at;
    auto const bytes = number<std::uint32_t>();
    if (bytes >= checkpoint_text_max)
      fail_at(begin, "a name of " + std::to_string(bytes) + " bytes is announced; the file is damaged");
    std::string result(bytes, '\0');
    read(result.data(), bytes);
    return result;
  }
  void skip(std::uint64_t bytes) {
    std::array<char, 1 << 16> piece;
    for (std::uint64_t rest = bytes; rest > 0;) {
      std::uint64_t const now = std::min<std::uint64_t>(rest, piece.size());
      read(piece.data(), now);
      rest -= now;
    }
  }

  /// What is being read, for messages.
  void begin(std::string within) {
    m_within = std::move(within);
    m_sum = {};
  }
  void expect_sum() {
    std::uint32_t const computed = m_sum.value();
    std::uint64_t const begin = m_at;
    if (number<std::uint32_t>() != computed)
      fail_at(begin, "the checksum of " + m_within + " does not fit; the file is damaged");
  }

 private:
  std::string m_name;
  std::ifstream m_stream;
  std::uint64_t m_size = 0;
  std::uint64_t m_at = 0;
  std::string m_within = "its header";
  Crc32 m_sum;
};

std::string read_header(Reader& in) {
  auto magic = checkpoint_magic;
  if (in.left() == 0) in.fail("the file is empty, it is no checkpoint file");
  in.read(magic.data(), std::min<std::uint64_t>(in.left(), magic.size()));
  if (magic != checkpoint_magic) in.fail("the file does not begin as a checkpoint file does");
  in.begin("its header");
  auto const version = in.number<std::uint32_t>();
  if (version > checkpoint_version)
    in.fail("the file has version " + std::to_string(version) +
            " of the format, a newer TeamSan wrote it; this one reads " + std::to_string(checkpoint_version));
  if (version != checkpoint_version)
    in.fail("the file has version " + std::to_string(version) + ", which never was; it is damaged");
  std::string space = in.text();
  in.expect_sum();
  return space;
}

bool size_fits(ElementKind kind, std::uint32_t bytes) {
  switch (kind) {
    case ElementKind::bytes:
      return bytes > 0;
    case ElementKind::boolean:
      return bytes == 1;
    case ElementKind::signed_integer:
    case ElementKind::unsigned_integer:
      return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    case ElementKind::real:
      return bytes == 4 || bytes == 8;
    case ElementKind::complex:
      return bytes == 8 || bytes == 16;
  }
  return false;
}

/// The elements that the extents make; fails if they cannot be in the file.
std::uint64_t count_elements(Reader const& in, Checkpoint const& entry) {
  if (std::ranges::find(entry.extents, 0u) != entry.extents.end()) return 0;
  std::uint64_t const most = in.left() / entry.element_bytes;
  std::uint64_t count = 1;
  for (std::uint64_t const extent : entry.extents) {
    if (extent > most / count)
      in.fail("the file was cut off: it ends within the elements of \"" + entry.name + "\"");
    count *= extent;
  }
  if (count > most) in.fail("the file was cut off: it ends within the elements of \"" + entry.name + "\"");
  return count;
}

Checkpoint read_entry(Reader& in, std::size_t which) {
  in.begin("snapshot " + std::to_string(which + 1));
  std::uint64_t const begin = in.at();
  if (in.number<std::uint32_t>() != checkpoint_mark)
    in.fail_at(begin, "a snapshot should begin and none does; the file is damaged");
  in.begin("the description of snapshot " + std::to_string(which + 1));
  Checkpoint entry{};
  entry.occurrence = in.number<std::uint32_t>();
  entry.kind = static_cast<ElementKind>(in.number<std::uint32_t>());
  entry.element_bytes = in.number<std::uint32_t>();
  auto const rank = in.number<std::uint32_t>();
  if (rank > checkpoint_rank_max)
    in.fail_at(begin, "a snapshot has a rank of " + std::to_string(rank) + "; the file is damaged");
  for (std::uint32_t r = 0; r < rank; ++r) entry.extents.push_back(in.number<std::uint64_t>());
  entry.name = in.text();
  entry.type = in.text();
  entry.label = in.text();
  in.expect_sum();
  if (!size_fits(entry.kind, entry.element_bytes))
    in.fail_at(begin, "snapshot \"" + entry.name + "\" has elements of kind " +
                          std::to_string(static_cast<std::uint32_t>(entry.kind)) + " and " +
                          std::to_string(entry.element_bytes) + " bytes, which the format does not have");
  entry.elements = count_elements(in, entry);
  in.begin("the elements of \"" + entry.name + "\"");
  entry.payload_offset = in.at();
  in.skip(entry.payload_bytes());
  in.expect_sum();
  return entry;
}

}  // namespace

CheckpointFile read_checkpoints(std::filesystem::path const& file) {
  Reader in(file);
  CheckpointFile result{.path = file, .space = read_header(in), .entries = {}};
  std::set<std::pair<std::string, std::uint32_t>> seen;
  while (in.left() > 0) {
    result.entries.push_back(read_entry(in, result.entries.size()));
    Checkpoint const& last = result.entries.back();
    if (!seen.emplace(last.name, last.occurrence).second)
      in.fail("snapshot \"" + last.name + "\" stands there twice as number " +
              std::to_string(last.occurrence + 1) + "; the file is damaged");
  }
  return result;
}

std::vector<std::byte> CheckpointFile::load(Checkpoint const& entry) const {
  std::vector<std::byte> data(entry.payload_bytes());
  std::ifstream stream(path, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(entry.payload_offset));
  stream.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()));
  std::uint32_t sum = 0;
  stream.read(reinterpret_cast<char*>(&sum), sizeof sum);
  Crc32 computed;
  computed.take(data.data(), data.size());
  if (!stream || sum != computed.value())
    throw MalformedCheckpoint(path.string() + ": the file changed while it was read");
  return data;
}

}  // namespace teamsan::traces
