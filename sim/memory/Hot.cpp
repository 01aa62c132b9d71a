// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Hot.hpp"

namespace teamsan {

thread_local constinit Hot hot;

}  // namespace teamsan
