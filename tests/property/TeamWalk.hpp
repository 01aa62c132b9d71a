// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The oracle's way through one team of a kernel: construct by construct, within a construct thread by thread, lane by lane.
#pragma once

#include "Oracle.hpp"

#include <cstdint>
#include <vector>

namespace property {

class Ledger;

/// Digest of each lane's registers at the end. What lanes access goes into the ledger.
std::vector<std::uint64_t> walk_team(Kernel const& kernel, int league, Sync sync, Ledger& ledger, Verdict& verdict);

}  // namespace property
