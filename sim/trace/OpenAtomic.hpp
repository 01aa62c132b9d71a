// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The latest atomic of a lane, while it does nothing else: what becomes of it is told step by step, and makes one event with
/// it. A step joins if it lies behind those that did (traces/AtomicDeed.hpp), so that a replay does the same in the same order.
#pragma once

#include "../../traces/Event.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace teamsan::trace {

class OpenAtomic {
 public:
  bool is_open() const { return m_step != Step::closed; }

  void open(AtomicDeed const& deed) {
    m_deed = deed;
    m_outcome = {};
    m_answers.clear();
    m_step = Step::begun;
  }

  /// Is the event one of its steps, or an answer to what was asked as it began? Then it is taken.
  bool take(std::uint64_t key, std::uint64_t operand) {
    using enum traces::EventKind;
    std::uint32_t const detail = traces::detail_of(key);
    bool const here = operand == m_deed.address;
    switch (traces::kind_of(key)) {
      case ordered:
      case unseen_store:
      case host_place:
        if (m_step != Step::begun) return false;
        m_answers.emplace_back(key, operand);
        return true;
      case release:
        if (!here || !goes_on_to(Step::released)) return false;
        m_outcome.released = true;
        m_outcome.by_order = detail != 0;
        return true;
      case acquire:
        if (!here || !goes_on_to(Step::acquired)) return false;
        return m_outcome.acquired = true;
      case handover:
        if (!here || traces::site_of(key) != m_deed.site || !goes_on_to(Step::handed_over)) return false;
        m_outcome.handover = static_cast<std::uint8_t>(detail);
        return m_outcome.handed_over = true;
      case effect:
        if (traces::site_of(key) != m_deed.site || !goes_on_to(Step::done)) return false;
        m_outcome.effect = detail == traces::lock_left           ? AtomicOutcome::Effect::lock_left
                           : detail == traces::lock_left_by_load ? AtomicOutcome::Effect::lock_left_by_load
                           : detail != 0                         ? AtomicOutcome::Effect::changed
                                                                 : AtomicOutcome::Effect::none;
        return true;
      default:
        return false;
    }
  }

  /// put(key, operand) for it, and for the answers.
  template <class Put>
  void close(Put put) {
    m_step = Step::closed;
    put(traces::deed_key(m_deed, m_outcome), m_deed.address);
    for (auto const& [key, operand] : m_answers) put(key, operand);
  }

 private:
  enum class Step : std::uint8_t { closed, begun, released, acquired, handed_over, done };

  bool goes_on_to(Step step) {
    if (m_step == Step::closed || m_step >= step) return false;
    m_step = step;
    return true;
  }

  AtomicDeed m_deed;
  AtomicOutcome m_outcome;
  Step m_step = Step::closed;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> m_answers;
};

}  // namespace teamsan::trace
