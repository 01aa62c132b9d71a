#include <teamsan/sim/detect/GlobalStores.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/report/Collector.hpp>

namespace teamsan::detect {

void make_same_value(RawFinding& finding) {
  finding.rule = Rule::same_value;
  finding.severity = Severity::warning;
  finding.title = "lanes write the same value without order";
}

void GlobalStores::append(GlobalStores&& team) {
  m_stores.insert(m_stores.end(), team.m_stores.begin(), team.m_stores.end());
  m_examples.merge(std::move(team.m_examples));
  for (auto const& [pc, stores] : team.m_redundant) m_redundant[pc] += stores;
  team.clear();
}

void GlobalStores::end_launch(std::uint32_t epoch, FindingList& findings) {
  for (auto const& [pc, stores] : m_redundant) count_redundant_stores(pc, stores);
  for (Store const& store : m_stores) {
    std::uintptr_t const word = store.address & ~std::uintptr_t{3};
    GlobalWord const g = global_shadow::unpack(*global_shadow::cell(word), *global_shadow::extra(word));
    bool const raced = g.epoch == epoch && g.raced;
    if (raced && store.same_thread) continue;
    Key key = store.key;
    if (!raced && store.same_value) key.rule = Rule::same_value;
    if (!options().enabled(key.rule) || findings.count_again(key)) continue;
    RawFinding finding = *m_examples.find(store.key);
    finding.count = 1;
    if (key.rule == Rule::same_value) make_same_value(finding);
    findings.add(key, std::move(finding));
  }
  clear();
}

}  // namespace teamsan::detect
