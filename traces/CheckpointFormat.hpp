// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The words of a checkpoint file, version 1, as CHECKPOINT.md describes them: what the writer
/// (backends/native/Checkpoint.hpp, in any build of a program) and the reader (Checkpoint.cpp) share. Header
/// only and without any library, since production programs include it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace teamsan::traces {

static_assert(std::endian::native == std::endian::little, "checkpoint files are little-endian");

inline constexpr std::array<char, 8> checkpoint_magic{'T', 'S', 'C', 'K', 'P', 'T', '\r', '\n'};
inline constexpr std::uint32_t checkpoint_version = 1;
inline constexpr std::uint32_t checkpoint_mark = 0x4b504354;  ///< "TCPK": begins each snapshot
inline constexpr std::uint32_t checkpoint_rank_max = 16;
inline constexpr std::uint32_t checkpoint_text_max = 1u << 16;  ///< bytes of a name

/// What an element is. Numbers are part of the format: never change one.
enum class ElementKind : std::uint32_t {
  bytes = 0,             ///< anything else: compared bit by bit
  boolean = 1,           ///< 1 byte
  signed_integer = 2,    ///< 1, 2, 4 or 8 bytes
  unsigned_integer = 3,  ///< 1, 2, 4 or 8 bytes
  real = 4,              ///< IEEE 754 binary32 or binary64: 4 or 8 bytes
  complex = 5            ///< two reals, real part first: 8 or 16 bytes
};

constexpr std::array<std::uint32_t, 256> crc32_table() {
  std::array<std::uint32_t, 256> result{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
    result[i] = value;
  }
  return result;
}

/// CRC-32 as in zlib, gzip and PNG (ISO 3309, polynomial 0xEDB88320), over data that comes in pieces.
class Crc32 {
 public:
#if defined(__GNUC__)
  __attribute__((no_sanitize("thread")))  // a checked program would ask the simulated GPU about every byte
#endif
  void
  take(void const* data, std::size_t bytes) {
    auto const* const in = static_cast<unsigned char const*>(data);
    std::uint32_t value = m_value;
    for (std::size_t i = 0; i < bytes; ++i) value = table[(value ^ in[i]) & 0xff] ^ (value >> 8);
    m_value = value;
  }
  std::uint32_t value() const { return ~m_value; }

 private:
  static constexpr std::array<std::uint32_t, 256> table = crc32_table();
  std::uint32_t m_value = 0xffffffffu;
};

}  // namespace teamsan::traces
