// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RaceCure.hpp"

#include "../base/Options.hpp"
#include "../base/Synchronisation.hpp"
#include "../findings/Sentences.hpp"
#include "../places/Enclosing.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace teamsan::detect {

namespace {

using F = RaceFacts;

template <class Kind>
struct Row {
  bool (*fits)(F const&);
  Kind says;
};

bool half_atomic(F const& f) { return f.first_atomic != f.second_atomic; }
bool lanes(F const& f) { return f.between == Between::vector_lanes; }
bool team(F const& f) { return f.between == Between::threads; }
bool outside(Inside in) { return in == Inside::no_vector_range; }
bool launch(F const& f) { return f.between == Between::iterations || f.between == Between::teams; }

constexpr Row<Reason> reasons[] = {
    {[](F const& f) { return f.portable != nullptr; }, Reason::cuda_orders},
    {[](F const& f) { return lanes(f) && f.in_team_range && f.in_vector_loop; }, Reason::lanes_within_team_range},
    {[](F const& f) { return lanes(f) && (!f.in_vector_loop || outside(f.writer_in) || outside(f.other_in)); },
     Reason::lanes_outside_range},
    {lanes, Reason::lanes_within_range},
    {[](F const& f) { return f.between == Between::iterations && f.hands_over; }, Reason::iterations_without_handover},
    {[](F const& f) { return f.between == Between::iterations; }, Reason::iterations_unordered},
    {[](F const& f) { return f.between == Between::teams && f.hands_over; }, Reason::teams_without_handover},
    {[](F const& f) { return f.between == Between::teams; }, Reason::teams_unordered},
    {[](F const& f) { return f.last_barrier != Site{}; }, Reason::interval_since},
    {team, Reason::interval_of_start},
};

constexpr Row<Cure> cures[] = {
    {[](F const& f) { return f.portable != nullptr && f.in_range; }, Cure::barrier_outside},
    {[](F const& f) { return f.portable != nullptr; }, Cure::barrier},
    {[](F const& f) { return f.hands_over && f.between == Between::iterations && f.one_line; }, Cure::iterations_move_between},
    {[](F const& f) { return f.hands_over && f.between == Between::iterations; }, Cure::iterations_hand_over},
    {[](F const& f) { return f.hands_over && f.one_line; }, Cure::teams_move_between},
    {[](F const& f) { return f.hands_over; }, Cure::teams_hand_over},
    {[](F const& f) { return f.handing_word && half_atomic(f) && f.both_write && f.first_atomic; }, Cure::atomic_store_to_word},
    {[](F const& f) { return f.handing_word && half_atomic(f) && f.both_write; }, Cure::atomic_store_of_word},
    {[](F const& f) { return f.handing_word && half_atomic(f); }, Cure::both_atomic},

    // Lanes of a thread, where the whole team takes part.
    {[](F const& f) { return lanes(f) && f.in_team_range && !f.one_line; }, Cure::barrier_outside},

    // The lanes of a thread. An atomic would count once for each of them.
    {[](F const& f) { return lanes(f) && half_atomic(f) && f.first_atomic && f.both_write; }, Cure::one_lane_writes_second},
    {[](F const& f) { return lanes(f) && half_atomic(f) && f.first_atomic; }, Cure::one_lane_reads},
    {[](F const& f) { return lanes(f) && half_atomic(f); }, Cure::one_lane_writes_first},
    // Where the one is in a range of lanes, or alone in a single, and the other is not.
    {[](F const& f) { return lanes(f) && !f.both_write && outside(f.other_in) && f.writer_in == Inside::vector_range; },
     Cure::one_lane_hands_on},
    {[](F const& f) { return lanes(f) && !f.both_write && outside(f.other_in) && f.writer_in == Inside::single; },
     Cure::read_in_range},
    {[](F const& f) { return lanes(f) && f.in_vector_loop && f.updates; }, Cure::reduce_over_lanes},
    {[](F const& f) { return lanes(f) && f.in_vector_loop && !f.one_line && !f.both_write; }, Cure::end_range_between},
    {[](F const& f) { return lanes(f) && f.in_vector_loop && !f.both_write; }, Cure::read_in_own_range},
    {[](F const& f) { return lanes(f) && f.in_vector_loop; }, Cure::lane_own_elements},
    {[](F const& f) { return lanes(f) && f.one_line && f.both_write && !f.updates; }, Cure::single_store},
    {[](F const& f) { return lanes(f) && (f.updates || f.one_line); }, Cure::single_update},
    {lanes, Cure::single_first},

    // A launch: nothing orders its teams or iterations but its end.
    {[](F const& f) { return launch(f) && half_atomic(f) && f.updates; }, Cure::plain_update_too},
    {[](F const& f) { return launch(f) && half_atomic(f) && f.takes_turns; }, Cure::value_of_update},
    {[](F const& f) { return launch(f) && half_atomic(f) && f.one_line; }, Cure::both_atomic},
    {[](F const& f) { return launch(f) && half_atomic(f); }, Cure::split_or_both_atomic},
    {[](F const& f) { return launch(f) && f.one_macro && f.updates && !f.both_write; }, Cure::update_or_two_views},
    {[](F const& f) { return f.between == Between::iterations && f.both_update; }, Cure::updates_of_iterations},
    {[](F const& f) { return launch(f) && f.both_update; }, Cure::updates_of_teams},
    {[](F const& f) { return f.between == Between::iterations && f.updates; }, Cure::iterations_update},
    {[](F const& f) { return launch(f) && f.updates; }, Cure::teams_update},
    {[](F const& f) { return launch(f) && !f.both_write && f.one_line; }, Cure::two_views},
    {[](F const& f) { return launch(f) && !f.both_write; }, Cure::split_or_two_views},
    {[](F const& f) { return f.between == Between::iterations && f.one_line; }, Cure::iteration_owns_any},
    {[](F const& f) { return f.between == Between::teams && f.one_line; }, Cure::team_owns_any},
    {[](F const& f) { return f.between == Between::iterations; }, Cure::iteration_owns},
    {launch, Cure::team_owns},

    // A team.
    {[](F const& f) { return team(f) && half_atomic(f) && f.updates; }, Cure::plain_update_too},
    {[](F const& f) { return team(f) && half_atomic(f) && f.one_line; }, Cure::both_atomic},
    {[](F const& f) { return team(f) && half_atomic(f) && f.other_teams; }, Cure::both_atomic_or_own_barrier},
    {[](F const& f) { return team(f) && half_atomic(f); }, Cure::both_atomic_or_barrier},
    {[](F const& f) {
       return team(f) && f.vector_range_alone && f.same_vector_lane && f.one_line && (f.updates || f.both_write);
     },
     Cure::team_vector_range},
    {[](F const& f) { return team(f) && f.updates && !f.in_range && !f.counts; }, Cure::single_per_team},
    {[](F const& f) { return team(f) && f.both_update && f.in_range; }, Cure::updates_of_team},
    {[](F const& f) { return team(f) && f.updates; }, Cure::team_update},
    {[](F const& f) { return team(f) && !f.one_line && f.barrier_between; }, Cure::barrier_on_each_way},
    {[](F const& f) { return team(f) && f.in_branches && !f.in_range; }, Cure::barrier_or_flag},
    {[](F const& f) { return team(f) && f.both_write && f.one_line; }, Cure::one_lane_of_team},
    // One lane cannot do both where many share a range.
    {[](F const& f) { return team(f) && f.both_write && f.beside_range && f.in_range; }, Cure::barrier_outside},
    {[](F const& f) { return team(f) && f.both_write && f.beside_range; }, Cure::barrier},
    {[](F const& f) { return team(f) && f.both_write; }, Cure::barrier_or_one_lane},
    {[](F const& f) { return team(f) && f.one_macro && !f.in_range; }, Cure::barrier_in_macro},
    {[](F const& f) { return team(f) && f.one_line; }, Cure::read_then_barrier},
    {[](F const& f) { return team(f) && f.in_range; }, Cure::barrier_outside},
    {team, Cure::barrier},
};

template <class Kind, std::size_t count>
Kind first_of(Row<Kind> const (&rows)[count], F const& facts) {
  for (Row<Kind> const& row : rows)
    if (row.fits(facts)) return row.says;
  return {};
}

Because with_arguments(Reason reason, F const& f) {
  switch (reason) {
    case Reason::cuda_orders: {
      Synchronisation const& row = synchronisation(f.portable->meeting);
      return because(reason, row.construct, CodePlace{f.portable->site, true}, row.cuda_text);
    }
    case Reason::interval_since: return because(reason, f.interval, CodePlace{f.last_barrier, true});
    case Reason::interval_of_start: return because(reason, f.interval);
    default: return because(reason);
  }
}

}  // namespace

RaceRow race_row(RaceFacts const& facts) {
  RaceRow row;
  row.why = {with_arguments(first_of(reasons, facts), facts)};
  if (facts.portable != nullptr) {
    Synchronisation const& meeting = synchronisation(facts.portable->meeting);
    row.why.push_back(sync_mode() == Sync::hip ? because(Reason::by_hip_alone, meeting.hip_text)
                                               : because(Reason::by_portable_alone, meeting.documentation));
  }
  if (facts.one_macro) row.why.push_back(because(Reason::both_in_one_macro));
  if (facts.handing_word) row.why.push_back(because(Reason::handing_word));
  Cure const cure = first_of(cures, facts);
  row.cure = cure == Cure::barrier_on_each_way ? remedy(cure, CodePlace{facts.last_barrier}) : remedy(cure);
  return row;
}

Inside inside_of(Site site, std::vector<Site> const& callers) {
  Enclosing const around = enclosing_constructs(user_place(site, callers));
  if (around.has(Construct::thread_vector_range) || around.has(Construct::team_vector_range)) return Inside::vector_range;
  if (around.has(Construct::single_per_thread) || around.has(Construct::single_per_team)) return Inside::single;
  return around.whole ? Inside::no_vector_range : Inside::unknown;
}

bool in_range_of_team(Site site, std::vector<Site> const& callers) {
  Enclosing const around = enclosing_constructs(user_place(site, callers));
  return around.has(Construct::team_thread_range) || around.has(Construct::team_vector_range);
}

UpdateOfLine update_of(Site site, std::vector<Site> const& callers) {
  Place const place = user_place(site, callers);
  if (!place.known() || place.internal) return {};
  return update_at(source_line(place.path, place.line), place.column);
}

bool adds_without_value(Site site) {
  Place const place = user_place(site);
  if (!place.known() || place.internal) return false;
  std::string const line = source_line(place.path, place.line);
  return std::ranges::any_of(std::array{"atomic_inc", "atomic_dec", "atomic_add", "atomic_sub"},
                             [&](char const* update) { return line.find(update) != std::string::npos; });
}

bool in_one_macro(Site a, std::vector<Site> const& callers, Site b) {
  Place const place = user_place(a, callers);
  if (a == b || !place.known() || place.internal || place.column == 0 || !(place == user_place(b))) return false;
  std::string const line = source_line(place.path, place.line);
  std::size_t const begin = place.column - 1;
  std::size_t end = begin;
  while (end < line.size() && (std::isupper(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_' ||
                               std::isdigit(static_cast<unsigned char>(line[end])) != 0))
    ++end;
  return end > begin + 1 && end < line.size() && line[end] == '(';
}

bool on_one_line(Site a, std::vector<Site> const& callers, Site b) {
  if (a == b) return true;
  Place const first = user_place(a, callers), second = user_place(b);
  return first.known() && first.line == second.line && first.path == second.path;
}

}  // namespace teamsan::detect
