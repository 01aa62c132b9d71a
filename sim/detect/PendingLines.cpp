// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PendingLines.hpp"

#include "../memory/TeamShadow.hpp"

#include <algorithm>
#include <utility>

namespace teamsan::detect {

Mask mask_of(std::uintptr_t line, std::uintptr_t begin, std::uintptr_t end) {
  std::uintptr_t const start = line * Line::bytes;
  std::uintptr_t const from = std::max(begin, start) - start, to = std::min(end, start + Line::bytes) - start;
  Mask const below = to == Line::bytes ? ~Mask{0} : (Mask{1} << to) - 1;
  return below & ~((Mask{1} << from) - 1);
}

void Footprint::add(Footprint const& other) {
  // Of one launch, the first team's stands for all; of several, the latest's.
  auto const stands_for = [](PendingAccess const& a, PendingAccess const& b) {
    if (a.work == nullptr || b.work == nullptr) return a.work != nullptr;
    return a.work == b.work ? a.is_before(b) : a.work->turn > b.work->turn;
  };
  if (stands_for(other.write, write)) write = other.write;
  if (stands_for(other.reader, reader)) reader = other.reader;
  written |= other.written;
  read |= other.read;
  atomic_written |= other.atomic_written;
  atomic_read |= other.atomic_read;
}

Footprint::Conflict Footprint::conflict(Mask bytes, bool writes, bool atomic) const {
  if (Mask const theirs = bytes & (written | (atomic ? 0 : atomic_written)); theirs != 0)
    return {theirs, true, (theirs & written) == 0, &write};
  Mask const theirs = writes ? bytes & (read | (atomic ? 0 : atomic_read)) : 0;
  return {theirs, false, (theirs & read) == 0, &reader};
}

FootprintTable::Stretch& FootprintTable::of_stretch(std::uintptr_t stretch) {
  if (stretch == m_latest) return *m_of_latest;
  std::unique_ptr<Stretch>& there = m_stretches[stretch];
  if (there == nullptr) there = std::make_unique<Stretch>();
  m_latest = stretch;
  m_of_latest = there.get();
  return *there;
}

void FootprintTable::add(FootprintTable&& later) {
  m_stretches.merge(later.m_stretches);
  for (auto const& [stretch, theirs] : later.m_stretches) {  // those that were there before
    Stretch& mine = *m_stretches.find(stretch)->second;
    for (std::size_t i = 0; i != lines; ++i)
      if (!(*theirs)[i].empty()) mine[i].add((*theirs)[i]);
  }
  later = {};
}

void Extent::add(std::uintptr_t line, bool writes) {
  (writes ? written_from : read_from) = std::min(writes ? written_from : read_from, line);
  (writes ? written_to : read_to) = std::max(writes ? written_to : read_to, line);
}
void Extent::add(Extent const& other) {
  written_from = std::min(written_from, other.written_from);
  written_to = std::max(written_to, other.written_to);
  read_from = std::min(read_from, other.read_from);
  read_to = std::max(read_to, other.read_to);
}
bool Extent::may_meet(std::uintptr_t first_line, std::uintptr_t last_line, bool writes) const {
  if (first_line <= written_to && written_from <= last_line) return true;
  return writes && first_line <= read_to && read_from <= last_line;
}

}  // namespace teamsan::detect
