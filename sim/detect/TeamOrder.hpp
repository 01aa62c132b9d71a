// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Says when a run may have depended on the order in which teams ran, which workers do not fix, or on that of a team's
/// lanes, which the options fix: a note at the end of the report, so that nobody takes a difference between two runs for an
/// error of the tool, nor what one order shows for what all do.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan::detect {

/// Instructions whose atomics several teams of a launch, or several lanes of a team in no order, performed on the same word.
/// One that gives its old value back (atomic_fetch_add, exchange, compare_exchange, load) makes the note; atomic_add and the
/// like do not. One note a kernel. True: teams got values back.
bool note_shared_atomics(std::string const& kernel, std::vector<Site> const& of_teams,
                         std::vector<Site> const& of_lanes);

/// Does the atomic give its old value back? One that is not Kokkos' is taken to.
bool gives_value_back(Site site);

/// Teams raced on device memory.
void note_raced_teams();

}  // namespace teamsan::detect
