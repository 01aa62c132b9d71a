// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was found in cases, in a file: shards are judged together, and runs held against one another.
#pragma once

#include "Machine.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace property::bytes {

using Record = std::map<std::uint64_t, std::vector<Found>>;  ///< by the case's seed

/// Throws what was wrong with the file.
Record read_record(std::string const& path);
void write_record(std::string const& path, Record const& record);

/// The same findings with the same lines, lanes and bytes, in whatever order. Two things hang on which team came first
/// (docs/soundness.md): whether one atomic saw another, and with it under which of two rules the race of a word is told; and
/// whether a maximum replaced something or was a load alone. Of two lines that either run tells of as an unfenced hand-over, or
/// of an atomic that loads, their race is what must be the same, not its names, nor the word that stands for the others.
bool alike(std::vector<Found> const& a, std::vector<Found> const& b);

}  // namespace property::bytes
