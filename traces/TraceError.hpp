/// A trace that cannot be read or written. what() is one sentence that names the file and says what is wrong.
#pragma once

#include <stdexcept>

namespace teamsan::traces {

struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace teamsan::traces
