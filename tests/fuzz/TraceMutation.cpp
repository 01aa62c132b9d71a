// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TraceMutation.hpp"

#include "../../sim/base/Arena.hpp"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>

namespace teamsan::fuzz {
namespace {

struct Record {
  std::uint64_t tag = 0;
  Bytes bytes;
};

constexpr std::size_t head_bytes = 24;

std::uint64_t checksum(std::span<std::uint8_t const> first, std::span<std::uint8_t const> second = {}) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (auto const part : {first, second})
    for (std::uint8_t const byte : part) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

template <class T>
T number_at(Bytes const& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void put_number(Bytes& bytes, T value) {
  auto const* const p = reinterpret_cast<std::uint8_t const*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof value);
}

void put_leb128(Bytes& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

std::optional<std::uint64_t> leb128_at(Bytes const& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    std::uint8_t const byte = bytes[at++];
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// The records of all chunks up to the first that is no chunk.
std::vector<Record> records_of(Bytes const& trace) {
  std::vector<Record> records;
  for (std::size_t at = head_bytes; at + head_bytes <= trace.size();) {
    auto const raw = number_at<std::uint32_t>(trace, at + 4), stored = number_at<std::uint32_t>(trace, at + 8);
    if (stored > trace.size() - at - head_bytes || raw > 16u << 20) break;
    Bytes chunk(raw);
    std::size_t const size = ZSTD_decompress(chunk.data(), raw, trace.data() + at + head_bytes, stored);
    if (ZSTD_isError(size) || size != raw) break;
    for (std::size_t in = 0; in < chunk.size();) {
      auto const tag = leb128_at(chunk, in), bytes = leb128_at(chunk, in);
      if (!tag || !bytes || *bytes > chunk.size() - in) break;
      auto const begin = chunk.begin() + static_cast<std::ptrdiff_t>(in);
      records.push_back({*tag, Bytes(begin, begin + static_cast<std::ptrdiff_t>(*bytes))});
      in += *bytes;
    }
    at += head_bytes + stored;
  }
  return records;
}

/// The records as one chunk behind the trace's own head. `lie`: added to the sizes that the chunk's head tells.
Bytes trace_of(Bytes const& head, std::vector<Record> const& records, std::uint32_t raw_lie, std::uint32_t stored_lie) {
  Bytes chunk;
  for (Record const& r : records) {
    put_leb128(chunk, r.tag);
    put_leb128(chunk, r.bytes.size());
    chunk.insert(chunk.end(), r.bytes.begin(), r.bytes.end());
  }
  Bytes stored(ZSTD_compressBound(chunk.size()));
  stored.resize(ZSTD_compress(stored.data(), stored.size(), chunk.data(), chunk.size(), 1));
  Bytes trace(head.begin(), head.begin() + head_bytes);
  Bytes numbers;
  put_number<std::uint32_t>(numbers, 0x4b4e4843);
  put_number(numbers, static_cast<std::uint32_t>(chunk.size()) + raw_lie);
  put_number(numbers, static_cast<std::uint32_t>(stored.size()) + stored_lie);
  put_number<std::uint32_t>(numbers, 0);
  trace.insert(trace.end(), numbers.begin(), numbers.end());
  put_number(trace, checksum(numbers, stored));
  trace.insert(trace.end(), stored.begin(), stored.end());
  return trace;
}

/// What breaks arithmetic, and addresses at the edges of the simulated GPU's memory.
std::uint64_t interesting(std::minstd_rand& random) {
  using arena::device, arena::device_bytes, arena::global_bytes, arena::GiB;
  constexpr std::uint64_t numbers[] = {0, 1, 2, 3, 31, 33, 64, 255, 1023, 1025, 65535, 1u << 20, 0x7fffffff, 0xffffffff,
                                       1ull << 32, 1ull << 40, 1ull << 62, 1ull << 63, ~0ull, ~0ull - 1, ~0ull - 255,
                                       device, device - 1, device + 256, device + device_bytes - 4,
                                       device + global_bytes - 1, arena::scratch, arena::constant + GiB,
                                       arena::stacks + 4000 * GiB, arena::global_cells + 1000 * GiB};
  return numbers[random() % std::size(numbers)];
}

void change_structure(std::vector<Record>& records, std::minstd_rand& random) {
  std::size_t const one = random() % records.size(), other = random() % records.size();
  switch (random() % 4) {
    case 0: records.erase(records.begin() + static_cast<std::ptrdiff_t>(one)); break;
    case 1: records.push_back(records[one]); break;
    case 2: std::swap(records[one], records[other]); break;
    case 3: records[one].tag = random() % 36; break;
  }
}

}  // namespace

void change_somewhere(Bytes& piece, std::minstd_rand& random) {
  if (piece.empty()) return piece.push_back(static_cast<std::uint8_t>(random()));
  std::size_t at = random() % piece.size();
  switch (random() % 4) {
    case 0: piece[at] = static_cast<std::uint8_t>(random()); break;
    case 1: piece[at] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
    case 2: piece.resize(at); break;
    case 3: {
      while (at != 0 && piece[at - 1] >= 0x80) --at;
      std::size_t end = at;
      if (!leb128_at(piece, end)) return;
      Bytes number;
      put_leb128(number, interesting(random));
      auto const begin = piece.begin() + static_cast<std::ptrdiff_t>(at);
      piece.insert(piece.erase(begin, piece.begin() + static_cast<std::ptrdiff_t>(end)), number.begin(), number.end());
      break;
    }
  }
}

Bytes mutated_trace(Bytes const& trace, std::uint32_t seed, ByteMutator const& change) {
  std::minstd_rand random(seed + 1);
  random.discard(8);
  std::vector<Record> records = trace.size() < head_bytes ? std::vector<Record>() : records_of(trace);
  if (records.empty()) {
    Bytes result = trace;
    change(result, random);
    return result;
  }
  unsigned const kind = random() % 20;
  std::uint32_t raw_lie = 0, stored_lie = 0;
  if (kind == 0) {
    (random() % 2 ? raw_lie : stored_lie) = static_cast<std::uint32_t>(interesting(random));
  } else if (kind < 4) {
    change_structure(records, random);
  } else {
    // Each kind of record as often as any other, however many there are of it.
    std::vector<std::uint64_t> tags;
    for (Record const& r : records)
      if (std::find(tags.begin(), tags.end(), r.tag) == tags.end()) tags.push_back(r.tag);
    std::uint64_t const tag = tags[random() % tags.size()];
    std::vector<Record*> of_tag;
    for (Record& r : records)
      if (r.tag == tag) of_tag.push_back(&r);
    change(of_tag[random() % of_tag.size()]->bytes, random);
  }
  return trace_of(trace, records, raw_lie, stored_lie);
}

}  // namespace teamsan::fuzz
