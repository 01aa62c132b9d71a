// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why two accesses race, and what cures it, from what is known of the two: tables, of each of which the first line that fits
/// holds. They do not know what the program means, so that a cure may name two ways.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/Words.hpp"
#include "../machine/LaneClock.hpp"
#include "../places/AtomicForm.hpp"

#include <cstdint>
#include <vector>

namespace teamsan::detect {

/// What a side stands in, as far as it is known.
enum class Inside : std::uint8_t { unknown, no_vector_range, vector_range, single };

/// Who the two are to each other.
enum class Between : std::uint8_t {
  vector_lanes,  ///< of one thread
  threads,       ///< of a team
  iterations,    ///< of a range, in one block or in two
  teams
};

struct RaceFacts {
  Between between;
  bool both_write = false;
  bool first_atomic = false, second_atomic = false;  ///< of the sides as they are told, the writer first
  bool one_line = false;        ///< both stand on one source line
  bool one_macro = false;       ///< both are what one macro makes: nobody knows which of its reads is the update's
  bool updates = false;         ///< both read the element and write it
  bool takes_turns = false;     ///< who adds by an atomic has read the element, where the other one does: a place in a list
  bool in_vector_loop = false;  ///< the running lane is in one
  bool in_range = false;        ///< the running lane is in any range, or in a single
  bool in_team_range = false;   ///< in one that the whole team goes through: a TeamVectorRange, a single(PerTeam)
  bool barrier_between = false; ///< the last barrier stands between the two, in the text of one function
  bool in_branches = false;     ///< of one condition, where no barrier may stand
  bool counts = false;            ///< updates by a number, as a counter is
  bool both_update = false;       ///< each of two lines reads the element, changes and stores it
  bool same_vector_lane = false;  ///< of two threads
  bool beside_range = false;      ///< the text of a side says that a range of the team is around it
  bool vector_range_alone = false;  ///< the running lane is in a ThreadVectorRange, in no range or single of its team
  Inside writer_in{}, other_in{};   ///< of vector lanes; the other one is the reader, if there is one
  bool handing_word = false;      ///< the word is the one by which their atomics hand over
  bool other_teams = false;       ///< may come to the element, too: it is device memory, and the launch has more than one
  bool hands_over = false;      ///< both, teams or iterations, release or acquire something
  MeetingPlace const* portable = nullptr;  ///< by which the CUDA backend orders the two
  std::uint64_t interval = 0;   ///< of threads: the barrier interval, which began
  Site last_barrier{};          ///< there; none: with the kernel
};

/// What a finding says of the two.
struct RaceRow {
  std::vector<Because> why;
  Remedy cure;
};
RaceRow race_row(RaceFacts const& facts);

/// What the text says that a place stands in.
Inside inside_of(Site site, std::vector<Site> const& callers);

/// Does it say that a range is around it whose iterations the team shares?
bool in_range_of_team(Site site, std::vector<Site> const& callers);

/// The update that the access is part of, as its line tells.
UpdateOfLine update_of(Site site, std::vector<Site> const& callers);

/// Does the line add to an element by an atomic, and take no value of it?
bool adds_without_value(Site site);

/// Do two instructions stand at one place since a macro holds them, as its name in that column tells?
bool in_one_macro(Site a, std::vector<Site> const& callers, Site b);

/// Do both stand on one source line of the user's?
bool on_one_line(Site a, std::vector<Site> const& callers, Site b);

}  // namespace teamsan::detect
