// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads checkpoint files (CHECKPOINT.md). Decides whether a file is whole and of a version known here:
/// everything in it is checked against its checksums before anything is given out. Cannot see which snapshots
/// a program meant to take and did not.
#pragma once

#include "CheckpointFormat.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace teamsan::traces {

/// A file that is no whole checkpoint file. what() is one sentence: file, byte, what is wrong.
struct MalformedCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One snapshot, without its elements.
struct Checkpoint {
  std::string name;
  std::uint32_t occurrence;  ///< 0 for the first snapshot of that name
  std::string label;         ///< of the View; empty for a plain value
  ElementKind kind;
  std::uint32_t element_bytes;
  std::string type;  ///< of an element: "float64"
  std::vector<std::uint64_t> extents;
  std::uint64_t elements;        ///< the product of the extents
  std::uint64_t payload_offset;  ///< in the file, in bytes

  std::uint64_t payload_bytes() const { return elements * element_bytes; }
};

struct CheckpointFile {
  std::filesystem::path path;
  std::string space;                ///< name of the execution space that wrote it
  std::vector<Checkpoint> entries;  ///< as they stand in the file

  /// The elements in row-major order. Throws MalformedCheckpoint if the file has changed since it was read.
  std::vector<std::byte> load(Checkpoint const& entry) const;
};

/// Reads the file once through. Throws MalformedCheckpoint, also if it cannot be opened.
CheckpointFile read_checkpoints(std::filesystem::path const& file);

}  // namespace teamsan::traces
