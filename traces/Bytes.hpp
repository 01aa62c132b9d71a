// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers and texts as bytes, the same on every machine: numbers as LEB128 (seven bits a byte, least first), signed ones
/// zigzagged before, texts with their length in front.
#pragma once

#include "TraceError.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::traces {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

inline void put(Bytes& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}
inline void put_signed(Bytes& bytes, std::int64_t value) { put(bytes, zigzag(value)); }
inline void put(Bytes& bytes, std::string_view text) {
  put(bytes, text.size());
  bytes.insert(bytes.end(), text.begin(), text.end());
}
inline void put(Bytes& bytes, std::span<std::uint64_t const> values) {
  put(bytes, values.size());
  for (std::uint64_t const v : values) put(bytes, v);
}

/// Takes them out again. Throws TraceError where the bytes do not hold what is asked for.
class ByteReader {
 public:
  explicit ByteReader(std::span<std::uint8_t const> bytes) : m_at(bytes.data()), m_end(bytes.data() + bytes.size()) {}

  bool empty() const { return m_at == m_end; }
  std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (m_at == m_end) break;
      std::uint8_t const byte = *m_at++;
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw TraceError("a number is cut off");
  }
  template <class T>
  T as() {
    std::uint64_t const value = number();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) throw TraceError("a number is too large");
    return static_cast<T>(value);
  }
  std::int64_t signed_number() { return unzigzag(number()); }
  std::span<std::uint8_t const> bytes(std::uint64_t count) {
    if (count > left()) throw TraceError("a text is cut off");
    std::span<std::uint8_t const> const result(m_at, static_cast<std::size_t>(count));
    m_at += count;
    return result;
  }
  std::string text() {
    auto const b = bytes(number());
    return std::string(reinterpret_cast<char const*>(b.data()), b.size());
  }
  std::vector<std::uint64_t> numbers() {
    std::uint64_t const count = number();
    if (count > left()) throw TraceError("a list is cut off");
    std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
    for (std::uint64_t& v : values) v = number();
    return values;
  }

 private:
  std::uint8_t const* m_at;
  std::uint8_t const* m_end;
};

}  // namespace teamsan::traces
