// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the checks ask about a running team and a replay cannot compute: whether stores left memory as it was, whether atomics
/// had ordered two lanes. A live run computes the answer, which goes into the trace where one is recorded; a replay looks it
/// up. Who asks does not know which it is.
#pragma once

#include "../memory/Hot.hpp"
#include "TeamTrace.hpp"

#include <cstdint>
#include <optional>

namespace teamsan::trace {

struct Answer {
  std::uint64_t operand = 0, detail = 0;
};

/// A team's, as a trace has them (hot.answers).
class Answers {
 public:
  virtual ~Answers() = default;
  /// The running lane's next one of that kind; false: nobody asked then.
  virtual bool next(EventKind kind, Answer& answer) = 0;
};

/// The answer to a question of that kind about the running lane: what `live` gives; `usual` where that is nothing, which no
/// trace says, or where a replay has none.
template <class Live>
Answer ask(EventKind kind, Answer usual, Live live) {
  if (hot.answers != nullptr) [[unlikely]] {
    Answer answer;
    return hot.answers->next(kind, answer) ? answer : usual;
  }
  std::optional<Answer> const answer = live();
  if (!answer) return usual;
  note(kind, {}, answer->operand, answer->detail);
  return *answer;
}

}  // namespace teamsan::trace
