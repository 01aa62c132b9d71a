#include <teamsan/sim/report/WordLife.hpp>

#include <teamsan/sim/report/SourceFile.hpp>
#include <teamsan/sim/report/TextLayout.hpp>

#include <fmt/format.h>

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

std::string word_life_table(WordLife const& life) {
  if (life.touches.empty()) return {};
  std::string table = fmt::format("  {:>8} {:>7} {:>7} {:>5}  {:<17} {:>5}  {}\n", "interval", "league", "thread",
                                  "lane", "access", "bytes", "place");
  for (WordTouch const& t : life.touches) {
    std::string what = touch_word(t.access);
    if (t.count > 1) what += fmt::format(" x{}", t.count);
    table += fmt::format("{} {:>8} {:>7} {:>7} {:>5}  {:<17} {:>5}  {}   {}\n", t.side >= 0 ? '>' : ' ', t.interval,
                         t.league, t.thread, t.vector_lane, what, t.bytes, to_string(t.place),
                         normalised_source(t.source));
  }
  if (life.left_out != 0) table += fmt::format("  and {}\n", counted(life.left_out, "more access"));
  return table;
}

}  // namespace teamsan
