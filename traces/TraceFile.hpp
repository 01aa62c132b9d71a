// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A trace as a file: a head, then chunks, each compressed and with a checksum over all of it. A chunk holds records,
/// whole; what a record says is no business of this file. FORMAT.md describes every byte.
#pragma once

#include "Bytes.hpp"
#include "TraceError.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

namespace teamsan::traces {

inline constexpr std::uint32_t trace_version = 4;
inline constexpr std::uint32_t oldest_version = 2;  ///< that is read, too: with whole addresses where sites stand now
inline constexpr std::size_t chunk_bytes = 256 * 1024;  ///< about so many, before compression; no record is split

/// What a record is, as TraceRecords.hpp says. Readers pass over those that they do not know.
using Tag = std::uint64_t;
inline constexpr Tag end_tag = 1;  ///< the last record of a trace that was written to its end

struct TraceRecord {
  Tag tag = 0;
  std::span<std::uint8_t const> bytes;  ///< valid until the reader goes on
};

/// Writes chunks as they fill. Not for several threads at once. Throws TraceError if the file cannot be written.
class TraceWriter {
 public:
  explicit TraceWriter(std::string file);
  ~TraceWriter();
  TraceWriter(TraceWriter const&) = delete;
  TraceWriter& operator=(TraceWriter const&) = delete;

  void add(Tag tag, std::span<std::uint8_t const> bytes);
  /// Ends the chunk: all that was added is in the file when this returns.
  void flush();
  /// The last record, and the end of the file.
  void finish();

  std::uint64_t written_bytes() const { return m_written; }

 private:
  struct State;
  void write(void const* data, std::size_t bytes);

  std::string m_file;
  std::unique_ptr<State> m_state;
  Bytes m_chunk;
  std::uint64_t m_written = 0;
};

/// What a reader does for a file at most: a small one may stand for very much, and may be somebody else's.
struct TraceLimits {
  std::uint64_t steps = 0;  ///< records and events, and 64 bytes of memory that one of them touches
  std::uint64_t memory = 0; ///< of the process, in bytes

  /// For a file of that size. A trace of regular kernels has about a hundred events a byte.
  static TraceLimits for_file(std::uint64_t bytes);
  /// From now on these hold for any file.
  static void set(TraceLimits const& limits);
};

/// Where a record stands.
struct Position {
  std::uint64_t chunk = 0;  ///< the chunk's place in the file, in bytes
  std::uint32_t at = 0;     ///< the record's place in the chunk's decompressed bytes
};

/// Reads records in order, from any position on; holds a few chunks, however long the trace is. Several can read one
/// file, each with its own place.
class TraceReader {
 public:
  /// Throws TraceError if that is no trace, or one of a version that this TeamSan does not read.
  explicit TraceReader(std::string const& file);
  ~TraceReader();
  TraceReader(TraceReader const&) = delete;
  TraceReader& operator=(TraceReader const&) = delete;

  /// The next record; false at the end, or where the file is damaged: see damage().
  bool next(TraceRecord& record);
  /// Where the record that next() gives next stands, and the way back to it.
  Position position() const { return m_position; }
  void seek(Position position);

  /// Empty if the trace was read up to its last record, or not all of it was read yet; else one sentence that says what
  /// is wrong with the file, and how much of it could be read.
  std::string const& damage() const { return m_damage; }
  std::string const& name() const { return m_file; }
  TraceLimits const& limits() const { return m_limits; }
  /// Counts work that the file asks for. Throws TraceError once that is more than its limits allow.
  void spend(std::uint64_t steps) {
    if (steps > m_steps_left) too_many_steps();
    m_steps_left -= steps;
  }
  std::uint64_t chunks_read() const { return m_chunks_read; }

 private:
  struct State;
  bool load(std::uint64_t chunk);
  bool fail(std::uint64_t at, std::string const& what);
  [[noreturn]] void too_many_steps() const;

  std::string m_file;
  std::unique_ptr<State> m_state;
  Position m_position;
  std::uint64_t m_chunks_read = 0;
  TraceLimits m_limits;
  std::uint64_t m_steps_left = 0;
  std::string m_damage;
};

}  // namespace teamsan::traces
