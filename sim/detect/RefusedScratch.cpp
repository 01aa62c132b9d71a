// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// out-of-bounds through a scratch View that got a null pointer, since the launch had not reserved as much as all Views
/// together take. Told at the access, not before: a kernel may look at the pointer and do without.
#include "Checker.hpp"

#include "../base/Options.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/Lane.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan::detect {

namespace {

/// What earlier Views have of that level: "tile (2,048 bytes, rhs.cpp:12)", each.
Argument::List taken_before(Team& team, ScratchRequest const& request) {
  Argument::List taken;
  std::vector<Site> known;
  Scratch const& scratch = team.scratch();
  for (ScratchPiece const& piece : scratch.pieces()) {
    bool const before = piece.device_offset - scratch_misalignment(piece.level, false, 0) < request.begin;
    if (piece.level != request.level || !before || std::ranges::find(known, piece.site) != known.end()) continue;
    known.push_back(piece.site);
    Scratch::Name const* const name = scratch.name_of(piece);
    std::size_t const bytes = piece.bytes * (piece.per_thread ? team.launch().facts.config.team_size : 1);
    taken.push_back(taken.empty() ? ", and earlier Views have taken: " : ", ");
    taken.push_back(name != nullptr ? Argument(name->name) : Argument(DeclaredThere{piece.site}));
    taken.push_back(fmt::format(" ({}, ", counted(bytes, "byte")));
    taken.push_back(CodePlace{piece.site});
    taken.push_back(")");
  }
  return taken;
}

RawFinding make(Team& team, Access const& access, RefusedScratch const& refused) {
  LaunchFacts const& launch = team.launch().facts;
  ScratchRequest const& request = refused.request;
  int const level = request.level != 0;
  std::size_t const threads = request.per_thread ? launch.config.team_size : 1;
  std::size_t const asked = request.bytes * threads;
  std::size_t const reserved =
      launch.config.team_scratch[level] + launch.config.thread_scratch[level] * launch.config.team_size;

  RawFinding f;
  f.rule = Rule::out_of_bounds;
  f.title = access.kind == AccessKind::none ? std::string("use") : verb(access.kind);
  f.title += " of a scratch View for which there was no room";
  f.data.kind = Data::Kind::scratch;
  f.data.scratch_level = level;
  f.data.offset = access.address;
  f.data.bytes = request.bytes;
  f.data.element_bytes = access.bytes;
  f.data.obtained_site = refused.site;
  RawSide view;
  view.role = "got a null pointer for scratch";
  view.lane = {true, team.league_rank(), refused.lane};
  view.site = refused.site;
  view.callers = refused.callers;
  f.sides = {std::move(view), running_side(team, access)};
  if (access.kind == AccessKind::none) f.sides[1].role = "crashed here";

  std::string asks = counted(request.bytes, "byte");
  if (request.per_thread) asks += fmt::format(" for each of {}", counted(threads, "thread"));
  f.why = {because(Reason::no_room_in_scratch, std::move(asks), level, reserved == 0 ? "nothing" : counted(reserved, "byte"),
                   taken_before(team, request)),
           because(Reason::null_as_on_gpu)};
  Place const at = user_place({}, launch.calls);
  std::size_t const needed = request.begin + asked;
  f.fix = remedy(Cure::reserve_scratch, counted(needed, "byte"),
                 at.known() && !at.internal ? fmt::format(", {}:{}", at.file, at.line) : "", level, needed);
  return f;
}

}  // namespace

bool through_refused_scratch(Team& team, Access const& access) {
  RefusedScratch const* const refused = team.scratch().refused_at(access.address);
  if (refused == nullptr || !team.checked() || !options().enabled(Rule::out_of_bounds)) return false;
  // Who crashed has mostly told by then.
  auto const is_told = [&](auto const& found) {
    return found.first.rule == Rule::out_of_bounds && found.first.site == refused->site;
  };
  if (access.kind == AccessKind::none && std::ranges::any_of(findings(team).list(), is_told)) return true;
  Key const key{Rule::out_of_bounds, refused->site, access.site, static_cast<std::uint64_t>(refused->request.level)};
  return add_finding(team, key, [&] { return make(team, access, *refused); });
}

}  // namespace teamsan::detect
