// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostStores.hpp"

#include "../base/Arena.hpp"
#include "../places/Program.hpp"
#include "Hot.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace teamsan::host_stores {

namespace {

struct Followed {
  std::size_t bytes = 0;
  std::vector<Site> by_word = {};  ///< empty: nothing was stored
  std::map<Site, std::vector<Site>> callers = {};
};

constexpr std::size_t most_followed = std::size_t{256} << 20;  ///< bytes, of all

struct HostStores {
  std::mutex mutex;
  std::map<std::uintptr_t, Followed> by_begin;
  std::size_t followed = 0;
  std::atomic<std::uintptr_t> begin{~std::uintptr_t{0}}, end{0};  ///< all lies between; only ever grows
};
HostStores& stores() {
  static auto* const s = new HostStores;  // outlives exit handlers
  return *s;
}

std::atomic<bool> any{false};

/// What holds the address; the lock is held.
std::map<std::uintptr_t, Followed>::iterator find(HostStores& s, std::uintptr_t address) {
  auto const after = s.by_begin.upper_bound(address);
  if (after == s.by_begin.begin()) return s.by_begin.end();
  auto const here = std::prev(after);
  return address - here->first < here->second.bytes ? here : s.by_begin.end();
}

}  // namespace

void follow(std::uintptr_t begin, std::size_t bytes) {
  if (bytes == 0) return;
  HostStores& s = stores();
  std::lock_guard const lock(s.mutex);
  if (auto const known = s.by_begin.find(begin); known != s.by_begin.end()) s.followed -= known->second.bytes;
  if (s.followed + bytes > most_followed) {
    s.by_begin.erase(begin);
    return;
  }
  s.followed += bytes;
  s.by_begin[begin] = Followed{bytes};
  s.begin = std::min(s.begin.load(), begin);
  s.end = std::max(s.end.load(), begin + bytes);
  any = true;
  if (hot.lane == nullptr) hot.ignore_bytes = 0;
}

void follow_anew(std::uintptr_t begin) {
  if (!any) return;
  HostStores& s = stores();
  std::lock_guard const lock(s.mutex);
  if (auto const known = s.by_begin.find(begin); known != s.by_begin.end()) known->second = Followed{known->second.bytes};
}

void stop_following(std::uintptr_t begin) {
  if (!any) return;
  HostStores& s = stores();
  std::lock_guard const lock(s.mutex);
  auto const known = s.by_begin.find(begin);
  if (known == s.by_begin.end()) return;
  s.followed -= known->second.bytes;
  s.by_begin.erase(known);
}

void forget(std::uintptr_t begin, bool (*of)(Site)) {
  if (!any) return;
  HostStores& s = stores();
  std::lock_guard const lock(s.mutex);
  auto const known = s.by_begin.find(begin);
  if (known == s.by_begin.end()) return;
  Followed& f = known->second;
  for (auto it = f.callers.begin(); it != f.callers.end();) {
    if (!of(it->first)) {
      ++it;
      continue;
    }
    std::replace(f.by_word.begin(), f.by_word.end(), it->first, Site::none);
    it = f.callers.erase(it);
  }
}

std::uintptr_t ignored_bytes() noexcept { return any.load(std::memory_order_relaxed) ? 0 : arena::program - arena::end; }

void note(std::uintptr_t begin, std::size_t bytes, Site site) {
  if (!any.load(std::memory_order_relaxed)) return;
  HostStores& s = stores();
  if (begin >= s.end.load(std::memory_order_relaxed) || begin + bytes <= s.begin.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  std::lock_guard const lock(s.mutex);
  auto const here = find(s, begin);
  if (here == s.by_begin.end()) return;
  Followed& f = here->second;
  f.by_word.resize((f.bytes + 3) / 4);
  std::size_t const first = (begin - here->first) / 4, last = (begin - here->first + bytes - 1) / 4;
  std::fill(f.by_word.begin() + static_cast<std::ptrdiff_t>(first),
            f.by_word.begin() + static_cast<std::ptrdiff_t>(std::min(last + 1, f.by_word.size())), site);
  if (!f.callers.contains(site)) f.callers.emplace(site, program().stack());
}

Store last(std::uintptr_t address) {
  if (!any) return {};
  HostStores& s = stores();
  std::lock_guard const lock(s.mutex);
  auto const here = find(s, address);
  if (here == s.by_begin.end() || here->second.by_word.empty()) return {};
  Site const site = here->second.by_word[(address - here->first) / 4];
  if (site == Site::none) return {};
  return {site, here->second.callers.at(site)};
}

}  // namespace teamsan::host_stores
