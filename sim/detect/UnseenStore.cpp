// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UnseenStore.hpp"

#include "../trace/Answers.hpp"

#include <algorithm>

namespace teamsan::detect {

Cell const& cell_at(Team& team, bool scratch, std::uintptr_t a) {
  if (scratch) {
    Cell const& word = *Scratch::cells_at(a);
    return word.write.who == who::bytewise ? team.scratch().split(a).first[a % Line::bytes] : word;
  }
  Line const& line = team.shadow().line(a);
  return line.per_byte ? line.per_byte->first[a % Line::bytes] : line.first[a / 4 % Line::words];
}

namespace {

/// Another team may write the byte just now: then either value will do (see end_launch).
unsigned char byte_at(std::uintptr_t address) {
  return __atomic_load_n(reinterpret_cast<unsigned char const*>(address), __ATOMIC_RELAXED);
}

std::uintptr_t look(Team& team, Access const& access, Target const& target) {
  std::uintptr_t begin = target.address, end = access.address + access.bytes;
  if (target.scratch) {
    ScratchPiece const* const piece = team.scratch().piece_near(begin);
    if (piece == nullptr) return 0;
    begin = std::max(begin & ~(Line::bytes - 1), piece->begin);
    end = std::min((end + Line::bytes - 1) & ~(Line::bytes - 1), piece->begin + piece->bytes);
  }
  for (std::uintptr_t a = begin; a < end; ++a)
    if (byte_at(a) != (target.scratch ? Scratch::first_value(a) : 0) && cell_at(team, target.scratch, a).write.who == 0)
      return a;
  return 0;
}

}  // namespace

std::uintptr_t unseen_store(Team& team, Access const& access, Target const& target) {
  return trace::ask(trace::EventKind::unseen_store, {}, [&]() -> std::optional<trace::Answer> {
           std::uintptr_t const found = look(team, access, target);
           return found == 0 ? std::nullopt : std::optional(trace::Answer{found});
         }).operand;
}

}  // namespace teamsan::detect
