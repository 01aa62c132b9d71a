// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a reduction's body does to the value that a lane reduces into, iteration by iteration: lost-contribution asks whether
/// it stores to it without having read what was there.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../base/ReducedValue.hpp"
#include "../findings/RawFinding.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// A copy of a value of the program's, at any alignment that it may have.
class ValueCopy {
 public:
  explicit ValueCopy(std::size_t bytes) : m_bytes(bytes), m_storage(bytes + alignment) {}
  ValueCopy(std::size_t bytes, void const* from) : ValueCopy(bytes) { set(from); }
  ValueCopy(ValueCopy&&) noexcept = default;  // a copy's room would begin elsewhere
  void* data() {
    auto const at = reinterpret_cast<std::uintptr_t>(m_storage.data());
    return m_storage.data() + (alignment - at % alignment) % alignment;
  }
  void const* data() const { return const_cast<ValueCopy*>(this)->data(); }
  void set(void const* from);

 private:
  static constexpr std::size_t alignment = 256;
  std::size_t m_bytes;
  std::vector<std::byte> m_storage;
};

class Overwrites {
 public:
  /// The iteration that runs touches the value from `offset` on.
  void note(Access const& access, std::size_t offset, std::size_t value_bytes);
  void end_iteration();
  /// That many have ended, or run.
  void next_iteration() {
    end_iteration();
    ++m_iterations;
  }

  std::uint32_t iterations() const { return m_iterations; }
  /// Did some overwrite the value; did each?
  bool any() const { return m_overwrote != 0; }
  bool always() const { return m_overwrote == m_iterations; }
  /// Did the latest iteration that has ended?
  bool latest() const { return m_latest; }
  /// Does what was overwritten say the same in two values?
  bool alike(ReducedValueCalls const& calls, void const* value, void const* other, std::size_t bytes) const;

  /// Makes the finding. `once`: no lane made two iterations. `always`: each iteration of all lanes overwrites.
  void tell(Team& team, std::size_t lane, bool once, bool always) const;
  /// The same, without its reasons and its cure; what it is counted under.
  RawFinding finding(std::uint64_t team, std::size_t lane) const;
  Key key() const;

 private:
  /// Bytes of a value.
  struct Range {
    std::uint32_t begin, end;
  };
  /// They stay in the order of their beginnings; what touches is one.
  static void include(std::vector<Range>& ranges, Range range);
  static bool covers(std::vector<Range> const& ranges, Range range);

  std::uint32_t m_iterations = 0, m_overwrote = 0;
  bool m_latest = false;
  bool m_has_read = false;            ///< the iteration that runs, what it has not stored itself
  std::vector<Range> m_stored;        ///< by the iteration that runs
  std::uint32_t m_stored_bytes = 0;   ///< of its first store
  Site m_stored_site{};
  std::vector<Range> m_overwritten;   ///< by those that overwrote
  std::uint32_t m_bytes = 0;          ///< of their first store
  Site m_site{};
};

/// What a lane did to a value, and what it left there.
struct Reduced {
  Overwrites const* overwrites;
  void const* value;
};

/// Which of them have dropped what those before them left, as if one lane had made the iterations of all, in this order (see
/// Accumulators.hpp)? `always`: each iteration of all of them overwrites.
std::vector<std::size_t> those_that_drop(std::span<Reduced const> lanes, bool always, void const* kernel,
                                         ReducedValueCalls const& calls, std::size_t bytes);

}  // namespace teamsan::detect
