// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos programs ask of Thrust (rocThrust has the same names): to sort elements of the device. The host does it on a
/// copy, when all that is pending has ended, as one operation, whose own accesses are not judged.
#pragma once

#include "Vendor.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>

namespace thrust {

template <class T>
class device_ptr {
 public:
  device_ptr() = default;
  explicit device_ptr(T* at) : m_at(at) {}
  T* get() const { return m_at; }
  device_ptr operator+(std::ptrdiff_t by) const { return device_ptr(m_at + by); }
  device_ptr operator-(std::ptrdiff_t by) const { return device_ptr(m_at - by); }
  std::ptrdiff_t operator-(device_ptr other) const { return m_at - other.m_at; }
  bool operator==(device_ptr other) const { return m_at == other.m_at; }
  bool operator!=(device_ptr other) const { return m_at != other.m_at; }

 private:
  T* m_at = nullptr;
};

template <class T>
device_ptr<T> device_pointer_cast(T* at) {
  return device_ptr<T>(at);
}
template <class T>
T* raw_pointer_cast(device_ptr<T> at) {
  return at.get();
}

template <class T, class Before>
void sort(device_ptr<T> first, device_ptr<T> last, Before before) {
  static_assert(std::is_trivially_copyable_v<T>, "elements of the device are copied as bytes");
  if (last - first < 2) return;
  auto const count = static_cast<std::size_t>(last - first);
  std::allocator<T> memory;
  T* const copied = memory.allocate(count);
  teamsan::simt::vendor::copy(copied, first.get(), count * sizeof(T));
  std::sort(copied, copied + count, before);
  teamsan::simt::vendor::copy(first.get(), copied, count * sizeof(T));
  memory.deallocate(copied, count);
}
template <class T>
void sort(device_ptr<T> first, device_ptr<T> last) {
  sort(first, last, std::less<T>());
}

}  // namespace thrust
