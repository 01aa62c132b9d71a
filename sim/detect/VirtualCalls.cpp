// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// wrong-space, of virtual functions: the table of an object that the host made is the host's. The compiler's plug-in tells of
/// calls.
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/Events.hpp"
#include "Checker.hpp"
#include "Describe.hpp"

namespace teamsan::events {

using namespace detect;

void called_virtual(Team& team, std::uintptr_t object, bool of_functor, Site site) {
  if (!team.checked() || !options().enabled(Rule::wrong_space)) return;
  if (of_functor ? !shard.owns_team(team.league_rank()) : !shard.judges(object)) return;  // another shard tells
  constexpr std::uint64_t virtual_call = ~std::uint64_t{0} - 3;
  add_finding(team, Key{Rule::wrong_space, site, Site{}, virtual_call}, [&] {
    Access const access{object, sizeof(void*), AccessKind::read, site};
    RawFinding f;
    f.rule = Rule::wrong_space;
    f.title = "a lane calls a virtual function of an object that the host made";
    f.sides.push_back(running_side(team, access));
    if (of_functor)
      f.data.kind = Data::Kind::constant;
    else
      f.data = describe_global(object, access.bytes);
    f.why = {because(Reason::table_of_host)};
    f.fix = remedy(Cure::make_in_kernel);
    return f;
  });
}

}  // namespace teamsan::events
