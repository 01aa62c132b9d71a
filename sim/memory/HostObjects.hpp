// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects with virtual functions that the host has made in memory which kernels reach: each begins with the address of the
/// host's table of these functions. Known where the constructor's store of that address was seen, until a lane makes an object
/// there, or a copy, a fill or a free takes the place. What the host makes in memory of its own and copies is not known.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace teamsan {

class HostObjects {
 public:
  /// An object, or a base of one, begins there now, with that table.
  void made(std::uintptr_t object, std::uintptr_t table);
  void copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
  void forget(std::uintptr_t begin, std::size_t bytes);
  void clear() { forget(0, ~std::size_t{0}); }
  /// Does the object still begin as the host made it?
  bool has(std::uintptr_t object) const;
  bool any() const noexcept { return m_number.load(std::memory_order_relaxed) != 0; }

 private:
  mutable std::mutex m_mutex;
  std::map<std::uintptr_t, std::uintptr_t> m_tables;  ///< by object
  std::atomic<std::size_t> m_number{0};
};

HostObjects& host_objects();

}  // namespace teamsan
