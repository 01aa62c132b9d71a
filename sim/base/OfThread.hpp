// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A thread's objects that are there for as long as the thread runs. exit() destroys those of its thread before it calls the
/// handlers of atexit(), and these may still launch kernels and finalize Kokkos.
#pragma once

#include <utility>

namespace teamsan {

/// To be declared `thread_local constinit`, one for each T: a T that is made when it is asked for and destroyed with the
/// thread's other objects. Who asks later gets a new one, which stays.
template <class T>
class OfThread {
 public:
  T& operator*() {
    if (m_object == nullptr) {
      m_object = new T();
      thread_local End const end{*this};
    }
    return *m_object;
  }
  T* operator->() { return &**this; }
  /// The one that is there, or nullptr: makes none.
  T* existing() { return m_object; }

 private:
  struct End {
    OfThread& owner;
    ~End() { delete std::exchange(owner.m_object, nullptr); }
  };
  T* m_object = nullptr;
};

}  // namespace teamsan
