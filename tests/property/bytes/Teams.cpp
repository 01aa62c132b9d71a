// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Teams.hpp"

#include <algorithm>

namespace property::bytes {

Kernel make_team(Dice& dice, int longest_vector) {
  Kernel k;
  k.policy = dice.chance(80) ? Policy::team_for : Policy::team_reduce;
  k.vector = dice.one_of({1, 1, 2, 4, 8, 16, 32});
  k.vector = std::min(k.vector, longest_vector);
  int const most = std::min(dice.chance(90) ? 96 : 512, 1024) / k.vector;
  k.team = dice.between(1, std::max(1, most));
  k.league = dice.chance(30) ? 1 : dice.chance(70) ? dice.between(2, 5) : dice.between(6, 14);
  return k;
}

Step make_step(Kernel const& k, Dice& dice) {
  Step step;
  step.construct = static_cast<Construct>(dice.below(constructs));
  step.count = dice.between(1, std::max(1, std::min(k.team * 2, 70)));
  step.inner = dice.between(1, std::max(1, std::min(k.vector * 2, 20)));
  switch (step.construct) {
    case Construct::vector_range:
    case Construct::vector_reduce:
    case Construct::vector_scan:
      step.count = dice.between(1, k.vector * 2);
      break;
    case Construct::team_vector_range:
    case Construct::team_vector_reduce:
      step.count = dice.between(1, k.team * k.vector * 2);
      break;
    case Construct::vector_md:
      step.count = dice.between(1, 3);
      break;
    default:
      break;
  }
  step.final_only = dice.chance(60);
  step.after = dice.chance(50)   ? After::barrier
               : dice.chance(60) ? After::nothing
                                 : dice.one_of({After::reduce, After::scan, After::broadcast});
  return step;
}

std::uint32_t items_of(Kernel const& k, Step const& s) {
  int n = 1;
  switch (s.construct) {
    case Construct::every_lane:
      n = k.team * k.vector;
      break;
    case Construct::every_thread:
    case Construct::single_thread:
    case Construct::single_thread_value:
      n = k.team;
      break;
    case Construct::single_team:
    case Construct::single_team_value:
      n = 1;
      break;
    case Construct::vector_range:
    case Construct::vector_reduce:
    case Construct::vector_scan:
      n = k.team * s.count;
      break;
    case Construct::vector_md:
      n = k.team * s.count * s.inner;
      break;
    case Construct::thread_vector:
    case Construct::thread_md:
    case Construct::team_vector_md:
      n = s.count * s.inner;
      break;
    case Construct::thread_range:
    case Construct::thread_single:
    case Construct::team_vector_range:
    case Construct::thread_reduce:
    case Construct::team_vector_reduce:
    case Construct::thread_scan:
      n = s.count;
      break;
  }
  return static_cast<std::uint32_t>(n);
}

int fill_scratch(std::vector<Array> const& arrays, Kernel& k, Dice& dice) {
  std::size_t s = 0;
  for (std::size_t a = 0; a != arrays.size() && s != 3; ++a) {
    Array const& array = arrays[a];
    if (!is_scratch(array.place) || dice.chance(15)) continue;
    Operation& o = k.operations[s];
    o = {};
    o.deed = dice.one_of({Deed::write, Deed::any_set, Deed::view_write});
    o.bytes = 8;
    o.array = static_cast<std::int8_t>(a);
    o.map.stride = 8;
    o.map.modulus = static_cast<std::uint32_t>(array.bytes / 8);
    Step& step = k.steps[s];
    step = {};
    step.construct = is_per_thread(array.place) ? Construct::vector_range : Construct::team_vector_range;
    step.count = array.bytes / 8;
    step.after = dice.chance(95) ? After::barrier : After::nothing;
    ++s;
  }
  return static_cast<int>(s);
}

}  // namespace property::bytes
