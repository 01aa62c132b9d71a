// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NotJudged.hpp"

#include "../base/OptionNames.hpp"
#include "Collector.hpp"
#include "TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace teamsan::detect {

namespace {

/// What happened, and what may be missed.
std::string text(Shortfall shortfall) {
  switch (shortfall) {
    case Shortfall::old_accesses:
      return "it met, fenced, released and acquired so often that what it did before the latest 24,576 times counts as "
             "ordered with what others did: races of that may be missed";
    case Shortfall::events:
      return "its teams released and acquired by atomics more than 4,194,304 times: races between teams, or lanes, after "
             "that may be missed";
    case Shortfall::searches:
      return "what its atomics order took too long to find out: races between teams, or lanes, from then on may be missed";
    case Shortfall::word_accesses:
      return "atomics order its teams, and more than 64 different accesses were made to one word; the latest 64 are "
             "compared with later teams': races with earlier ones may be missed";
    case Shortfall::words:
      return "atomics order its teams, and several of them touched more than 262,144 of the same words, or made more than "
             "1,048,576 accesses to them: races on further ones may be missed";
    case Shortfall::earlier_marks:
      return "it acquired by atomics and went on using the same words, more than 32 times one of them or more than 131,072 "
             "times all: races of later accesses with other teams may be missed";
    case Shortfall::sites:
      return "more than 16,383 of its instructions access device memory: places of further ones are not known in races "
             "between teams, and one of an unknown instruction with an atomic may be missed";
    case Shortfall::wide_league:
      return "it has more than 16,777,216 teams, and atomics order some of them: races between its teams may be missed";
    case Shortfall::updates:
      return "it updated more than 65,536 elements by atomics: lane-redundant updates of further ones may be missed";
    case Shortfall::equal_stores:
      return "its lanes stored to more than 1,048,576 words, in no order, that others of their team stored to: further equal "
             "stores are told as such without asking whether other teams stored there, different ones of one thread's lanes "
             "not at all";
    case Shortfall::uninit_reads:
      return "it read more than 262,144 uninitialised places in no order: of further ones the first of each line and "
             "allocation is told, others are not counted";
    case Shortfall::flat_order:
      return "its first team orders no lanes by fences and atomics, later ones do: of words that many lanes share a race "
             "beside accesses that are ordered may be missed; " +
             option_to_set("flat", "0") + " judges them";
    case Shortfall::flat_words:
      return "its lanes were in conflict on more than 524,288 words, touched them by bytes, or read them before anybody wrote "
             "them: races on further ones may be missed";
    case Shortfall::count: break;
  }
  return {};
}

}  // namespace

void NotJudged::add(Shortfall shortfall, std::uint64_t team) {
  std::lock_guard const lock(m_mutex);
  Met& met = m_met[static_cast<std::size_t>(shortfall)];
  met.any = true;
  met.first_team = std::min(met.first_team, team);
}

bool NotJudged::any() const {
  return std::any_of(m_met.begin(), m_met.end(), [](Met const& met) { return met.any; });
}

void NotJudged::report(LaunchFacts const& launch, std::uint64_t last_team) const {
  static auto* const reported = new std::set<std::pair<std::string, std::size_t>>;  // launches take turns
  for (std::size_t i = 0; i != m_met.size(); ++i) {
    Met const& met = m_met[i];
    bool const later = met.first_team != no_team && met.first_team > last_team;
    if (!met.any || later || !reported->emplace(launch.config.label, i).second) continue;
    std::string const team = met.first_team == no_team ? std::string() : fmt::format(", team {}", met.first_team);
    Collector::instance().note(fmt::format("not judged in full: kernel \"{}\", launch #{}{}: {}",
                                           clipped(launch.config.label), launch.number, team,
                                           text(static_cast<Shortfall>(i))));
  }
}

}  // namespace teamsan::detect
