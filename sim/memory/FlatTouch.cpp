// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatTouch.hpp"

namespace teamsan::flat {

namespace {

Place place_of(FlatShadow& shadow, FlatTable& table, std::uint32_t pc) {
  if (std::optional<Place> const known = table.place(pc)) return *known;
  Place const place = shadow.place(pc);
  table.learn_place(pc, place);
  return place;
}

}  // namespace

std::optional<FlatShadow::Outcome> touch(FlatShadow& shadow, FlatTable& table, std::uintptr_t address, bool whole,
                                         AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick) {
  table.take(address & ~std::uintptr_t{3});
  // An allocation may end within a word; and what is learnt of words the next one need not come here for.
  bool const known = whole && table.knows(address, mark.pc, 0);
  if (!known && !table.learn_window(address, whole ? 4 : 1, shadow.context())) return std::nullopt;
  FlatShadow::Touch const touched = shadow.touch(address, whole, kind, mark, place_of(shadow, table, mark.pc), tick);
  if (touched.updated_by && *touched.updated_by != mark.lane)
    note_shared(shadow, table, mark.pc, *touched.updated_by, mark.lane);
  return touched.outcome;
}

void note_shared(FlatShadow& shadow, FlatTable& table, std::uint32_t pc, std::uint32_t other, std::uint32_t lane) {
  bool const of_team = other / shadow.team_size() == lane / shadow.team_size();
  if (table.note_shared(pc, of_team)) shadow.note_shared(pc, of_team);
}

}  // namespace teamsan::flat
