// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// out-of-bounds, of what is a lane's own: where the compiler's plug-in compares the indices of arrays, and tells of variables
/// that are read when they are gone.
#include "../base/OwnArrayIndex.hpp"

#include "../base/Options.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/Events.hpp"
#include "Checker.hpp"
#include "Describe.hpp"

#include <fmt/format.h>

namespace teamsan::events {

using namespace detect;

void left_own_array(Team& team, OwnArrayIndex const& array, Site site) {
  if (!team.checked() || !options().enabled(Rule::out_of_bounds)) return;
  constexpr std::uint64_t own_array = ~std::uint64_t{0} - 2;
  add_finding(team, Key{Rule::out_of_bounds, site, Site{}, own_array}, [&] {
    AccessKind const kind = array.writes ? AccessKind::write : AccessKind::read;
    RawFinding f;
    f.rule = Rule::out_of_bounds;
    f.title = fmt::format("{} outside an array of the lane's own", verb(kind));
    f.sides.push_back(running_side(team, Access{0, array.bytes, kind, site}));
    f.data.kind = Data::Kind::lane_stack;
    f.data.label = array.name;
    f.data.index = fmt::format("[{}]", array.index);
    f.data.element_bytes = array.bytes;
    f.data.bytes = static_cast<std::uint64_t>(array.elements) * array.bytes;
    f.data.offset = static_cast<std::uint64_t>(array.index) * array.bytes;
    f.why = {because(Reason::index_beyond, f.data.label + f.data.index,
                     counted(static_cast<std::uint64_t>(array.elements), "element")),
             because(Reason::own_variables_there)};
    f.fix = remedy(Cure::keep_index_of_array, array.elements);
    return f;
  });
}

void read_what_is_gone(Team& team, std::string_view name, std::uint32_t bytes, Site site) {
  if (!team.checked() || !options().enabled(Rule::out_of_bounds)) return;
  constexpr std::uint64_t own_gone = ~std::uint64_t{0} - 4;
  add_finding(team, Key{Rule::out_of_bounds, site, Site{}, own_gone}, [&] {
    RawFinding f;
    f.rule = Rule::out_of_bounds;
    f.title = name.empty() ? "read of a temporary that is gone" : "read of a variable of the lane's own that is gone";
    f.sides.push_back(running_side(team, Access{0, bytes, AccessKind::read, site}));
    f.data.kind = Data::Kind::lane_stack;
    f.data.label = name;
    f.data.element_bytes = bytes;
    f.why = {because(Reason::own_variable_gone)};
    f.fix = remedy(Cure::keep_value);
    return f;
  });
}

}  // namespace teamsan::events
