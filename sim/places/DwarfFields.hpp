// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which member of a struct a byte belongs to, by the types in a compilation unit's debug information. It cannot tell where
/// there are none (-g1), nor what shares its bytes with others: a bit field, a member of a union.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace teamsan {

/// The structs of a compilation unit, by name. Found once: a walk through a large unit takes a tenth of a second and more, and
/// each finding asks.
class StructsOfUnit {
 public:
  explicit StructsOfUnit(Dwarf_Die unit) { add(&unit); }

  /// "position[1]" or "box.low" for that byte of a struct of that name and size; empty: not known, or types that are called so
  /// differ there. The name may be qualified, the struct is known by its last part.
  std::string field(std::string_view type, std::uint32_t bytes, std::uint32_t byte);

 private:
  void add(Dwarf_Die* parent);
  std::unordered_multimap<std::uint64_t, Dwarf_Die> m_structs;
};

/// "ns::Particle" of a function of Kokkos::View<ns::Particle*[3], ...>; empty: it is none.
std::string element_of_view(std::string_view function);

}  // namespace teamsan
