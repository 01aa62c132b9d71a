// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations at random, on arrays in which an item has an element of its own.
#pragma once

#include "../Dice.hpp"
#include "Case.hpp"
#include "Generator.hpp"

#include <cstdint>
#include <vector>

namespace property::bytes {

class Operations {
 public:
  /// `element`: bytes of what an item has for itself; so many operations in a hundred are spoilt: items meet there.
  Operations(Dice& dice, Choice const& choice, int element, int spoilt)
      : m_dice(dice), m_choice(choice), m_team(choice.sort == Sort::team), m_element(element), m_wild(spoilt) {}

  /// Of that slot of the kernel, where there are so many items.
  Operation make(std::vector<Array> const& arrays, Kernel const& k, std::uint32_t items, int slot);

 private:
  void form(Operation& o);
  void spoil(Operation& o, std::uint32_t items);
  void keep_inside(Operation& o, Array const& array, Kernel const& k);

  Dice& m_dice;
  Choice const& m_choice;
  bool m_team;
  int m_element;
  int m_wild;
};

}  // namespace property::bytes
