// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checkpoint files made by hand from what traces/CHECKPOINT.md says, without the writer that programs use.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace native_test {

/// CRC-32, bit by bit.
inline std::uint32_t crc32(std::string const& bytes) {
  std::uint32_t value = 0xffffffff;
  for (char const byte : bytes) {
    value ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
  }
  return ~value;
}

template <class T>
std::string raw(T const& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}
inline std::string number(std::uint32_t value) { return raw(value); }
inline std::string text(std::string const& words) {
  return number(static_cast<std::uint32_t>(words.size())) + words;
}

inline std::string header(std::uint32_t version = 1, std::string const& space = "Cuda") {
  std::string const body = number(version) + text(space);
  return "TSCKPT\r\n" + body + number(crc32(body));
}

enum Kind : std::uint32_t {
  bytes = 0,
  boolean = 1,
  signed_integer = 2,
  unsigned_integer = 3,
  real = 4,
  complex = 5
};

struct Snapshot {
  std::string name;
  std::uint32_t kind = real, element_bytes = 8;
  std::string type = "float64";
  std::vector<std::uint64_t> extents;
  std::string elements;
  std::uint32_t occurrence = 0;
  std::string label = "v";

  std::string file_bytes() const {
    std::string body = number(occurrence) + number(kind) + number(element_bytes) +
                       number(static_cast<std::uint32_t>(extents.size()));
    for (std::uint64_t const extent : extents) body += raw(extent);
    body += text(name) + text(type) + text(label);
    return number(0x4b504354) + body + number(crc32(body)) + elements + number(crc32(elements));
  }
};

template <class T>
std::string elements_of(std::vector<T> const& values) {
  std::string bytes;
  for (T const& value : values) bytes += raw(value);
  return bytes;
}

inline Snapshot doubles(std::string const& name, std::vector<double> const& values,
                        std::uint32_t occurrence = 0) {
  return {
      .name = name, .extents = {values.size()}, .elements = elements_of(values), .occurrence = occurrence};
}

/// A folder of files that goes with the object.
class Files {
 public:
  explicit Files(std::string const& name) : m_folder(std::filesystem::absolute(name)) {
    std::filesystem::create_directories(m_folder);
  }
  ~Files() { std::filesystem::remove_all(m_folder); }

  std::string path(std::string const& name) const { return (m_folder / name).string(); }
  /// Its path.
  std::string write(std::string const& name, std::string const& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path m_folder;
};

}  // namespace native_test
