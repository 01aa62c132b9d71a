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

/// Is a function of that name what the host makes of an update that a GPU has an instruction for: a loop, or a lock of Kokkos'
/// own? What stands in it, in line or not, tells nothing. Whether it is Kokkos' or desul's function, each plug-in asks besides.
constexpr bool is_update_of_host(std::string_view name) {
  constexpr std::string_view begins = "host_atomic_", letters = "abcdefghijklmnopqrstuvwxyz_";
  if (name.substr(0, begins.size()) != begins) return false;
  return name.substr(0, name.find_first_not_of(letters)).find("oper") != std::string_view::npos;
}
/// The same of a name as the assembler has it, which says whose the function is: the length of its own stands before it.
constexpr bool is_mangled_update_of_host(std::string_view name) {
  if (name.substr(0, 9) != "_ZN5desul" && name.substr(0, 10) != "_ZN6Kokkos") return false;
  std::string_view::size_type const at = name.find("host_atomic_");
  return at != std::string_view::npos && name[at - 1] >= '0' && name[at - 1] <= '9' && is_update_of_host(name.substr(at));
}
static_assert(is_update_of_host("host_atomic_fetch_oper") && is_update_of_host("host_atomic_oper_fetch<double>"));
static_assert(!is_update_of_host("host_atomic_exchange") && !is_update_of_host("host_atomic_load<oper>") &&
              !is_update_of_host("my_host_atomic_fetch_oper"));
static_assert(is_mangled_update_of_host("_ZN5desul4Impl22host_atomic_fetch_operINS0_11_max_fetch") &&
              !is_mangled_update_of_host("_ZN4mine22host_atomic_fetch_operEv") &&
              !is_mangled_update_of_host("_ZN5desul4Impl20host_atomic_exchangeIiEE"));

}  // namespace teamsan_plugin
