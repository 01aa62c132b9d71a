// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By what a lane may tell another one that something is done: fences, atomics but for updates that somebody only adds to, what
/// is volatile. A range in which there is any is judged team by team (sim/host/Launch.cpp). Which statement is what, each
/// plug-in says in its compiler's terms (gcc/HandOvers.cpp, llvm/HandOvers.cpp).
#pragma once

#include <string_view>

namespace teamsan_plugin {

enum class Telling {
  nothing,
  fence,
  update,   ///< an addition, say
  atomic,   ///< any other: a load, a store, an exchange
  strange,  ///< through what is volatile, but for a variable of the lane's own whose address nobody has
};

constexpr bool may_tell(Telling what, bool relaxed) {
  switch (what) {
    case Telling::nothing: return false;
    case Telling::fence:
    case Telling::update: return !relaxed;
    case Telling::atomic:
    case Telling::strange: break;
  }
  return true;
}

/// Is a function of that name, as it is written or as the assembler has it, what the host makes of an update that a GPU has an
/// instruction for: a loop, or a lock of Kokkos' own? What stands in it, in line or not, tells nothing.
constexpr bool is_update_of_host(std::string_view name) {
  constexpr std::string_view begins = "host_atomic_", letters = "abcdefghijklmnopqrstuvwxyz_";
  std::string_view::size_type const at = name.find(begins);
  if (at == std::string_view::npos) return false;
  name.remove_prefix(at);
  return name.substr(0, name.find_first_not_of(letters)).find("oper") != std::string_view::npos;
}
static_assert(is_update_of_host("host_atomic_fetch_oper") && is_update_of_host("host_atomic_oper_fetch<double>"));
static_assert(is_update_of_host("_ZN5desul4Impl22host_atomic_fetch_operINS0_11_max_fetch") &&
              !is_update_of_host("host_atomic_exchange") && !is_update_of_host("host_atomic_load<oper>"));

}  // namespace teamsan_plugin
