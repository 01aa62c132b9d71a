// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What findings say of memory and of lanes: which View or piece of scratch it is, which element, and who accessed it.
#pragma once

#include "../base/Access.hpp"
#include "../findings/RawFinding.hpp"
#include "../memory/TeamShadow.hpp"

#include <cstdint>
#include <string>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// Where a checked access by a lane falls.
struct Target {
  bool scratch;           ///< this team's scratch; otherwise global memory
  std::uintptr_t address; ///< of the bytes in question (a word or a byte of the access)
  Line* line;             ///< of global memory
};

Data describe_scratch(Team const& team, std::uintptr_t address, std::uint32_t element_bytes);
Data describe_global(std::uintptr_t address, std::uint32_t element_bytes);
Data describe(Team const& team, Target const& target, std::uint32_t element_bytes);
/// Identity of a scratch piece or an allocation, the same in every team.
std::uint64_t data_id(Team const& team, Target const& target);
RawSide running_side(Team const& team, Access const& access);
char const* verb(AccessKind kind);
/// "the default context", "context 2".
std::string context_name(std::uint32_t context);

}  // namespace teamsan::detect
