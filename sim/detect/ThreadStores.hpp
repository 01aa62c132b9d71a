/// Vector lanes of one thread stored different values to the same word of device memory: a race, unless another team
/// raced on the word too. Then what the lanes saw proves nothing (that team may have changed it in between), and the
/// race between the teams is the finding. So these wait for the end of the launch.
#pragma once

#include <teamsan/sim/detect/RawFinding.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace teamsan::detect {

class ThreadStores {
 public:
  template <class Make>
  void add(Key const& key, std::uintptr_t word, Make make) {
    if (m_examples.find(key) == nullptr) m_examples.add(key, make());
    if (m_stores.empty() || m_stores.back() != std::pair(key, word)) m_stores.emplace_back(key, word);
  }
  void append(ThreadStores&& team) {
    m_stores.insert(m_stores.end(), team.m_stores.begin(), team.m_stores.end());
    m_examples.merge(std::move(team.m_examples));
    team.clear();
  }
  void clear() {
    m_stores.clear();
    m_examples.clear();
  }
  bool empty() const { return m_stores.empty(); }

  /// The launch has ended.
  void end_launch(std::uint32_t epoch, FindingList& findings);

 private:
  std::vector<std::pair<Key, std::uintptr_t>> m_stores;
  FindingList m_examples;
};

}  // namespace teamsan::detect
