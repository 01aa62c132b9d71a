// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GlobalStores.hpp"

#include "../base/Options.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../memory/GlobalShadow.hpp"

#include <algorithm>
#include <tuple>

namespace teamsan::detect {

namespace {

constexpr std::size_t few_words = 4096;

/// Have teams raced on the word, as far as they are committed?
bool raced(std::uintptr_t word, std::uint32_t epoch) {
  GlobalWord const g = global_shadow::unpack(*global_shadow::cell(word), *global_shadow::extra(word));
  return g.epoch == epoch && g.raced;
}
/// On it, or on one around it?
bool raced(std::uintptr_t word, WordsAround around, std::uint32_t epoch) {
  for (std::uintptr_t w = word - 4 * around.before; w <= word + 4 * around.behind; w += 4)
    if (raced(w, epoch)) return true;
  return false;
}

}  // namespace

void make_same_value(RawFinding& finding) {
  finding.rule = Rule::same_value;
  finding.severity = Severity::warning;
  finding.title = "lanes write the same value without order";
}

std::uint32_t GlobalStores::kind_of(Key const& key, bool same_value, bool same_thread, WordsAround around) {
  if (!same_value && !same_thread) around = {};
  if (m_at < m_words.size()) {  // mostly the latest one's
    Kind const& k = m_kinds[m_words[m_at].kind];
    bool const alike = k.same_value == same_value && k.same_thread == same_thread && k.around == around;
    if (alike && k.key == key) return m_words[m_at].kind;
  }
  Key with_values = key;
  with_values.data ^= std::uint64_t{same_value} << 61 | std::uint64_t{same_thread} << 62 |
                      std::uint64_t{around.before} << 58 | std::uint64_t{around.behind} << 55;
  auto const [found, fresh] = m_index.try_emplace(with_values, static_cast<std::uint32_t>(m_kinds.size()));
  if (fresh) m_kinds.push_back({key, same_value, same_thread, around});
  return found->second;
}

void GlobalStores::add_elsewhere(std::uintptr_t word, std::uint32_t kind) {
  for (std::size_t const i : {m_at, std::size_t{0}}) {  // again, or the next lane begins
    if (i >= m_words.size() || m_words[i].address != word || m_words[i].kind != kind) continue;
    m_at = i;
    ++m_words[i].stores;
    return;
  }
  if (m_words.size() >= std::max(few_words, 2 * m_summed)) sum_up();
  m_at = m_words.size();
  m_words.push_back({word, 1, kind});
}

/// Each word once, in the order of kinds and addresses.
void GlobalStores::sum_up() {
  auto const place = [](Word const& w) { return std::tuple(w.kind, w.address); };
  std::sort(m_words.begin(), m_words.end(),
            [&](Word const& a, Word const& b) { return place(a) < place(b); });
  std::size_t left = 0;
  for (Word const& w : m_words) {
    if (left != 0 && place(m_words[left - 1]) == place(w))
      m_words[left - 1].stores += w.stores;
    else
      m_words[left++] = w;
  }
  m_words.resize(left);
  m_summed = left;
}

void GlobalStores::retell(Key const& was, std::uintptr_t word, std::uint64_t count, Key const& key) {
  for (Word& w : m_words) {
    Kind const kind = m_kinds[w.kind];
    if (w.address != word || kind.key != was) continue;
    count -= std::min(count, w.stores);
    w.kind = kind_of(key, kind.same_value, kind.same_thread, kind.around);
  }
  for (std::size_t i = 0, known = m_kinds.size(); i != known && count != 0; ++i) {
    if (m_kinds[i].key != was) continue;
    std::uint64_t const some = std::min(count, m_kinds[i].races);
    count -= some;
    m_kinds[i].races -= some;
    m_kinds[kind_of(key, false, false)].races += some;
  }
}

void GlobalStores::keep(Word const& word) {
  Kind& kind = m_kinds[word.kind];
  if (kind.last_run < m_runs.size()) {
    Run& run = m_runs[kind.last_run];
    std::uintptr_t const distance = word.address - (run.first + std::uintptr_t{run.step} * (run.words - 1));
    bool const second = run.words == 1 && distance - 1 < std::numeric_limits<std::uint32_t>::max();
    bool const next = second || (run.words > 1 && distance == run.step);
    if (next && run.stores == word.stores && run.words != std::numeric_limits<std::uint32_t>::max()) {
      run.step = static_cast<std::uint32_t>(distance);
      ++run.words;
      return;
    }
  }
  if (m_runs.size() == most_runs) {
    m_full = true;
    if (kind.same_value) kind.harmless += word.stores;
    return;
  }
  kind.last_run = static_cast<std::uint32_t>(m_runs.size());
  m_runs.push_back({word.address, word.stores, 0, 1, word.kind});
}

void GlobalStores::append(GlobalStores&& team, std::uint32_t epoch) {
  team.sum_up();
  std::vector<std::uint32_t> kinds;
  for (Kind const& k : team.m_kinds) {
    kinds.push_back(kind_of(k.key, k.same_value, k.same_thread, k.around));
    m_kinds[kinds.back()].races += k.races;
    m_kinds[kinds.back()].harmless += k.harmless;
  }
  auto const take = [&](std::uintptr_t address, std::uint64_t stores, std::uint32_t kind) {
    if (!raced(address, m_kinds[kinds[kind]].around, epoch))
      keep({address, stores, kinds[kind]});
    else if (!m_kinds[kinds[kind]].same_thread)
      m_kinds[kinds[kind]].races += stores;
  };
  for (Word const& w : team.m_words) take(w.address, w.stores, w.kind);
  for (Run const& run : team.m_runs)  // of several teams, put together before
    for (std::uint32_t i = 0; i != run.words; ++i)
      take(run.first + std::uintptr_t{run.step} * i, run.stores, run.kind);
  for (Kind const& k : team.m_kinds)
    if (StoreExamples::OfKey* const of = k.same_thread ? nullptr : team.m_examples.find(k.key); of != nullptr && of->apart == 0)
      of->apart = 1;
  m_examples.merge(std::move(team.m_examples));
  for (auto const& [site, stores] : team.m_redundant) m_redundant[site] += stores;
  team.clear();
}

/// What is told of a key's stores, of those that get the one verdict.
struct GlobalStores::Told {
  Key key;
  std::uint64_t number;  ///< of the store that is shown
  RawFinding finding;
};

/// As races, or as harmless ones: shown is the first that is one.
GlobalStores::Told GlobalStores::tell(Key const& key, OfVerdict const& sum, bool as_races, std::uint32_t epoch,
                                      bool teams_raced) const {
  StoreExamples::OfKey const& of = *m_examples.find(key);
  auto const is_one = [&](StoreExamples::Example const& e) {
    bool const on_raced_word = !e.store.decided() && raced(e.store.address & ~std::uintptr_t{3}, e.store.around, epoch);
    if (on_raced_word && e.store.same_thread) return false;
    return as_races == (on_raced_word || !e.store.same_value);
  };
  auto const shown = std::ranges::find_if(of.examples, is_one);
  StoreExamples::Example const& example = shown != of.examples.end() ? *shown : of.examples.front();
  Told told{key, example.number, example.finding};
  told.finding.count = as_races ? sum.races : sum.harmless;
  // Where teams raced it hangs on when the others came which teams made stores by one thread.
  told.finding.teams = teams_raced ? std::max<std::uint64_t>(of.apart, 1) : of.teams;
  told.finding.at_least = told.finding.at_least || m_full || (teams_raced && sum.of_threads != 0);
  // Its teams are those that made any store of the key.
  if (sum.races != 0 && sum.harmless != 0) told.finding.teams = 1, told.finding.at_least = true;
  return told;
}

void GlobalStores::end_launch(std::uint32_t epoch, FindingList& findings, Launch launch, bool teams_raced) {
  for (auto const& [site, stores] : m_redundant) count_redundant_stores(site, stores, teams_raced);
  for (Run const& run : m_runs) {
    Kind& kind = m_kinds[run.kind];
    for (std::uint32_t i = 0; i != run.words; ++i) {
      bool const races = raced(run.first + std::uintptr_t{run.step} * i, kind.around, epoch);
      if (races && kind.same_thread) continue;
      (races || !kind.same_value ? kind.races : kind.harmless) += run.stores;
    }
  }
  std::unordered_map<Key, OfVerdict, KeyHash> sums;
  for (Kind const& k : m_kinds) {
    OfVerdict& sum = sums[k.key];
    sum.races += k.races;
    sum.harmless += k.harmless;
    sum.of_threads += k.same_thread ? k.races + k.harmless : 0;
  }
  for (bool const as_races : {true, false}) {
    std::vector<Told> all;
    for (auto const& [key, sum] : sums)
      if ((as_races ? sum.races : sum.harmless) != 0) all.push_back(tell(key, sum, as_races, epoch, teams_raced));
    std::ranges::sort(all, {}, &Told::number);
    for (Told& t : all) {
      if (!as_races && launch != Launch::iterations) t.key.rule = Rule::same_value;
      if (!options().enabled(t.key.rule) || findings.count_again(t.key, t.finding.count)) continue;
      if (t.key.rule == Rule::same_value) {
        make_same_value(t.finding);
        if (launch == Launch::one_team) t.finding.why.push_back(because(Reason::error_with_more_teams));
      } else if (!as_races)
        t.finding.why.push_back(because(Reason::equal_in_this_run));
      findings.add(t.key, std::move(t.finding));
    }
  }
  clear();
}

void GlobalStores::clear() {
  m_kinds.clear();
  m_index.clear();
  m_examples.clear();
  m_redundant.clear();
  m_words.clear();
  m_runs.clear();
  m_at = m_summed = 0;
  m_full = false;
}

}  // namespace teamsan::detect
