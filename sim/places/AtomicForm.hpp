// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The atomic that stands for a plain update: what a person types instead of it. Decided from the text of the line and the
/// column of the operator, as compilers record it for the store; an update that is spelt otherwise has none.
#pragma once

#include <string>
#include <string_view>

namespace teamsan {

/// "Kokkos::atomic_inc(&h(b))" for `h(b)++;`, "Kokkos::atomic_fetch_inc(&n())" for `int const i = n()++;`. `column`: from 1.
/// Empty: not known.
std::string atomic_form(std::string_view line, unsigned column);

/// An update that the line holds, by which a value is read, changed and stored again: `h(b) += w`, `m() = max(m(), x)`.
struct UpdateOfLine {
  bool found = false;
  std::string form = {};  ///< as atomic_form gives it; empty: not known
  bool counts = false;    ///< by a number: `n() += 1`, `n()++`
  std::string_view like = "atomic_add";  ///< what it is of the kind of, where the form is not known
};
/// The one that a load or a store in that column is part of.
UpdateOfLine update_at(std::string_view line, unsigned column);

}  // namespace teamsan
