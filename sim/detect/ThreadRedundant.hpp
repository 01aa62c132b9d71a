// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The half of lane-redundant that is about threads, a warning: an atomic update takes effect once for every thread of a team,
/// though all of them add the same: it stands outside the nested ranges and outside single(PerTeam). Decided from what the
/// updates did to memory: every thread of the team carried out the same instruction on the same element, each changed it
/// by the same amount, that of a result which a collective had left for it, and none had anything of its own to do it by.
///
/// What every thread does on purpose is silent: a thread counts itself or pieces of work of its own (an integer's small amount,
/// or 1); it adds its share (it has asked for its rank or the team's size, has had a scan's result, has read an atomic's value,
/// a range's body or a single's has stored to a variable of it, or an atomic of its own gave the old value back); or
/// the amount is no result that it was given: a constant, say, by which threads count what they do, or what a result was
/// multiplied with. (Its latest four results are known, by where they were put.) All of this errs towards silence.
/// Looked at are the first update of an element by each thread, and the first 65,536 elements that a team so updates.
#pragma once

#include "../../traces/Site.hpp"
#include "SameAmount.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

class ThreadRedundant {
 public:
  /// The running lane changed the `bytes` (up to 8) at `address` by an atomic.
  void note(Team& team, std::uintptr_t address, std::uint32_t bytes, Change const& change, Site site);
  /// Does such an atomic give the running lane a value? Then the lane holds one of its own from there on.
  bool gives_value(Site site);
  void clear() { m_updates.clear(); }

 private:
  static constexpr std::size_t most_updates = 65536;

  struct Key {
    std::uintptr_t address;
    Site site;
    friend bool operator==(Key const&, Key const&) = default;
  };
  struct Hash {
    std::size_t operator()(Key const& k) const noexcept {
      std::uint64_t const h = k.address * 0x9e3779b97f4a7c15u ^ number_of(k.site) * 0xc2b2ae3d27d4eb4fu;
      return h ^ h >> 29;
    }
  };
  struct Update {
    std::vector<bool> threads;  ///< that have done it
    std::uint32_t count = 0;    ///< of them
    Change first{};             ///< by the first one
    bool alike = true;
  };
  std::unordered_map<Key, Update, Hash> m_updates;
  std::unordered_map<Site, bool> m_gives_values;  ///< to the thread, of instructions; not of one team alone
};

}  // namespace teamsan::detect
