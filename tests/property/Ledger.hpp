// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The oracle's memory: what each element holds, and every access to it since the last barrier. Each new
/// access is compared with all that nothing orders before it.
#pragma once

#include "Oracle.hpp"

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace property {

class Ledger {
 public:
  Ledger(Program const& program, Verdict& verdict);

  void begin_kernel(Kernel const& kernel);
  void begin_team(int league);
  void end_team();
  void end_kernel();
  void team_meeting();
  void thread_meeting(int thread) { ++m_thread_epoch[static_cast<std::size_t>(thread)]; }

  /// `place`: element() of the array. `league`: whose slice.
  std::uint64_t read(int array, std::uint64_t place, int lane, int league);
  void write(int array, std::uint64_t place, int lane, int league, std::uint64_t value);
  void update(int array, std::uint64_t place, int lane, int league, AtomicOperation operation,
              std::uint64_t value);

  std::uint64_t narrowed(int array, std::uint64_t value) const;
  /// As a kernel's lanes see its size: a flat kernel sees all slices.
  std::uint32_t size(int array) const;
  void store_device_memory(Result& result) const;

 private:
  enum class AccessKind : std::uint8_t { read, write, update };
  struct Accessor {
    int lane;
    std::uint32_t thread_epoch;
    std::uint64_t value;  ///< what was stored; of an update, its operation; of a read, see `knows`
    bool knows = false;   ///< of a read: the lane or one ordered before it had stored `value` itself
    bool stored = false;  ///< and the lane itself did, since its thread's last meeting
    bool keeps = false;   ///< of a store: the value was there already
  };
  /// Teams that have accessed an element in this kernel: the first in the league, and whether there are
  /// others.
  struct Teams {
    int first = -1;
    bool many = false;
    bool others(int team) const { return many || (first >= 0 && first != team); }
    void add(int team) {
      many = many || (first >= 0 && first != team);
      if (first < 0 || team < first) first = team;
    }
  };
  /// What a team of a chain has done to an element.
  struct Link {
    int turn;  ///< of the team in the chain
    int lane;
    std::uint64_t interval;
    bool early;  ///< before the team first met
    AccessKind access;
    auto operator<=>(Link const&) const = default;
  };
  struct Element {
    std::uint64_t value = 0;
    bool written = false;
    std::uint64_t interval = 0;  ///< of the accessors below
    std::vector<Accessor> of[3];
    bool clash = false;        ///< lanes stored different values without order
    std::uint64_t kernel = 0;  ///< of the teams below
    Teams teams[3];
    std::vector<Link> links;   ///< of the kernel's chain
    AtomicOperation operation = AtomicOperation::none;  ///< the first of this kernel
  };
  struct UninitRead {
    int array;
    Element* element;
    Accessor who;
    bool atomic;
    int team;
  };

  Element* find(int array, std::uint64_t place, int lane, int league);
  void check(int array, Element& element, int lane, AccessKind access, std::uint64_t value);
  void check_pair(int array, Element& element, Accessor const& earlier, AccessKind before, Accessor const& now,
                  AccessKind access);
  void check_teams(int array, Element& element, int lane, AccessKind access, std::uint64_t value);
  void check_chain(int array, Element& element, int lane, AccessKind access);
  enum class Ordered { yes, perhaps, no };
  Ordered ordered(Link const& earlier, Link const& now) const;
  void decide_uninit(UninitRead const& u);
  void decide_uninit_between_teams(UninitRead const& u);
  void decide_clash(int array, Element const& element);
  static bool is_extremum(std::uint64_t operation);
  void check_operation(Element& element, int lane, AtomicOperation operation);
  void note_uninit(int array, Element& element, int lane, bool atomic);
  void recall(Element const& element, Accessor& reader) const;
  bool ordered(Accessor const& earlier, int lane) const;
  int thread_of(int lane) const { return lane / m_vector_length; }
  teamsan::Rule race(int array) const;
  void certain(teamsan::Rule rule, int array) { m_verdict.certain.insert({rule, array}); }
  void possible(teamsan::Rule rule, int array) { m_verdict.possible.insert({rule, array}); }

  Program const& m_program;
  Verdict& m_verdict;
  std::vector<std::vector<Element>> m_elements;
  std::vector<std::uint32_t> m_thread_epoch;
  std::vector<UninitRead> m_uninit, m_uninit_global;
  std::vector<std::pair<int, Element const*>> m_clashes;  ///< of this interval, see Element
  std::vector<bool> m_decided;  ///< arrays of which there is no more to say on races
  std::uint64_t m_interval = 0, m_kernel = 0;
  int m_vector_length = 1, m_league = 0;
  bool m_flat = false;
  bool m_ordered_teams = false;  ///< a chain, with fences
  Kernel const* m_kernel_now = nullptr;
  int m_turn = 0;                ///< of the team in the chain
  bool m_met = false;            ///< the team has
  bool m_updates = false;        ///< the kernel updates device memory atomically
  std::vector<std::uint64_t> m_last;  ///< intervals of the teams so far
};

}  // namespace property
