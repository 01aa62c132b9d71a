// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program's kernels leave for the host, written down while it runs (option `outputs`), so that two
/// runs can be compared (`teamsan run --explore`): every copy out of the simulated device's memory, shared
/// and pinned allocations as they are when they are freed or the program ends, and device allocations that
/// are freed without ever having been copied. Values that a reduction returns to the host are not among them:
/// they are seen where the program prints them.
///
/// The file: records of a fixed head, then label, kernel and data; of one machine and one build of TeamSan.
#pragma once

#include "../memory/Shape.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace teamsan {

struct Allocation;

struct Output {
  enum class Kind : std::uint8_t {
    copied,       ///< from device memory to the host's
    visible,      ///< memory that the host sees, at its end
    device_only,  ///< device memory at its end, never copied to the host
  };
  Kind kind{};
  std::string label;         ///< of the allocation
  std::string kernel;        ///< label of the latest launch before
  std::uint64_t launch = 0;  ///< its number; 0: none
  std::uint64_t offset = 0;  ///< of the bytes in the allocation's data
  std::string type;          ///< of an element; empty: unknown
  Shape shape;               ///< of the View; its `type` and `layout` are not kept
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  ///< of all bytes
  std::string data;        ///< empty for what came after the first 256 MiB
};

/// A kernel is about to run.
void note_output_launch(std::string_view kernel, std::uint64_t number);

/// `bytes` at `source` in the arena go to the host.
void note_copy_to_host(void const* source, std::size_t bytes);

/// The allocation is about to be freed.
void note_freed(Allocation const& allocation);

/// The program ends: what is still allocated follows, and the file is complete.
void finish_outputs();

/// Reads such a file, record by record.
class OutputReader {
 public:
  explicit OutputReader(std::string const& file) : m_stream(file, std::ios::binary) {}
  /// False at the end, and if there is no such file. Throws std::runtime_error if the file is cut off or of
  /// another format.
  bool next(Output& output);

 private:
  std::ifstream m_stream;
};

}  // namespace teamsan
