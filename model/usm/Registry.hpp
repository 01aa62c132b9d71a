// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was allocated, on the host's side: which kind, how large, in which context. Kept because Kokkos frees
/// through the memory space's type, and because a host alone has no driver to ask about a pointer.
#pragma once

#include "Kind.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>

namespace teamsan::usm {

class Registry {
 public:
  struct Entry {
    Kind kind;
    std::uint32_t context;
    std::size_t bytes;
  };

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  void add(void const* pointer, Entry entry) {
    std::lock_guard const lock(m_mutex);
    m_entries.insert_or_assign(static_cast<char const*>(pointer), entry);
  }

  /// The entry that starts at `pointer`, which is forgotten. Throws std::invalid_argument when there is none.
  Entry take(void const* pointer) {
    std::lock_guard const lock(m_mutex);
    auto const found = m_entries.find(static_cast<char const*>(pointer));
    if (found == m_entries.end())
      throw std::invalid_argument(
          "teamsan::usm::free: the pointer is not the start of a live allocation: freed before, or allocated "
          "by others");
    Entry const entry = found->second;
    m_entries.erase(found);
    return entry;
  }

  /// Of the allocation that holds the address; `unknown` for others, and for another context's.
  Kind kind_of(void const* pointer, std::uint32_t context) const {
    std::lock_guard const lock(m_mutex);
    auto const* const address = static_cast<char const*>(pointer);
    auto after = m_entries.upper_bound(address);
    if (after == m_entries.begin()) return Kind::unknown;
    auto const& [begin, entry] = *--after;
    bool const inside = address == begin || address < begin + entry.bytes;
    bool const known = entry.kind == Kind::system || entry.context == context;
    return inside && known ? entry.kind : Kind::unknown;
  }

 private:
  mutable std::mutex m_mutex;
  std::map<char const*, Entry, std::less<>> m_entries;
};

}  // namespace teamsan::usm
