// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DwarfFields.hpp"

#include <dwarf.h>
#include <fmt/format.h>

#include <optional>

namespace teamsan {
namespace {

/// "ns::Pair<a::B, 2>" is called Pair<a::B, 2> in its namespace.
std::string_view last_part(std::string_view name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- != 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (depth == 0 && name[i] == ':') return name.substr(i + 1);
  }
  return name;
}

/// Compilers write the same template arguments with other blanks.
bool same_name(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  for (;; ++i, ++j) {
    while (i != a.size() && a[i] == ' ') ++i;
    while (j != b.size() && b[j] == ' ') ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (a[i] != b[j]) return false;
  }
}

std::optional<std::uint64_t> whole_number(Dwarf_Die* die, unsigned key) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, key, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return {};
  return value;
}

/// Without typedefs, const and the like.
bool type_of(Dwarf_Die* die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) != nullptr &&
         dwarf_peel_type(&type, &type) == 0;
}

bool is_struct(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type; }

std::string part_of_struct(Dwarf_Die* of, std::uint64_t byte);

/// ".x" or "[2][0]" of what lies behind a name; empty: the whole of it.
std::string part_of_value(Dwarf_Die* type, std::uint64_t byte) {
  int const tag = dwarf_tag(type);
  if (is_struct(tag)) {
    std::string const part = part_of_struct(type, byte);
    return part.empty() ? part : "." + part;
  }
  Dwarf_Die element, bound;
  Dwarf_Word all = 0, size = 0;
  if (tag != DW_TAG_array_type || !type_of(type, element) || dwarf_aggregate_size(type, &all) != 0 ||
      dwarf_aggregate_size(&element, &size) != 0 || size == 0 || dwarf_child(type, &bound) != 0)
    return {};
  std::string part;
  std::uint64_t rest = all;
  do {
    if (dwarf_tag(&bound) != DW_TAG_subrange_type) continue;
    std::optional<std::uint64_t> count = whole_number(&bound, DW_AT_count);
    if (!count)
      if (auto const last = whole_number(&bound, DW_AT_upper_bound)) count = *last + 1;
    if (!count || *count == 0) return part;
    rest /= *count;
    if (rest == 0) return part;
    part += fmt::format("[{}]", byte / rest);
    byte %= rest;
  } while (dwarf_siblingof(&bound, &bound) == 0);
  return part + part_of_value(&element, byte);
}

std::string part_of_struct(Dwarf_Die* of, std::uint64_t byte) {
  Dwarf_Die child;
  if (dwarf_child(of, &child) != 0) return {};
  do {
    int const tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    std::optional<std::uint64_t> const begin = whole_number(&child, DW_AT_data_member_location);
    Dwarf_Die type;
    Dwarf_Word size = 0;
    if (!begin || byte < *begin || !type_of(&child, type) || dwarf_aggregate_size(&type, &size) != 0 || byte - *begin >= size)
      continue;
    if (tag == DW_TAG_inheritance) {
      std::string part = part_of_struct(&type, byte - *begin);
      if (!part.empty()) return part;
      continue;  // an empty base, or its padding, which members may use
    }
    if (dwarf_hasattr(&child, DW_AT_bit_size)) return {};
    char const* const name = dwarf_diename(&child);
    std::string const part = part_of_value(&type, byte - *begin);
    if (name == nullptr) return part.empty() ? part : part.substr(1);  // an anonymous struct
    return name + part;
  } while (dwarf_siblingof(&child, &child) == 0);
  return {};
}

/// Of a name without blanks, and a size.
std::uint64_t key_of(std::string_view name, std::uint64_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ bytes;  // FNV-1a
  for (char const c : name)
    if (c != ' ') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::string element_of_view(std::string_view function) {
  for (std::string_view const view : {"Kokkos::View<", "Kokkos::BasicView<"}) {
    std::size_t const at = function.find(view);
    if (at == std::string_view::npos) continue;
    std::string_view rest = function.substr(at + view.size());
    int depth = 0;
    std::size_t end = 0;
    for (; end != rest.size() && (depth != 0 || (rest[end] != ',' && rest[end] != '>')); ++end) {
      if (rest[end] == '<' || rest[end] == '(') ++depth;
      if (rest[end] == '>' || rest[end] == ')') --depth;
    }
    rest = rest.substr(0, end);
    while (!rest.empty() && std::string_view("*[]0123456789 ").find(rest.back()) != std::string_view::npos)
      rest.remove_suffix(1);
    for (std::string_view const word : {" const", "const "}) {
      if (rest.ends_with(word)) rest.remove_suffix(word.size());
      if (rest.starts_with(word)) rest.remove_prefix(word.size());
    }
    return std::string(rest);
  }
  return {};
}

void StructsOfUnit::add(Dwarf_Die* parent) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    int const tag = dwarf_tag(&child);
    if (tag != DW_TAG_namespace && tag != DW_TAG_subprogram && tag != DW_TAG_lexical_block && !is_struct(tag)) continue;
    if (is_struct(tag))
      if (auto const bytes = whole_number(&child, DW_AT_byte_size))
        if (char const* const name = dwarf_diename(&child)) m_structs.emplace(key_of(name, *bytes), child);
    add(&child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::string StructsOfUnit::field(std::string_view type, std::uint32_t bytes, std::uint32_t byte) {
  std::string_view const name = last_part(type);
  auto const [first, last] = m_structs.equal_range(key_of(name, bytes));
  std::string found;
  for (auto it = first; it != last; ++it) {
    char const* const named = dwarf_diename(&it->second);
    if (named == nullptr || !same_name(named, name)) continue;
    std::string part = part_of_struct(&it->second, byte);
    if (!found.empty() && part != found) return {};
    if (!part.empty()) found = std::move(part);
  }
  return found;
}

}  // namespace teamsan
