// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TraceFile.hpp"

#include "InputFile.hpp"
#include "SignalFreeWrites.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

namespace teamsan::traces {

namespace {

constexpr std::uint8_t magic[8] = {0x89, 'T', 'e', 'a', 'm', 'S', 'a', 'n'};
constexpr std::uint32_t chunk_mark = 0x4b4e4843;  // "CHNK"
constexpr std::uint32_t most_chunk_bytes = 32u << 20;  ///< a whole source file is one record
constexpr int compression = 3;

/// All numbers are little-endian.
struct FileHead {
  std::uint8_t magic[8];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t checksum;  ///< of what stands before it
};
struct ChunkHead {
  std::uint32_t mark;
  std::uint32_t raw_bytes;
  std::uint32_t stored_bytes;
  std::uint32_t reserved;
  std::uint64_t checksum;  ///< of the four numbers before it and of the stored bytes
};
static_assert(sizeof(FileHead) == 24 && sizeof(ChunkHead) == 24);
static_assert(std::endian::native == std::endian::little);

/// FNV-1a: any change of one byte changes it.
std::uint64_t checksum(std::uint64_t hash, void const* data, std::size_t bytes) {
  auto const* p = static_cast<std::uint8_t const*>(data);
  for (std::size_t i = 0; i != bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}
constexpr std::uint64_t checksum_begin = 0xcbf29ce484222325u;

std::uint64_t checksum_of(FileHead const& head) { return checksum(checksum_begin, &head, offsetof(FileHead, checksum)); }
std::uint64_t checksum_of(ChunkHead const& head, void const* stored) {
  return checksum(checksum(checksum_begin, &head, offsetof(ChunkHead, checksum)), stored, head.stored_bytes);
}

}  // namespace

// ---- writing -------------------------------------------------------------------------------------------------------

struct TraceWriter::State {
  ~State() {
    ZSTD_freeCCtx(context);
    if (descriptor >= 0) ::close(descriptor);
  }

  int descriptor = -1;
  ZSTD_CCtx* context = nullptr;
  Bytes stored;
};

TraceWriter::TraceWriter(std::string file) : m_file(std::move(file)), m_state(std::make_unique<State>()) {
  m_state->descriptor = ::open(m_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (m_state->descriptor < 0)
    throw TraceError(fmt::format("cannot write the trace \"{}\": {}", m_file, std::strerror(errno)));
  m_state->context = ZSTD_createCCtx();
  FileHead head{};
  std::memcpy(head.magic, magic, sizeof magic);
  head.version = trace_version;
  head.checksum = checksum_of(head);
  write(&head, sizeof head);
}

TraceWriter::~TraceWriter() = default;

void TraceWriter::write(void const* data, std::size_t bytes) {
  SignalFreeWrites const scope;
  auto const* p = static_cast<char const*>(data);
  while (bytes != 0) {
    ssize_t const done = ::write(m_state->descriptor, p, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw TraceError(fmt::format("cannot write the trace \"{}\": {}", m_file, std::strerror(errno)));
    p += done;
    bytes -= static_cast<std::size_t>(done);
    m_written += static_cast<std::uint64_t>(done);
  }
}

void TraceWriter::add(Tag tag, std::span<std::uint8_t const> bytes) {
  put(m_chunk, tag);
  put(m_chunk, bytes.size());
  m_chunk.insert(m_chunk.end(), bytes.begin(), bytes.end());
  if (m_chunk.size() >= chunk_bytes) flush();
}

void TraceWriter::flush() {
  if (m_chunk.empty()) return;
  Bytes& stored = m_state->stored;
  stored.resize(sizeof(ChunkHead) + ZSTD_compressBound(m_chunk.size()));
  std::size_t const size = ZSTD_compressCCtx(m_state->context, stored.data() + sizeof(ChunkHead),
                                             stored.size() - sizeof(ChunkHead), m_chunk.data(), m_chunk.size(), compression);
  if (ZSTD_isError(size))
    throw TraceError(fmt::format("cannot write the trace \"{}\": {}", m_file, ZSTD_getErrorName(size)));
  ChunkHead head{chunk_mark, static_cast<std::uint32_t>(m_chunk.size()), static_cast<std::uint32_t>(size), 0, 0};
  head.checksum = checksum_of(head, stored.data() + sizeof head);
  std::memcpy(stored.data(), &head, sizeof head);
  m_chunk.clear();
  write(stored.data(), sizeof head + size);
}

void TraceWriter::finish() {
  add(end_tag, {});
  flush();
}

// ---- reading -------------------------------------------------------------------------------------------------------

namespace {
std::optional<TraceLimits> same_for_all;
}

TraceLimits TraceLimits::for_file(std::uint64_t bytes) {
  if (same_for_all) return *same_for_all;
  constexpr std::uint64_t MiB = 1 << 20, least_steps = 100'000'000, steps_per_byte = 1000, least_memory = 768 * MiB;
  return {least_steps + (bytes > MiB ? bytes - MiB : 0) * steps_per_byte, least_memory * (1 + bytes / MiB)};
}

void TraceLimits::set(TraceLimits const& limits) { same_for_all = limits; }

struct TraceReader::State {
  explicit State(std::string const& name) : file(name) {}
  ~State() { ZSTD_freeDCtx(context); }

  InputFile file;
  ZSTD_DCtx* context = nullptr;
  /// Chunks read last; the rest is read again.
  struct Chunk {
    std::uint64_t place = 0;  ///< 0: none
    std::uint64_t next = 0;   ///< the chunk behind it
    std::uint64_t used = 0;   ///< when
    Bytes bytes;
  };
  std::array<Chunk, 4> chunks;
  Chunk* current = nullptr;
  std::uint64_t clock = 0;
  std::uint64_t furthest = 0;  ///< end of the chunk that was read furthest into the file
  Bytes stored;
  bool ended = false;  ///< the end record was seen
};

TraceReader::TraceReader(std::string const& file) : m_file(file) {
  try {
    m_state = std::make_unique<State>(file);
  } catch (InputError const& error) {
    throw TraceError(fmt::format("cannot read the trace \"{}\": {}", file, error.what()));
  }
  State& s = *m_state;
  m_limits = TraceLimits::for_file(s.file.bytes());
  m_steps_left = m_limits.steps;
  s.context = ZSTD_createDCtx();
  FileHead head{};
  if (s.file.read(0, &head, sizeof head) != sizeof head || std::memcmp(head.magic, magic, sizeof magic) != 0)
    throw TraceError(fmt::format("\"{}\" is no trace of TeamSan: it does not begin like one", file));
  if (head.checksum != checksum_of(head))
    throw TraceError(fmt::format("the trace \"{}\" is damaged in its first {} bytes; nothing of it could be read", file,
                                 sizeof head));
  if (head.version > trace_version || head.version < oldest_version)
    throw TraceError(fmt::format("the trace \"{}\" is of version {}, written by {} TeamSan; this one reads version {}: {}",
                                 file, head.version, head.version > trace_version ? "a newer" : "an older", trace_version,
                                 head.version > trace_version ? "use the newer TeamSan" : "record it again"));
  m_position = {sizeof head, 0};
  s.furthest = sizeof head;
}

TraceReader::~TraceReader() = default;

void TraceReader::too_many_steps() const {
  throw TraceLimitError(fmt::format(
      "asks for more than {} steps, which is much for a file of {} bytes; if it is your own, --no-limits reads all of it",
      m_limits.steps, m_state->file.bytes()));
}

bool TraceReader::fail(std::uint64_t at, std::string const& what) {
  if (m_damage.empty())
    m_damage = fmt::format("the trace \"{}\" {} at byte {} of {}: {} before it could be read", m_file, what, at,
                           m_state->file.bytes(), m_chunks_read == 1 ? "1 chunk" : fmt::format("{} chunks", m_chunks_read));
  return false;
}

bool TraceReader::load(std::uint64_t place) {
  State& s = *m_state;
  ++s.clock;
  State::Chunk* oldest = &s.chunks[0];
  for (State::Chunk& c : s.chunks) {
    if (c.place == place) {
      s.current = &c;
      c.used = s.clock;
      return true;
    }
    if (c.used < oldest->used) oldest = &c;
  }
  ChunkHead head{};
  std::size_t const got = s.file.read(place, &head, sizeof head);
  if (got == 0) return fail(place, "ends without its last record (the program was killed, or the file cut off)");
  if (got != sizeof head) return fail(place, "is cut off");
  if (head.mark != chunk_mark || head.raw_bytes > most_chunk_bytes || head.stored_bytes > most_chunk_bytes)
    return fail(place, "is damaged");
  if (head.stored_bytes > s.file.bytes() - place - sizeof head) {
    // A damaged length looks like a file that is too short; the checksum cannot tell without the bytes.
    return fail(place, "is cut off or damaged");
  }
  s.stored.resize(head.stored_bytes);
  if (s.file.read(place + sizeof head, s.stored.data(), s.stored.size()) != s.stored.size()) return fail(place, "is cut off");
  if (head.checksum != checksum_of(head, s.stored.data())) return fail(place, "is damaged");
  // Asked before memory is made ready for what the head says.
  if (ZSTD_getFrameContentSize(s.stored.data(), s.stored.size()) != head.raw_bytes) return fail(place, "is damaged");
  spend(head.raw_bytes / 64);
  State::Chunk& c = *oldest;
  c.place = 0;
  c.bytes.resize(head.raw_bytes);
  std::size_t const size =
      ZSTD_decompressDCtx(s.context, c.bytes.data(), c.bytes.size(), s.stored.data(), s.stored.size());
  if (ZSTD_isError(size) || size != head.raw_bytes) return fail(place, "is damaged");
  c.place = place;
  c.next = place + sizeof head + head.stored_bytes;
  c.used = s.clock;
  s.current = &c;
  if (c.next > s.furthest) {
    s.furthest = c.next;
    ++m_chunks_read;
  }
  return true;
}

void TraceReader::seek(Position position) {
  m_position = position;
  m_state->current = nullptr;
  m_state->ended = false;
}

bool TraceReader::next(TraceRecord& record) {
  State& s = *m_state;
  if (s.ended || !m_damage.empty()) return false;
  spend(1);
  if (s.current == nullptr || s.current->place != m_position.chunk)
    if (!load(m_position.chunk)) return false;
  while (m_position.at >= s.current->bytes.size()) {
    m_position = {s.current->next, 0};
    if (!load(m_position.chunk)) return false;
  }
  try {
    ByteReader bytes(std::span<std::uint8_t const>(s.current->bytes).subspan(m_position.at));
    record.tag = bytes.number();
    record.bytes = bytes.bytes(bytes.number());
    m_position.at = static_cast<std::uint32_t>(s.current->bytes.size() - bytes.left());
  } catch (TraceError const&) {
    return fail(m_position.chunk, "is damaged");
  }
  s.ended = record.tag == end_tag;
  return !s.ended;
}

}  // namespace teamsan::traces
