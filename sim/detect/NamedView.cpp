// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NamedView.hpp"

#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../places/NamedOperand.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Mode.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace teamsan::detect {

namespace {

/// "solver.q" and "Mesh::q" are q's.
bool is_label_of(std::string_view label, std::string_view name) {
  if (!label.ends_with(name)) return false;
  if (label.size() == name.size()) return true;
  char const before = label[label.size() - name.size() - 1];
  return before == ':' || before == '.';
}

Allocation const* only_view_called(std::string_view name) {
  struct Search {
    std::string_view name;
    Allocation const* found = nullptr;
    unsigned number = 0;
  } search{name};
  for_each_allocation(
      [](Allocation const& a, void* context) {
        auto& s = *static_cast<Search*>(context);
        if (!a.shape.known() || !is_label_of(a.label, s.name)) return;
        s.found = &a;
        ++s.number;
      },
      &search);
  return search.number == 1 ? search.found : nullptr;
}

/// The column may be that of a call that an element is handed to: `pressure(w(m, 4, i))`. The operand is that element then.
Allocation const* only_view_handed(NamedOperand& operand) {
  Allocation const* only = nullptr;
  NamedOperand element;
  for (std::string const& argument : operand.arguments) {
    if (!argument.ends_with(')')) continue;
    NamedOperand const inner = operand_at(argument, 1);
    Allocation const* const view = inner.name.empty() ? nullptr : only_view_called(inner.name);
    if (view == nullptr) continue;
    if (only != nullptr) return nullptr;
    only = view;
    element = inner;
  }
  if (only != nullptr) operand = element;
  return only;
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// "(0, 4, 63)", where the line gives an index that is none of the View's; empty: it gives no such.
std::string index_by_numbers(Shape const& shape, std::int64_t byte, std::vector<std::string> const& arguments) {
  if (arguments.size() != shape.rank || shape.rank > Shape::max_rank || byte % shape.element_bytes != 0) return {};
  std::int64_t rest = byte / shape.element_bytes, index[Shape::max_rank] = {};
  bool beyond = false;
  std::vector<unsigned> open;
  for (unsigned i = 0; i != shape.rank; ++i) {
    std::optional<std::int64_t> const number = number_of(arguments[i]);
    if (!number) {
      open.push_back(i);
      continue;
    }
    index[i] = *number;
    rest -= *number * static_cast<std::int64_t>(shape.strides[i]);
    beyond = beyond || *number < 0 || static_cast<std::uint64_t>(*number) >= shape.extents[i];
  }
  if (!beyond) return {};
  std::ranges::stable_sort(open, [&](unsigned a, unsigned b) { return shape.strides[a] > shape.strides[b]; });
  for (unsigned const i : open) {
    if (shape.strides[i] == 0 || rest < 0) return {};
    index[i] = rest / static_cast<std::int64_t>(shape.strides[i]);
    if (static_cast<std::uint64_t>(index[i]) >= shape.extents[i]) return {};
    rest -= index[i] * static_cast<std::int64_t>(shape.strides[i]);
  }
  return rest == 0 ? fmt::format("({})", fmt::join(index, index + shape.rank, ", ")) : std::string();
}

/// "(-1, 0)", where the line takes something from one index alone, or adds to it, and that one has left its extent.
std::string index_by_terms(Shape const& shape, std::int64_t byte, std::vector<std::string> const& arguments) {
  if (arguments.size() != shape.rank || shape.rank < 2 || shape.rank > Shape::max_rank || byte % shape.element_bytes != 0)
    return {};
  char const sign = byte < 0 ? '-' : '+';
  unsigned changed = shape.rank;
  std::vector<unsigned> others;
  for (unsigned i = 0; i != shape.rank; ++i) {
    if (arguments[i].find(sign) == std::string::npos) {
      others.push_back(i);
    } else {
      if (changed != shape.rank) return {};
      changed = i;
    }
  }
  if (changed == shape.rank) return {};
  std::ranges::stable_sort(others, [&](unsigned a, unsigned b) { return shape.strides[a] > shape.strides[b]; });
  constexpr std::int64_t farthest = 16;
  std::int64_t index[Shape::max_rank] = {};
  for (std::int64_t away = 0; away != farthest; ++away) {
    index[changed] = byte < 0 ? -1 - away : static_cast<std::int64_t>(shape.extents[changed]) + away;
    std::int64_t rest = byte / static_cast<std::int64_t>(shape.element_bytes) -
                        index[changed] * static_cast<std::int64_t>(shape.strides[changed]);
    bool const inside = rest >= 0 && std::ranges::all_of(others, [&](unsigned i) {
                          if (shape.strides[i] == 0) return false;
                          index[i] = rest / static_cast<std::int64_t>(shape.strides[i]);
                          rest -= index[i] * static_cast<std::int64_t>(shape.strides[i]);
                          return static_cast<std::uint64_t>(index[i]) < shape.extents[i];
                        });
    if (inside && rest == 0) return fmt::format("({})", fmt::join(index, index + shape.rank, ", "));
  }
  return {};
}

std::string index_as_written(Shape const& shape, std::int64_t byte, NamedOperand const& operand) {
  if (!shape.known()) return {};
  std::string const by_numbers = index_by_numbers(shape, byte, operand.arguments);
  return by_numbers.empty() ? index_by_terms(shape, byte, operand.arguments) : by_numbers;
}

NamedOperand operand_of(Access const& access, std::vector<Site> const& callers) {
  Place const place = user_place(access.site, callers);
  if (!place.known() || place.internal) return {};
  return operand_at(source_line(place.path, place.line), place.column);
}

/// The address as an element outside of the View, which the line indexes.
Data outside(Allocation const& view, Access const& access, NamedOperand const& operand, std::uintptr_t address) {
  auto const offset = static_cast<std::int64_t>(address - view.data());
  Data data;
  data.kind = Data::Kind::view;
  data.address = address;
  data.label = view.label;
  data.offset = address - view.data();
  data.bytes = view.bytes - view.header_bytes;
  data.allocated = view.calls;
  data.element_bytes = access.bytes;
  data.shape = to_string(view.shape);
  data.element_type = view.shape.type;
  data.element_size = view.shape.element_bytes;
  data.index = index_as_written(view.shape, offset, operand);
  if (data.index.empty()) data.index = index_beyond(view.shape, offset);
  if (!data.index.empty()) data.extents = extents_of(view.shape);
  return data;
}

/// 0: it is inside.
std::uintptr_t distance(Allocation const& view, std::uintptr_t address) {
  return address < view.data() ? view.data() - address : address >= view.end() ? address - view.end() + 1 : 0;
}

}  // namespace

bool is_entry_of_map(Access const& access, std::vector<Site> const& callers) {
  std::string const name = operand_of(access, callers).name;
  return name == "value_at" || name == "key_at";
}

std::string index_written(Access const& access, std::vector<Site> const& callers, std::uintptr_t address) {
  NamedOperand const operand = operand_of(access, callers);
  AllocationsHeld const held;
  Allocation const* view = find_allocation(address);
  if (view == nullptr) view = nearest_allocation(address);
  if (operand.name.empty() || view == nullptr) return {};
  return index_as_written(view->shape, static_cast<std::int64_t>(address - view->data()), operand);
}

std::optional<Data> named_view_left(Access const& access, std::vector<Site> const& callers, std::uintptr_t address) {
  NamedOperand operand = operand_of(access, callers);
  if (operand.name.empty()) return {};
  AllocationsHeld const held;
  Allocation const* view = only_view_called(operand.name);
  if (view == nullptr) view = only_view_handed(operand);
  if (view == nullptr || (address >= view->data() && address < view->end())) return {};
  return outside(*view, access, operand, address);
}

std::optional<Data> held_view_left(LaunchState const& launch, Access const& access, std::vector<Site> const& callers,
                                   std::uintptr_t address) {
  if (trace::recording()) return {};  // a replay does not know the functor
  NamedOperand const operand = operand_of(access, callers);
  AllocationsHeld const held;
  Allocation const* nearest = find_allocation(address);
  if (nearest != nullptr && (!nearest->live || distance(*nearest, address) == 0)) return {};
  if (nearest == nullptr) nearest = nearest_allocation(address);
  Allocation const* meant = nullptr;
  auto const* const functor = static_cast<std::byte const*>(launch.kernel);
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= launch.kernel_bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, functor + at, sizeof word);
    Allocation const* const view = find_allocation(word);
    if (view == nullptr) continue;
    if (view == nearest) return {};
    if (!view->live || !view->shape.known()) continue;
    if (meant == nullptr || distance(*view, address) < distance(*meant, address)) meant = view;
  }
  if (meant == nullptr || distance(*meant, address) == 0 || distance(*meant, address) >= meant->end() - meant->data())
    return {};
  return outside(*meant, access, operand, address);
}

}  // namespace teamsan::detect
