// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamOrder.hpp"

#include "../base/OptionNames.hpp"
#include "../base/PatientMutex.hpp"
#include "../findings/Collector.hpp"
#include "../places/KokkosNames.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace teamsan::detect {

namespace {

/// Compiled without optimisation, Kokkos' atomics are functions of their own, and the instruction is the user's call. `usual`:
/// where its line names no atomic.
bool calls_one(Site site, bool usual) {
  std::vector<Frame> const& frames = frames_of(site);
  if (frames.empty()) return usual;
  Frame const written{.function = source_line(frames[0].file, frames[0].line), .file = frames[0].file};
  if (usual && written.function.find("atomic_") == std::string::npos) return true;
  return is_code(KokkosCode::gives_back, written);
}

/// Kokkos' name of the operation is the outermost frame that is not the user's.
bool ask_names(Site site, bool usual) {
  bool any = false, returns = false;
  for (Frame const& frame : frames_of(site)) {
    if (!frame.internal) break;
    any = true;
    returns = is_code(KokkosCode::gives_back, frame);
  }
  return any ? returns : calls_one(site, usual);
}

/// One of the instructions that gives a value back; nullptr: none.
Site const* find_one_that_gives_back(std::vector<Site> const& sites) {
  static auto* const known = new std::unordered_map<Site, bool>;  // launches take turns
  for (Site const& site : sites) {
    auto const [answer, fresh] = known->try_emplace(site, false);
    if (fresh) answer->second = ask_names(site, false);
    if (answer->second) return &site;
  }
  return nullptr;
}

}  // namespace

bool gives_value_back(Site site) {
  static PatientMutex mutex;
  static auto* const known = new std::unordered_map<Site, bool>;
  std::lock_guard const lock(mutex);
  auto const [answer, fresh] = known->try_emplace(site, true);
  if (fresh) answer->second = ask_names(site, true);
  return answer->second;
}

bool note_shared_atomics(std::string const& kernel, std::vector<Site> const& of_teams,
                         std::vector<Site> const& of_lanes) {
  static auto* const reported = new std::unordered_set<std::string>;
  Site const* const of_team = find_one_that_gives_back(of_teams);
  if (reported->contains(kernel)) return of_team != nullptr;
  if (of_team != nullptr) {
    Collector::instance().note(
        fmt::format("teams got values back from atomics they share ({}); if the program branches on such a value, runs can "
                    "differ with the order of teams: use {} to compare runs",
                    to_string(user_place(*of_team)), option_to_set("deterministic", "1")));
  } else if (Site const* const of_lane = find_one_that_gives_back(of_lanes)) {
    Collector::instance().note(
        fmt::format("lanes of a team got values back from atomics they share ({}); if the program branches on such a value, "
                    "or finds an address by it, another order of lanes may show other findings: use {}, or "
                    "`teamsan run --explore`",
                    to_string(user_place(*of_lane)), option_to_set("lane_order", "descending")));
  } else {
    return false;
  }
  reported->insert(kernel);
  return of_team != nullptr;
}

void note_raced_teams() {
  Collector::instance().note(
      fmt::format("teams race on device memory, so results can differ with the order of teams: use {} to compare runs",
                  option_to_set("deterministic", "1")));
}

}  // namespace teamsan::detect
