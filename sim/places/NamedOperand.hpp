// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an access' line calls the View that it indexes: `a` and its indices in `sum += a(row, 4) * x(c)`. Decided from the text
/// of the line and the column that the compiler recorded, which is the parenthesis' or the name's; of a pointer, an expression
/// or an index that spans lines nothing is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

struct NamedOperand {
  std::string name;                    ///< without what it is a member of; empty: not known
  std::vector<std::string> arguments;  ///< the indices as they are written
};

/// `column`: from 1.
NamedOperand operand_at(std::string_view line, unsigned column);

}  // namespace teamsan
