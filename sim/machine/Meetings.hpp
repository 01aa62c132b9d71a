// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where lanes of a team wait for one another, and what they bring (Meetings.cpp). As new for each team.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Lane.hpp"
#include "Lane.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

struct Meetings {
  std::uint32_t at_team = 0;             ///< lanes that wait for all of the team
  Meeting meeting{};                     ///< of the first lane that arrived
  Join join{};                           ///< of the last one
  Site site{};
  bool mixed = false;                    ///< others came from elsewhere
  Combine combine = nullptr;
  void const* context = nullptr;
  std::vector<std::uint32_t> at_thread;  ///< lanes that wait for all of a thread, by thread
  std::vector<void*> values;

  /// The vectors keep their room, and `at_thread` what it holds.
  void renew() {
    Meetings fresh;
    fresh.at_thread = std::move(at_thread);
    fresh.values = std::move(values);
    *this = std::move(fresh);
  }
};

}  // namespace teamsan
