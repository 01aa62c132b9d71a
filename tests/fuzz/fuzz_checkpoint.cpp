// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checkpoint files: read, loaded, compared with themselves.
#include "Fuzz.hpp"

#include "../../traces/Checkpoint.hpp"
#include "../../traces/CheckpointDifference.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  using namespace teamsan::traces;
  teamsan::fuzz::MemoryFile const file(data, bytes);
  try {
    CheckpointFile const checkpoints = read_checkpoints(file.name());
    for (Checkpoint const& entry : checkpoints.entries) {
      std::vector<std::byte> const elements = checkpoints.load(entry);
      SnapshotDifference const same = compare_elements(entry, elements, elements, {});
      teamsan::fuzz::require(same.differing == 0);
      shape_text(entry);
      if (entry.elements != 0) index_text(entry.extents, entry.elements - 1);
    }
  } catch (MalformedCheckpoint const&) {
  }
  return 0;
}
