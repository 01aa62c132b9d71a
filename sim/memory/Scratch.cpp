// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scratch.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace teamsan {

void Scratch::reset(std::uint32_t slot, bool touched) {
  m_touched = touched;
  m_begin = m_next = arena::scratch + slot * arena::scratch_slot_bytes;
  m_pieces.clear();
  m_names.clear();
  m_refused.clear();
  m_by_offset.clear();
  m_bytes.clear();
}

ScratchPiece const& Scratch::obtain(int level, bool per_thread, std::uint32_t thread, std::size_t device_offset,
                                    std::size_t bytes, std::size_t alignment, Site site) {
  std::size_t const key = device_offset * 2 + static_cast<std::size_t>(level);
  if (auto const found = m_by_offset.find(key); found != m_by_offset.end()) {
    ScratchPiece& piece = m_pieces[found->second];
    if (bytes > piece.bytes && found->second + 1 == m_pieces.size()) {  // asked for again, longer
      make_new(piece.begin + piece.bytes, bytes - piece.bytes);
      piece.bytes = bytes;
      m_next = std::max(m_next, piece.begin + bytes + gap);
      fill(piece.begin + bytes, m_next - (piece.begin + bytes), who::poison);
    }
    return piece;
  }
  std::uintptr_t begin = m_next + gap;
  begin += (device_offset - begin) % 256;
  if (alignment != 0 && device_offset % alignment == 0)
    for (std::size_t tried = 0; begin % alignment != 0 && tried != alignment; ++tried) begin += 256;
  if (begin + bytes + gap > m_begin + arena::scratch_slot_bytes)
    throw std::runtime_error("teamsan: a team's scratch pieces and the gaps between them exceed 256 MiB");
  fill(m_next, begin - m_next, who::poison);
  make_new(begin, bytes);
  m_next = begin + bytes + gap;
  if (m_next > m_begin + arena::scratch_kept_in_core_files) arena::keep_in_core_files(begin, bytes);
  fill(begin + bytes, gap, who::poison);
  m_by_offset.emplace(key, m_pieces.size());
  return m_pieces.emplace_back(ScratchPiece{begin, bytes, device_offset, level, per_thread, thread, site, alignment});
}

void Scratch::make_new(std::uintptr_t address, std::size_t bytes) {
  fill(address, bytes, 0);
  if (!m_touched) return;
  std::uintptr_t const end = address + bytes;
  auto const single = [&](std::uintptr_t until) {
    for (; address < until; ++address) *reinterpret_cast<unsigned char*>(address) = first_value(address);
  };
  single(std::min((address + 7) & ~std::uintptr_t{7}, end));
  std::fill_n(reinterpret_cast<std::uint64_t*>(address), (end - address) / 8, first_word);
  address += (end - address) / 8 * 8;
  single(end);
}

void Scratch::fill(std::uintptr_t address, std::size_t bytes, Who value) {
  std::uintptr_t const end = address + bytes;
  Cell const filled{{Site{}, value}, {Site{}, value}};
  while (address < end) {
    // Ends that are no multiple of four, and lines that already keep bytes, are filled byte by byte.
    ByteLine* line = bytes_of(address);
    if (!line && (address % 4 != 0 || end - address < 4)) line = &split(address);
    if (line) {
      line->first[address % Line::bytes] = filled;
      ++address;
    } else {
      *cells_at(address) = filled;
      address += 4;
    }
  }
}

ByteLine* Scratch::bytes_of(std::uintptr_t address) {
  if (m_bytes.empty()) return nullptr;
  auto const found = m_bytes.find(address / Line::bytes);
  return found == m_bytes.end() ? nullptr : found->second.get();
}

ByteLine& Scratch::split(std::uintptr_t address) {
  auto& line = m_bytes[address / Line::bytes];
  if (!line) {
    line = std::make_unique<ByteLine>();
    std::uintptr_t const start = address & ~(Line::bytes - 1);
    split_cells(cells_at(start), seconds_at(start), Line::words, line->first, line->second);
  }
  return *line;
}

void Scratch::name(std::uintptr_t address, std::string_view name, Shape const& shape) {
  ScratchPiece const* const piece = piece_near(address);
  bool const inside = piece != nullptr && address - piece->begin < piece->bytes;
  if (inside && name_of(*piece) == nullptr) m_names.push_back({address, std::string(name), shape});
}

Scratch::Name const* Scratch::name_of(ScratchPiece const& piece) const {
  for (Name const& n : m_names)
    if (n.address - piece.begin < piece.bytes) return &n;
  return nullptr;
}

bool Scratch::has_refused(ScratchRequest const& request, Site site) const {
  constexpr std::size_t most = 64;  // more need no telling
  return m_refused.size() == most || std::ranges::any_of(m_refused, [&](RefusedScratch const& r) {
    return r.site == site && r.request.level == request.level && r.request.begin == request.begin &&
           r.request.bytes == request.bytes;
  });
}

RefusedScratch const* Scratch::refused_at(std::uintptr_t address) const {
  constexpr std::uintptr_t lowest_program = 0x400000;  // nothing lies below
  for (RefusedScratch const& r : m_refused)
    if (address < std::min<std::uintptr_t>(r.request.bytes, lowest_program)) return &r;
  return nullptr;
}

ScratchPiece const* Scratch::piece_near(std::uintptr_t address) const {
  auto const above = std::ranges::upper_bound(m_pieces, address, {}, &ScratchPiece::begin);  // laid one behind the other
  if (above != m_pieces.begin()) return &*std::prev(above);
  return is_before(address) ? &*above : nullptr;
}

}  // namespace teamsan
