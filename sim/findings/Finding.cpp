// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/findings/Finding.hpp>

#include <fmt/format.h>

namespace teamsan {

std::string place_mark(std::uintptr_t pc) { return fmt::format("{{pc:{:x}}}", pc); }

std::string name_mark(std::uintptr_t pc) { return fmt::format("{{name:{:x}}}", pc); }

}  // namespace teamsan
