// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The system's pages: 4 KiB on x86-64; 4, 16 or 64 KiB on aarch64.
#pragma once

#include <cstddef>
#include <unistd.h>

namespace teamsan {

inline std::size_t page_bytes() noexcept {
  static std::size_t const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace teamsan
