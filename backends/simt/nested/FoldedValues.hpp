// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of vector lanes that run as one (teamsan::Lane::folded): each lane's is kept, and they are joined in the order of
/// team/Combine.hpp, so that sums of floating-point numbers are to the bit what they are where each lane runs by itself.
#pragma once

#include "../Macros.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace Kokkos::Impl {

template <class Reducer>
class SimtFoldedValues {
 public:
  using Value = typename Reducer::value_type;
  static_assert(alignof(Value) <= teamsan::folded_values_alignment);

  /// `value` is what the lanes' work is done on, one lane after the other; it is as new.
  TEAMSAN_NO_INSTRUMENT SimtFoldedValues(Reducer const& reducer, std::uint32_t lanes, Value& value)
      : m_reducer(reducer), m_lanes(lanes), m_value(value) {}

  /// A lane's work is done: the value is kept, and as new for the lane behind it. Of the last one it is all lanes'.
  TEAMSAN_NO_INSTRUMENT void operator()() const {
    if (m_lanes != 1) [[unlikely]]
      keep();
  }

 private:
  [[gnu::noinline]] TEAMSAN_NO_INSTRUMENT void keep() const {
    if (m_count == 0) m_values = static_cast<Value*>(teamsan::take_folded_values(m_lanes * sizeof(Value)));
    std::construct_at(m_values + m_count, m_value);
    if (++m_count != m_lanes) {
      m_reducer.init(&m_value);
      return;
    }
    for (std::uint32_t i = m_lanes / 2; i > 0; i /= 2)
      for (std::uint32_t lane = 0; lane < i; ++lane) m_reducer.join(m_values + lane, m_values + lane + i);
    m_reducer.copy(&m_value, m_values);
    std::destroy_n(m_values, m_lanes);
    teamsan::give_back_folded_values(m_values);
  }

  Reducer const& m_reducer;
  std::uint32_t const m_lanes;
  Value& m_value;
  mutable Value* m_values = nullptr;
  mutable std::uint32_t m_count = 0;
};

}  // namespace Kokkos::Impl
