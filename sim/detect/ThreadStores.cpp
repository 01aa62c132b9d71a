#include <teamsan/sim/detect/ThreadStores.hpp>

#include <teamsan/sim/memory/GlobalShadow.hpp>

namespace teamsan::detect {

void ThreadStores::end_launch(std::uint32_t epoch, FindingList& findings) {
  for (auto const& [key, address] : m_stores) {
    std::uintptr_t const word = address & ~std::uintptr_t{3};
    GlobalWord const g = global_shadow::unpack(*global_shadow::cell(word), *global_shadow::extra(word));
    if (g.epoch == epoch && g.raced) continue;
    if (findings.count_again(key)) continue;
    RawFinding finding = *m_examples.find(key);
    finding.count = 1;
    findings.add(key, std::move(finding));
  }
  clear();
}

}  // namespace teamsan::detect
