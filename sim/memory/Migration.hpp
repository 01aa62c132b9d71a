// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pages of shared memory that move between host and device, counted by a model: a page (--page-size) lies where it was
/// touched first, moves when the other side touches it, and moves ahead of that when it is prefetched. Nothing moves in
/// the simulation itself.
///
/// A kernel's touches are those of its teams, committed in league order: a page moves at most once for each launch.
/// The host's are those of code compiled for checking. What the model leaves out, and so counts too little: pages that
/// go back and forth while a kernel runs, eviction when device memory is full, launches and teams that are not checked,
/// the host's unseen accesses. What it counts too much: copies of pages that are only read (advice is no more than a
/// hint, and has no effect here), devices that map host memory and move nothing, and a driver that moves more than the
/// page asked for, and so meets fewer faults.
#pragma once

#include "../base/PatientMutex.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace teamsan {

class TeamShadow;
struct Allocation;
struct MigrationCounts;

/// The pages of one shared allocation, counted from its start: two small allocations never share one.
class SharedPages {
 public:
  SharedPages(std::string label, std::size_t bytes, std::size_t page_bytes);

  enum class Where : std::uint8_t { nowhere, host, device };
  enum class Why : std::uint8_t { fault, prefetch };

  /// [first, last) in bytes from the start is touched there, or prefetched to there. False: it was there. Thread-safe.
  bool move(std::size_t first, std::size_t last, Where to, Why why);
  void explicit_usm() { m_explicit_usm = true; }  ///< made by usm::malloc_shared, not for a View

 private:
  friend struct MigrationLedger;
  std::string m_label;
  std::size_t m_bytes, m_page_bytes;
  bool m_explicit_usm = false;
  PatientMutex m_mutex;
  std::vector<Where> m_pages;
  std::uint64_t m_faults[2] = {0, 0}, m_prefetched[2] = {0, 0};  ///< to the host, to the device
};

namespace migration {

/// Of a fresh shared allocation. Its counts are kept beyond its end, for the report.
std::shared_ptr<SharedPages> pages_of_new(std::string label, std::size_t bytes);

/// The host touches shared memory. True if a page moved, or had lain nowhere.
bool host_touches(std::uintptr_t address, std::size_t bytes);

/// The pages of a shared allocation that hold these bytes are asked to move. Other memory is left alone: false.
bool prefetch(std::uintptr_t address, std::size_t bytes, bool to_device);

/// What a team touched. Called in league order.
void commit(TeamShadow& shadow);

/// Counts from zero again (tests); so does the child of a fork.
void forget();

/// For the report: allocations of which pages moved, those of one label together, in the order of their making.
MigrationCounts counts();

}  // namespace migration
}  // namespace teamsan
