/// What lanes print. Each lane's text is kept and written when its team is committed: league order, then lane order.
#pragma once

#include <string_view>

namespace teamsan {

/// Writes to the program's standard output, in order with what the host prints.
void write_output(std::string_view text);

}  // namespace teamsan
