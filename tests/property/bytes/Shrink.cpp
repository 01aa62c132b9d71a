// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Shrink.hpp"

#include <algorithm>
#include <vector>

namespace property::bytes {
namespace {

/// Cases that are a little less than this one, the boldest first.
std::vector<Case> smaller(Case const& c) {
  std::vector<Case> all;
  auto const with = [&](auto const& change) {
    Case next = c;
    change(next);
    all.push_back(std::move(next));
  };
  for (std::size_t n = 0; c.kernels.size() > 1 && n != c.kernels.size(); ++n)
    with([&](Case& next) { next.kernels.erase(next.kernels.begin() + static_cast<std::ptrdiff_t>(n)); });
  if (c.quiet_before > 0) with([](Case& next) { --next.quiet_before; });
  if (c.quiet_after > 0) with([](Case& next) { --next.quiet_after; });
  for (std::size_t n = 0; n != c.kernels.size(); ++n) {
    Kernel const& k = c.kernels[n];
    auto const in = [&](auto const& change) { with([&](Case& next) { change(next.kernels[n]); }); };
    for (int s = 0; k.used > 1 && s < k.used; ++s)
      in([&](Kernel& next) {
        for (int t = s; t + 1 < next.used; ++t) {
          next.operations[static_cast<std::size_t>(t)] = next.operations[static_cast<std::size_t>(t) + 1];
          next.steps[static_cast<std::size_t>(t)] = next.steps[static_cast<std::size_t>(t) + 1];
        }
        --next.used;
      });
    if (!is_md(k.policy) && !is_team(k.policy)) {
      for (int const less : {k.count / 2, k.count - k.count / 8, k.count - 1})
        if (less >= 1 && less < k.count) in([&](Kernel& next) { next.count = less; });
      if (k.policy != Policy::range_for) in([&](Kernel& next) { next.policy = Policy::range_for; });
    }
    if (is_md(k.policy)) in([&](Kernel& next) { next.policy = Policy::range_for; });
    if (k.policy == Policy::team_reduce) in([&](Kernel& next) { next.policy = Policy::team_for; });
    if (is_team(k.policy)) {
      auto const fewer = [&](std::int32_t Kernel::*member) {
        for (std::int32_t const less : {1, k.*member / 2, k.*member - 1})
          if (less >= 1 && less < k.*member) in([&](Kernel& next) { next.*member = less; });
      };
      fewer(&Kernel::league);
      fewer(&Kernel::team);
      if (k.vector > 1) in([&](Kernel& next) { next.vector /= 2; });
    }
    for (std::size_t s = 0; s != static_cast<std::size_t>(k.used); ++s) {
      Operation const& o = k.operations[s];
      auto const at = [&](auto const& change) { in([&](Kernel& next) { change(next.operations[s]); }); };
      if (o.repeats > 1) at([](Operation& next) { next.repeats = 1; });
      if (o.mask.modulus > 1) at([](Operation& next) { next.mask.modulus = 1, next.mask.remainder = 0; });
      if (o.mask.from > 0) at([](Operation& next) { next.mask.from = 0; });
      if (o.mask.until != ~0u) at([](Operation& next) { next.mask.until = ~0u; });
      if (o.map.a != 1) at([](Operation& next) { next.map.a = 1; });
      if (o.map.b != 0) at([](Operation& next) { next.map.b = 0; });
      if (o.map.modulus > 1) at([](Operation& next) { next.map.modulus = (next.map.modulus + 1) / 2; });
      if (is_team(k.policy)) {
        Step const& step = k.steps[s];
        auto const of = [&](auto const& change) { in([&](Kernel& next) { change(next.steps[s]); }); };
        if (step.count > 1) of([](Step& next) { next.count /= 2; });
        if (step.inner > 1) of([](Step& next) { next.inner /= 2; });
        if (step.after != After::nothing) of([](Step& next) { next.after = After::nothing; });
        if (step.after != After::nothing && step.after != After::barrier) of([](Step& next) { next.after = After::barrier; });
        if (step.construct != Construct::every_lane) of([](Step& next) { next.construct = Construct::every_lane; });
      }
    }
  }
  for (std::size_t a = 0; a != c.arrays.size(); ++a)
    if (c.arrays[a].alias_of < 0 && !is_scratch(c.arrays[a].place)) {
      if (c.arrays[a].filling != Filling::host) with([&](Case& next) { next.arrays[a].filling = Filling::host; });
      if (c.arrays[a].filling != Filling::none) with([&](Case& next) { next.arrays[a].filling = Filling::none; });
    }
  return all;
}

}  // namespace

Case shrink(Case const& c, std::function<bool(Case const&)> const& fails, int tries) {
  Case least = c;
  for (bool less = true; less && tries > 0;) {
    less = false;
    for (Case const& next : smaller(least)) {
      if (--tries < 0) break;
      if (!fails(next)) continue;
      least = next;
      less = true;
      break;
    }
  }
  return least;
}

}  // namespace property::bytes
