// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LibraryCalls.hpp"

#include "../base/PatientMutex.hpp"
#include "../machine/Team.hpp"
#include "../memory/Hot.hpp"
#include "../places/Sites.hpp"
#include "../places/Symbolizer.hpp"
#include "LaunchChecks.hpp"
#include "TeamChecks.hpp"
#include "../trace/Mode.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace teamsan::detect {

namespace {

/// The function as it was compiled: what is in line in it is not asked for.
Frame const* function_of(Site site) {
  std::vector<Frame> const& frames = frames_of(site);
  return frames.empty() ? nullptr : &frames.back();
}

/// Where it begins; 0: that is not known, as in a replay. The loader goes through all of a module's symbols for it: once.
std::uintptr_t begin_of_function(Site site) {
  if (trace::replaying()) return 0;
  static PatientMutex& mutex = *new PatientMutex;
  static auto& known = *new std::unordered_map<Site, std::uintptr_t>;
  std::lock_guard const lock(mutex);
  if (auto const at = known.find(site); at != known.end()) return at->second;
  Dl_info info{};
  bool const found = dladdr(reinterpret_cast<void*>(address_of(site) - 1), &info) != 0;
  return known[site] = found ? reinterpret_cast<std::uintptr_t>(info.dli_saddr) : 0;
}

/// Instances of a template for several types have one name, and each its own callers.
bool is_same_function(Site a, Site b) {
  Frame const *const one = function_of(a), *const other = function_of(b);
  if (one == nullptr || other == nullptr || one->function != other->function || one->file != other->file) return false;
  std::uintptr_t const begin = begin_of_function(a), others = begin_of_function(b);
  return begin == 0 || others == 0 || begin == others;
}

}  // namespace

void LibraryCalls::note(Call call, std::uint64_t league_rank) {
  std::lock_guard const lock(m_mutex);
  std::uint64_t& first = m_calls.try_emplace(call, league_rank).first->second;
  first = std::min(first, league_rank);
}

std::vector<Site> LibraryCalls::calls_of(Site site, std::uint64_t last_team) const {
  std::map<Call, std::uint64_t> noted;
  {
    std::lock_guard const lock(m_mutex);
    noted = m_calls;
  }
  std::vector<Site> calls;
  if (noted.empty() || !user_place(site).internal) return calls;
  for (auto const& [call, first_team] : noted) {
    Site const user = call.user;
    if (first_team <= last_team && is_same_function(call.inner, site) &&
        std::ranges::none_of(calls, [&](Site known) { return same_place(known, user); }))
      calls.push_back(user);
  }
  std::ranges::stable_sort(calls, {}, [](Site call) {
    Place const place = user_place(call);
    return std::pair(place.line, place.column);
  });
  return calls;
}

void note_library_call(Team& team, Site inner, Site user) {
  if (!team.checked() || inner == user) return;
  auto& known = team.checks().library_calls;
  auto const is_news = [&](LibraryCalls::Call const& call) {
    if (std::ranges::find(known, call) != known.end()) return false;
    known.push_back(call);
    return true;
  };
  RuntimeScope const scope;
  if (!is_news({inner, user})) return;
  team.launch().checks->library_calls().note({inner, user}, team.league_rank());
  auto const calls = hot.lane->stack.calls(hot.call_top);
  for (auto c = calls.rbegin(); c != calls.rend() && site_at(*c) != user; ++c)
    if (LibraryCalls::Call const call{site_at(*c), user}; is_news(call))
      team.launch().checks->library_calls().note(call, team.league_rank());
}

}  // namespace teamsan::detect
