// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which member of a struct a byte belongs to, by the types in a compilation unit's debug information. It cannot tell where
/// there are none (-g1), nor what shares its bytes with others: a bit field, a member of a union.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace teamsan {

/// "position[1]" or "box.low" for that byte of a struct of that name and size; empty: not known, or types that are called so
/// differ there. The name may be qualified, the struct is known by its last part.
std::string field_of_type(Dwarf_Die unit, std::string_view type, std::uint32_t bytes, std::uint32_t byte);

/// "ns::Particle" of a function of Kokkos::View<ns::Particle*[3], ...>; empty: it is none.
std::string element_of_view(std::string_view function);

}  // namespace teamsan
