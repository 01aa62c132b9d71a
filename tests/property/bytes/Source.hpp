// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A case as a program of its own: what a person would compile to see it, and what compilers make of such kernels.
#pragma once

#include "Case.hpp"
#include "Machine.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace property::bytes {

struct Source {
  std::string text;
  std::map<unsigned, std::pair<int, int>> operations;  ///< kernel and slot by line
};

/// Each operation stands at a line. Compiled with -DTOGETHER, compilers may move and join accesses of neighbouring lines, as
/// they do in users' kernels: then fewer of them are left.
Source source_of(Case const& c, std::uint64_t seed);

/// What a JSON report of that program tells. Throws what is wrong with the file.
std::vector<Found> findings_of_report(std::string const& file, Case const& c, Source const& source);

}  // namespace property::bytes
