/// Lanes of one team stored to the same word of device memory without order. Whether that is a race, a same-value
/// warning or a thread's redundant store hangs on the values, and what a lane finds in memory after its store proves
/// something only if no other team stores there too. So these wait for the end of the launch: on a word that teams
/// raced on, lanes of different threads race whatever the values were, and nothing is said of lanes of one thread.
#pragma once

#include <teamsan/sim/detect/RawFinding.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

class GlobalStores {
 public:
  struct Store {
    Key key;  ///< as a race
    std::uintptr_t address;
    bool same_value, same_thread;
    friend bool operator==(Store const&, Store const&) = default;
  };

  /// `make()` gives the finding, as a race; called for the first store of a key.
  template <class Make>
  void add(Store const& store, Make make) {
    if (m_examples.find(store.key) == nullptr) m_examples.add(store.key, make());
    m_stores.push_back(store);
  }
  /// A vector lane stored what another lane of its thread had stored there: counted, since Kokkos documents lanes to
  /// repeat a thread's work; of scratch too.
  void count_redundant(std::uintptr_t pc) { ++m_redundant[pc]; }
  void append(GlobalStores&& team);
  void clear() {
    m_stores.clear();
    m_examples.clear();
    m_redundant.clear();
  }
  bool empty() const { return m_stores.empty() && m_redundant.empty(); }

  /// The launch has ended: what is left to say goes to `findings`.
  void end_launch(std::uint32_t epoch, FindingList& findings);

 private:
  std::vector<Store> m_stores;
  FindingList m_examples;
  std::unordered_map<std::uintptr_t, std::uint64_t> m_redundant;
};

/// Turns a race into a same-value warning.
void make_same_value(RawFinding& finding);

}  // namespace teamsan::detect
