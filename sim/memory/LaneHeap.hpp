// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Blocks that lanes took by malloc, new or one of their like and that nobody has given back. CUDA and HIP have a heap for
/// lanes: what a lane takes lasts across kernels, any lane may touch it, and a lane gives it back. Here it is the program's
/// own heap. One bit for eight bytes, in pages that are touched where such blocks lie. Thread-safe; takes no lock, and no
/// memory of that heap.
#pragma once

#include "../base/ReportMemory.hpp"

#include <cstdint>

namespace teamsan::lane_heap {

/// The calling thread runs lanes while this lives: what their code allocates is noted (base/ReportMemory.hpp).
class Watch {
 public:
  Watch() noexcept;
  ~Watch();
  Watch(Watch const&) = delete;

 private:
  TakeWatch m_before;
};

bool holds(std::uintptr_t address) noexcept;

}  // namespace teamsan::lane_heap
