// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two checkpoint files, compared snapshot by snapshot: the n-th of a name in one with the n-th of that name
/// in the other, wherever they stand. What two elements must be to agree is CheckpointDifference.hpp's.
#pragma once

#include "../../traces/CheckpointDifference.hpp"

#include <optional>
#include <string>
#include <vector>

namespace teamsan::cli {

enum class SnapshotVerdict {
  same,            ///< every element within tolerance
  different,       ///< some element is not
  missing_first,   ///< only B has it
  missing_second,  ///< only A has it
  mismatch         ///< another shape or type
};

struct ComparedSnapshot {
  std::optional<traces::Checkpoint> first, second;
  SnapshotVerdict verdict;
  traces::SnapshotDifference difference;  ///< of same and different

  traces::Checkpoint const& any() const { return first ? *first : *second; }
};

struct FileComparison {
  traces::CheckpointFile first, second;
  traces::Tolerance tolerance;
  std::vector<ComparedSnapshot> snapshots;  ///< in A's order, then what only B has

  std::size_t differing() const;  ///< snapshots that are not the same
};

/// Throws traces::MalformedCheckpoint for a file that cannot be read, or if neither holds a snapshot: nothing
/// compared is no agreement.
FileComparison compare_files(std::string const& first, std::string const& second,
                             traces::Tolerance const& tolerance);

/// What a person reads. One line if all is the same.
std::string text_of(FileComparison const& comparison);

/// docs/compare.md describes it.
std::string json_of(FileComparison const& comparison);

}  // namespace teamsan::cli
