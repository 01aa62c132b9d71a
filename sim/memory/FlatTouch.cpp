// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatTouch.hpp"

#include "../places/AtomicCode.hpp"

namespace teamsan::flat {

namespace {

Place place_of(FlatShadow& shadow, FlatTable& table, Site site) {
  table.recall(site);
  if (std::optional<Place> const known = table.place(site)) return *known;
  Place const place = shadow.place(site);
  table.learn_place(site, place, part_of_atomic(site));
  return place;
}

}  // namespace

std::optional<FlatShadow::Outcome> touch(FlatShadow& shadow, FlatTable& table, std::uintptr_t address, bool whole,
                                         AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick) {
  table.take(address & ~std::uintptr_t{3});
  // An allocation may end within a word; and what is learnt of words the next one need not come here for.
  bool const known = whole && table.knows(address, mark.site, 0);
  if (!known && !table.learn_window(address, whole ? 4 : 1, shadow.context())) return std::nullopt;
  Place const place = place_of(shadow, table, mark.site);
  AccessKind const to_word = kind_to_word(kind, table.at(mark.site).part);
  FlatShadow::Touch const touched = shadow.touch(address, whole, to_word, mark, place, tick);
  if (touched.updated_by && is_atomic(kind) && *touched.updated_by != mark.lane)
    note_shared(shadow, table, mark.site, *touched.updated_by, mark.lane);
  return touched.outcome;
}

AtomicPart part_of_atomic(Site site) {
  RuntimeScope const scope;
  if (!detect::is_under_kokkos_lock(site)) return AtomicPart::none;
  return detect::is_atomic_loop(site) ? AtomicPart::begins_update : AtomicPart::locked;
}

bool begins_update(FlatShadow& shadow, Site site) {
  RuntimeScope const scope;
  if (!detect::is_atomic_loop(site)) return false;
  shadow.note_load_of_update(site);
  hot.flat_loads = true;
  return true;
}

void note_shared(FlatShadow& shadow, FlatTable& table, Site site, std::uint32_t other, std::uint32_t lane) {
  bool const of_team = other / shadow.team_size() == lane / shadow.team_size();
  if (table.note_shared(site, of_team)) shadow.note_shared(site, of_team);
}

}  // namespace teamsan::flat
