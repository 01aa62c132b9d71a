// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The file of strain increments: a line of names, then one line for each integration point:
/// xx,yy,zz,xy,yz,zx (tensor components, not engineering shear) and the angle in radian by which the
/// material's axes are turned about z.
#pragma once

#include <string>
#include <vector>

namespace material {

inline constexpr char const* increments_header = "xx,yy,zz,xy,yz,zx,angle";

struct Increment {
  double strain[6];
  double angle;
};

/// Throws std::runtime_error, with the line, for a file that cannot be read or holds anything else.
std::vector<Increment> read_increments(std::string const& file);

}  // namespace material
