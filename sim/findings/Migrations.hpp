// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pages of shared memory that moved between host and device, as the report has them, and their table in plain text.
/// sim/memory/Migration.hpp says what is counted and what is not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// Shared allocations of one label. Counts are of pages.
struct MigrationRow {
  std::string label;
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0, pages = 0;  ///< of all of them
  std::uint64_t faults_to_device = 0, faults_to_host = 0;
  std::uint64_t prefetched_to_device = 0, prefetched_to_host = 0;
  std::uint64_t moved() const {
    return faults_to_device + faults_to_host + prefetched_to_device + prefetched_to_host;
  }
  void add(MigrationRow const& other);
};

struct MigrationCounts {
  std::uint64_t page_bytes = 0;
  bool asked_for = false;  ///< the program called usm::malloc_shared: print the table without being asked
  std::vector<MigrationRow> rows;  ///< those of which pages moved
};

/// Adds the counts of another report, label by label. Of shards of one run, which all made the same allocations and
/// each saw a part of the launches, the larger figure stands: too little rather than too much. False, and nothing is
/// added, if the pages are of different sizes.
bool add_migrations(MigrationCounts& sum, MigrationCounts const& more, bool shards);

/// At most 96 columns; "" when no page moved.
std::string migration_table(MigrationCounts const& counts);

}  // namespace teamsan
