// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LastWords.hpp"

#include <algorithm>
#include <cstring>

namespace teamsan {
namespace {
/// Read by a signal handler: no memory is asked for.
constinit thread_local char words[2048];
}  // namespace

void note_last_words(char const* message) noexcept {
  if (message == nullptr) return;
  std::size_t const length = std::min(std::strlen(message), sizeof words - 1);
  std::memcpy(words, message, length);
  words[length] = '\0';
}

std::string last_words() { return words; }

}  // namespace teamsan
