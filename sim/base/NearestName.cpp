// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NearestName.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace teamsan {
namespace {

bool same_letter(char a, char b) {
  auto const plain = [](char c) { return c == '_' ? '-' : std::tolower(static_cast<unsigned char>(c)); };
  return plain(a) == plain(b);
}

/// Insertions, deletions, replacements and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const replaced = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

/// A name that starts with what was typed was meant, however much is missing.
std::size_t cost(std::string_view typed, std::string_view name) {
  std::size_t const edits = distance(typed, name);
  bool const starts = typed.size() >= 3 && name.size() > typed.size() &&
                      std::equal(typed.begin(), typed.end(), name.begin(), same_letter);
  return starts ? std::min<std::size_t>(edits, 1) : edits;
}

}  // namespace

std::string_view nearest_name(std::string_view typed, std::span<std::string_view const> names) {
  auto const best = std::min_element(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
    return cost(typed, a) < cost(typed, b);
  });
  return best == names.end() ? std::string_view() : *best;
}

std::string hint_at(std::string_view typed, std::span<std::string_view const> names) {
  std::string_view const nearest = nearest_name(typed, names);
  if (nearest.empty()) return {};
  // One of three letters may be wrong, and of a long name that lacks its end any number.
  if (3 * cost(typed, nearest) <= std::max(typed.size(), nearest.size()))
    return fmt::format("; the nearest known one is \"{}\"", nearest);
  constexpr std::size_t few = 13;
  return names.size() <= few ? fmt::format("; known are {}", fmt::join(names, ", ")) : std::string();
}

}  // namespace teamsan
