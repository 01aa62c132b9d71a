// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables by the whole symbol tables of the loaded modules.
#include "../../sim/places/Sites.hpp"
#include "../../sim/places/StaticData.hpp"

#include "../../sim/places/Modules.hpp"
#include "../../sim/places/Symbolizer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

double far_into_bss[131072];
static int of_this_file = 3;

namespace {

std::uintptr_t address_of(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

BOOST_AUTO_TEST_CASE(names_hang_on_nothing_that_was_looked_up) {
  auto const check = [] {
    for (std::size_t const i : {std::size_t{0}, std::size_t{70'000}, std::size_t{131'071}}) {
      BOOST_TEST(teamsan::static_variable(address_of(far_into_bss + i)).ends_with("far_into_bss"));
      BOOST_TEST(teamsan::variable_at(address_of(far_into_bss + i)).ends_with("far_into_bss"));
      BOOST_TEST(!teamsan::static_span(address_of(far_into_bss + i)).may_be_constant);
    }
    BOOST_TEST(teamsan::static_span(address_of(far_into_bss + 7)).begin == address_of(far_into_bss));
    // AddressSanitizer puts room behind it.
    BOOST_TEST(teamsan::static_span(address_of(far_into_bss + 7)).end >= address_of(far_into_bss + 131'072));
    BOOST_TEST(teamsan::static_variable(address_of(&of_this_file)).ends_with("of_this_file"));
  };
  check();
  BOOST_TEST(!teamsan::frames_of(teamsan::site_of(reinterpret_cast<std::uintptr_t>(&teamsan::frames_of) + 8)).empty());
  check();
}

BOOST_AUTO_TEST_CASE(what_is_no_variable_has_no_name) {
  std::vector<int> const of_the_heap(4);
  BOOST_TEST(teamsan::static_variable(address_of(of_the_heap.data())) == "");
  BOOST_TEST(teamsan::module_begin(address_of(of_the_heap.data())) == 0u);
  BOOST_TEST(teamsan::module_begin(address_of(far_into_bss)) != 0u);
  BOOST_TEST(teamsan::module_begin(address_of(far_into_bss)) < address_of(far_into_bss));
}

BOOST_AUTO_TEST_CASE(locks_that_a_backend_tells_of) {
  static int locks[1024];
  BOOST_TEST(!teamsan::is_kokkos_lock(address_of(locks + 1023)));
  teamsan::note_kokkos_locks(locks, sizeof locks);
  BOOST_TEST(teamsan::is_kokkos_lock(address_of(locks)));
  BOOST_TEST(teamsan::is_kokkos_lock(address_of(locks + 1023)));
  BOOST_TEST(!teamsan::is_kokkos_lock(address_of(locks + 1024)));
  BOOST_TEST(!teamsan::is_kokkos_lock(address_of(far_into_bss)));
}
