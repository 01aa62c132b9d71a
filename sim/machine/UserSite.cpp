// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UserSite.hpp"

#include "Team.hpp"
#include "../base/OfThread.hpp"
#include "../base/ReportMemory.hpp"
#include "../memory/Hot.hpp"
#include "../places/KokkosNames.hpp"
#include "../places/Sites.hpp"
#include "../places/StaticData.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Mode.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>
#include <unordered_map>

namespace teamsan {
namespace {

/// By the symbol table alone: line tables are not read for programs in which everything was inlined.
bool may_be_library(Site site) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(address_of(site)), &info) == 0 || info.dli_sname == nullptr) return false;
  std::string_view name = info.dli_sname;
  if (!name.starts_with("_Z")) return false;
  name.remove_prefix(2);
  while (name.starts_with('Z')) name.remove_prefix(1);  // a lambda of such a function, in Kokkos' constructors of Views
  for (std::string_view const prefix : {"N5desul", "N6Kokkos", "NK6Kokkos", "NSt", "NKSt", "St"})
    if (name.starts_with(prefix)) return true;
  return false;
}

bool has_user_frame(Site site) {
  RuntimeScope const scope;
  auto const& frames = frames_of(site);
  return std::any_of(frames.begin(), frames.end(), [](Frame const& f) { return !f.internal && f.line != 0; });
}

/// Answers remembered per thread: at hand, of several instructions that share a place, the first and the newest.
template <auto ask>
auto remembered(Site site) {
  using Answer = decltype(ask(Site{}));
  struct Known {
    Site site{};
    Answer answer{};
  };
  thread_local Known table[256][2];
  auto& [first, second] = table[(number_of(site) ^ number_of(site) >> 8) % 256];
  Known& known = first.site == site || first.site == Site{} ? first : second;
  if (known.site == site) [[likely]] return known.answer;
  // To ask takes up to a millisecond in a large program, under the loader's lock.
  if (uses_report_memory()) return ask(site);  // it may have crashed right here
  RuntimeScope const scope;
  static thread_local constinit OfThread<std::unordered_map<Site, Answer>> all;
  auto const at = all->find(site);
  known = {site, at != all->end() ? at->second : ask(site)};
  if (at == all->end()) all->emplace(site, known.answer);
  return known.answer;
}

/// The symbols are those of this process.
bool is_library(Site site) { return (trace::replaying() || may_be_library(site)) && !has_user_frame(site); }

enum class Found : char { further_out, users_code, it };

/// Whether one of the instruction's frames is what `is_it` asks for, before one of the user's own.
template <bool (*is_it)(Frame const&)>
Found look_for(Site site) {
  RuntimeScope const scope;
  for (Frame const& f : frames_of(site)) {
    if (is_it(f)) return Found::it;
    if (!f.internal && f.line != 0) return Found::users_code;
  }
  return Found::further_out;
}

template <KokkosCode code>
bool is(Frame const& f) {
  return is_code(code, f);
}

/// By its address: Clang's optimiser leaves no line of Kokkos' on the instruction.
bool is_lock_word(std::uintptr_t address) {
  if (hot.lane == nullptr || hot.in_runtime != 0) return false;
  RuntimeScope const scope;
  return is_kokkos_lock(address);
}

template <bool (*is_it)(Frame const&)>
bool is_within(Site site) {
  if (hot.lane == nullptr || hot.in_runtime != 0) return false;
  Found found = remembered<look_for<is_it>>(site);
  auto const calls = hot.lane->stack.calls(hot.call_top);
  for (auto c = calls.rbegin(); found == Found::further_out && c != calls.rend(); ++c)
    found = remembered<look_for<is_it>>(site_at(*c));
  return found == Found::it;
}

}  // namespace

bool takes_kokkos_lock(Site site, std::uintptr_t address) {
  if (arena::contains(arena::program, arena::program_bytes, address)) return false;  // the locks are the host's
  return is_lock_word(address) || is_within<is<KokkosCode::lock>>(site);
}

bool fences_for_kokkos_lock(Site site) { return is_within<is<KokkosCode::locked_update>>(site); }

bool loads_under_kokkos_lock(Site site) { return is_within<is<KokkosCode::atomic_load>>(site); }

Site user_site(Site site) { return hot.lane == nullptr || hot.in_runtime != 0 ? site : users_call(site); }

Site users_call(Site site) {
  if (!remembered<is_library>(site)) return site;
  auto const calls = hot.lane->stack.calls(hot.call_top);
  for (auto c = calls.rbegin(); c != calls.rend(); ++c)
    if (Site const call = site_at(*c); remembered<has_user_frame>(call)) return call;
  return site;
}

}  // namespace teamsan
