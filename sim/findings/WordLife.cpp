// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WordLife.hpp"

#include "TextLayout.hpp"
#include "../places/SourceFile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan {

char const* touch_word(AccessKind access) {
  switch (access) {
    case AccessKind::none: return "";
    case AccessKind::read: return "read";
    case AccessKind::write: return "write";
    case AccessKind::atomic_read: return "atomic read";
    case AccessKind::atomic_write: return "atomic write";
  }
  return "";
}

namespace {

/// "3", "1-30".
std::string range_of(std::uint64_t first, std::uint64_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

/// Lanes of one row have done the same at the same place in the same interval.
bool alike(WordTouch const& a, WordTouch const& b) {
  return a.side < 0 && b.side < 0 && a.interval == b.interval && a.access == b.access && a.bytes == b.bytes &&
         a.count == b.count && a.place == b.place;
}

/// Does `next` go on with the row from `first` to `last`: neighbours in one direction, lanes, threads or teams?
bool goes_on(WordTouch const& first, WordTouch const& last, WordTouch const& next) {
  bool const one_team = first.league == last.league, one_thread = first.thread == last.thread,
             one_lane = first.vector_lane == last.vector_lane;
  bool const same_thread = next.thread == last.thread, same_lane = next.vector_lane == last.vector_lane;
  if (next.league == last.league)
    return (one_team && one_thread && same_thread && next.vector_lane == last.vector_lane + 1) ||
           (one_team && one_lane && same_lane && next.thread == last.thread + 1);
  return one_thread && one_lane && same_thread && same_lane && next.league == last.league + 1;
}

}  // namespace

std::string word_life_table(WordLife const& life) {
  if (life.touches.empty()) return {};
  std::string table = fmt::format("  {:>8} {:>9} {:>9} {:>6}  {:<17} {:>5}  {}\n", "interval", "league", "thread", "lane",
                                  "access", "bytes", "place");
  std::vector<WordTouch const*> places;
  for (auto t = life.touches.begin(); t != life.touches.end();) {
    auto last = t;
    for (auto next = t + 1; next != life.touches.end() && alike(*last, *next) && goes_on(*t, *last, *next); last = next++) {}
    auto place = std::find_if(places.begin(), places.end(), [&](WordTouch const* p) { return p->place == t->place; });
    if (place == places.end()) place = places.insert(place, &*t);
    std::string what = touch_word(t->access);
    if (t->count > 1) what += fmt::format(" x{}", t->count);
    table += fmt::format("{} {:>8} {:>9} {:>9} {:>6}  {:<17} {:>5}  [{}]\n", t->side >= 0 ? '>' : ' ', t->interval,
                         range_of(t->league, last->league), range_of(t->thread, last->thread),
                         range_of(t->vector_lane, last->vector_lane), what, t->bytes, place - places.begin() + 1);
    t = last + 1;
  }
  if (life.left_out != 0) table += fmt::format("  and {}\n", counted(life.left_out, "more access"));
  table += '\n';
  for (std::size_t i = 0; i != places.size(); ++i) {
    table += fmt::format("  [{}] {}\n", i + 1, to_string(places[i]->place));
    if (!places[i]->source.empty()) table += fmt::format("      {}\n", normalised_source(places[i]->source));
  }
  return table;
}

}  // namespace teamsan
