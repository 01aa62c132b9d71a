// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WordLives.hpp"

#include "../places/SourceFile.hpp"
#include "../../traces/AccessVisitor.hpp"
#include "../../traces/TraceError.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace teamsan {
namespace {

using namespace traces;

constexpr std::uint64_t word_bytes = 4;
constexpr std::size_t most_touches = 200;  ///< of a word, beside the finding's own

AccessKind kind_of(LaneAccess::Kind kind) {
  switch (kind) {
    case LaneAccess::Kind::read: return AccessKind::read;
    case LaneAccess::Kind::write: return AccessKind::write;
    case LaneAccess::Kind::atomic_read: return AccessKind::atomic_read;
    case LaneAccess::Kind::atomic_write:
    case LaneAccess::Kind::atomic_update: return AccessKind::atomic_write;
  }
  return AccessKind::none;
}

class Lives : public AccessVisitor {
 public:
  explicit Lives(std::span<ReportedFinding> findings) {
    for (ReportedFinding& found : findings) {
      Finding const& f = found.finding;
      if (f.launch == 0 || f.data.address == 0) continue;
      found.life = {};
      m_words[f.data.address / word_bytes].push_back({&found, {}});
      launches.push_back(f.launch);
    }
  }

  std::vector<std::uint64_t> launches;

  void finish() {
    for (auto& [word, lives] : m_words)
      for (Life& life : lives) finish(life);
  }

 protected:
  void on_access(LaneAccess const& a) override {
    // Not word by word: an access may be of any length.
    if (a.bytes == 0) return;
    std::uint64_t const last = std::min(a.bytes - 1, ~a.address);
    for (auto known = m_words.lower_bound(a.address / word_bytes);
         known != m_words.end() && known->first <= (a.address + last) / word_bytes; ++known)
      for (Life& life : known->second) touch(life, a);
  }

 private:
  struct Touch {
    WordTouch what;
    Site site;
  };
  struct Life {
    ReportedFinding* found;
    std::vector<Touch> touches;
  };

  bool lives_here(Finding const& f) const {
    if (f.launch != launch().number) return false;
    return f.data.kind != Data::Kind::scratch || std::any_of(f.sides.begin(), f.sides.end(), [&](Side const& s) {
             return s.has_lane && s.league == league_rank();
           });
  }

  int side_of(Finding const& f, LaneAccess const& a, WordTouch const& t) const {
    for (std::size_t i = 0; i != f.sides.size(); ++i) {
      Side const& s = f.sides[i];
      if (s.has_lane && s.access == t.access && s.site == a.site && s.league == t.league && s.thread == t.thread &&
          s.vector_lane == t.vector_lane && (!s.has_interval || s.interval == t.interval))
        return static_cast<int>(i);
    }
    return -1;
  }

  void touch(Life& life, LaneAccess const& a) {
    Finding const& f = life.found->finding;
    if (!lives_here(f)) return;
    std::uint32_t const vector_length = std::max<std::uint32_t>(launch().config.vector_length, 1);
    WordTouch t;
    t.interval = a.interval;
    t.league = league_rank();
    t.thread = a.lane / vector_length;
    t.vector_lane = a.lane % vector_length;
    t.access = kind_of(a.kind);
    t.bytes = static_cast<std::uint32_t>(a.bytes);
    t.side = side_of(f, a, t);
    // A lane that goes on where it was: a loop.
    for (auto last = life.touches.rbegin(); last != life.touches.rend() && last - life.touches.rbegin() < 4; ++last)
      if (last->site == a.site &&
          std::tie(last->what.interval, last->what.league, last->what.thread, last->what.vector_lane,
                   last->what.access) == std::tie(t.interval, t.league, t.thread, t.vector_lane, t.access)) {
        ++last->what.count;
        return;
      }
    if (t.side < 0 && life.touches.size() >= most_touches)
      ++life.found->life.left_out;
    else
      life.touches.push_back({std::move(t), a.site});
  }

  void finish(Life& life) {
    std::stable_sort(life.touches.begin(), life.touches.end(), [](Touch const& a, Touch const& b) {
      return std::tie(a.what.interval, a.what.league, a.what.thread, a.what.vector_lane) <
             std::tie(b.what.interval, b.what.league, b.what.thread, b.what.vector_lane);
    });
    for (Touch& touch : life.touches) {
      touch.what.place = user_place(touch.site);
      touch.what.source = source_line(touch.what.place.path, touch.what.place.line);
      life.found->life.touches.push_back(std::move(touch.what));
    }
  }

  std::map<std::uint64_t, std::vector<Life>> m_words;
};

}  // namespace

void add_lives(std::span<ReportedFinding> findings, std::string const& file) {
  if (file.empty()) return;
  Lives lives(findings);
  if (lives.launches.empty()) return;
  TraceFilter filter;
  filter.launches = lives.launches;
  try {
    walk(file, filter, lives);  // damage: the report says so
  } catch (TraceError const&) {
    return;
  }
  lives.finish();
}

}  // namespace teamsan
