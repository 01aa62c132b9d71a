// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// --kernel-name, --kernel-regex, --kernel-name-exclude and --region: which kernels they name.
#include "../../sim/base/KernelNames.hpp"
#include "../../sim/base/Options.hpp"

#include <boost/test/unit_test.hpp>

using namespace teamsan;

namespace {

bool named(std::string const& options, std::string_view label, std::string_view region = "") {
  return KernelNames(parse_options(options)).match(label, region);
}

std::string mistake(std::string const& options) {
  try {
    parse_options(options);
  } catch (OptionError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_an_option_all_kernels_are_named) {
  BOOST_TEST(named("", "solve"));
  BOOST_TEST(named("", ""));
}

BOOST_AUTO_TEST_CASE(several_names_are_a_list) {
  std::string const options = "kernel_name=solve:kernel_name=halo*";
  for (char const* label : {"solve", "halo", "halo_pack"}) BOOST_TEST(named(options, label));
  for (char const* label : {"solver", "my_halo", ""}) BOOST_TEST(!named(options, label));
  BOOST_TEST(named(options + ":kernel_name=\"\"", "solver"));  // which begins anew
}

BOOST_AUTO_TEST_CASE(a_regular_expression_matches_anywhere) {
  BOOST_TEST(named("kernel_regex=ol(v|d)e", "solve_all"));
  BOOST_TEST(!named("kernel_regex=^ol", "solve"));
  BOOST_TEST(named("kernel_regex=^a$:kernel_name=b", "b"));
  BOOST_TEST(named("kernel_name='regex:^s.*e$'", "solve"));
}

BOOST_AUTO_TEST_CASE(what_is_excluded_is_not_named) {
  BOOST_TEST(!named("kernel_name_exclude=halo*", "halo_pack"));
  BOOST_TEST(named("kernel_name_exclude=halo*", "solve"));
  BOOST_TEST(!named("kernel_name=halo*:kernel_name_exclude=*pack:kernel_name_exclude=*unpack", "halo_pack"));
  BOOST_TEST(named("kernel_name=halo*:kernel_name_exclude=*pack", "halo_send"));
}

BOOST_AUTO_TEST_CASE(words_of_compute_sanitizer_are_understood) {
  BOOST_TEST(named("kernel_name=kns=olv", "solve"));
  BOOST_TEST(!named("kernel_name=kns=o*v", "solve"));
  BOOST_TEST(named("kernel_name=kne=a[0]", "a[0]"));
  BOOST_TEST(!named("kernel_name=kne=olv", "solve"));
  BOOST_TEST(mistake("kernel_regex=kns=olv") ==
             "kernel_regex takes a regular expression; kns=olv is what kernel_name takes");
}

BOOST_AUTO_TEST_CASE(a_region_is_one_of_those_around_the_launch) {
  for (char const* region : {"step", "step > solve", "main > step > solve"}) BOOST_TEST(named("region=step", "k", region));
  for (char const* region : {"", "steps", "main > my step"}) BOOST_TEST(!named("region=step", "k", region));
  BOOST_TEST(named("region=st*:region=io", "k", "main > io"));
  BOOST_TEST(!named("region=step:kernel_name=other", "k", "step"));
}

BOOST_AUTO_TEST_CASE(an_expression_that_is_none_is_refused) {
  BOOST_TEST(mistake("kernel_regex='a('").starts_with("kernel_regex=a( is no extended regular expression: "));
  BOOST_TEST(mistake("kernel_name='regex:['").starts_with("kernel_name=[ is no extended regular expression: "));
}
