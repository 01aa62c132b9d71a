// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches of a kernel are looked at, what a budget lets through, and how launches are dealt out to shards.
#include "../../sim/findings/KernelLaunches.hpp"
#include "../../sim/host/CheckBudget.hpp"
#include "../../sim/host/DealtLaunches.hpp"
#include "../../sim/host/LaunchCost.hpp"
#include "../../sim/host/LaunchSequence.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

using namespace teamsan;
using Numbers = std::vector<std::uint64_t>;

namespace {

/// Those of so many launches that are due, their shapes being `shape(n)`.
template <class Shape>
Numbers due(std::uint64_t launches, Shape shape) {
  LaunchSequence sequence;
  Numbers numbers;
  for (std::uint64_t n = 1; n <= launches; ++n)
    if (sequence.next(shape(n)).due) numbers.push_back(n);
  return numbers;
}

/// What checking `launches` of a kernel took, of which each costs `plain`, and checking one `checking`.
std::uint64_t checked_of(CostBudget& budget, std::uint64_t launches, std::uint64_t plain, std::uint64_t checking) {
  LaunchSequence sequence;
  CostBudget::Cost account = 0;
  std::uint64_t checked = 0;
  for (std::uint64_t n = 0; n != launches; ++n) checked += budget.allows(account, plain, checking, sequence.next(1));
  return checked;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_shape_is_looked_at_ever_more_rarely) {
  BOOST_TEST((due(100, [](auto) { return 7; }) == Numbers{1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64}));
}

BOOST_AUTO_TEST_CASE(two_shapes_by_turns_are_both_looked_at) {
  Numbers const of_both = due(1000, [](auto n) { return n % 2; });
  auto const is_odd = [](std::uint64_t n) { return n % 2 == 1; };
  BOOST_TEST(std::ranges::count_if(of_both, is_odd) >= 10);
  BOOST_TEST(of_both.size() - std::ranges::count_if(of_both, is_odd) >= 10u);
}

BOOST_AUTO_TEST_CASE(another_shape_each_time_is_no_reason_to_look_at_all) {
  Numbers const of_many = due(10000, [](auto n) { return n; });
  BOOST_TEST(of_many.size() < 100u);
  BOOST_TEST(of_many.back() > 4000u);
}

BOOST_AUTO_TEST_CASE(a_kernel_gets_what_its_launches_bring) {
  CostBudget budget(200);
  // The first takes 9; each brings 1.
  std::uint64_t const checked = checked_of(budget, 900, 10, 90);
  BOOST_TEST(checked == 100u);
}

BOOST_AUTO_TEST_CASE(a_budget_of_1x_is_for_the_first_launches_alone) {
  CostBudget budget(100);
  BOOST_TEST(checked_of(budget, 1000, 10, 90) == 1u);
}

BOOST_AUTO_TEST_CASE(what_seldom_kernels_take_is_paid_for_by_the_others) {
  CostBudget budget(200);
  for (int kernel = 0; kernel != 10; ++kernel) BOOST_TEST(checked_of(budget, 1, 10, 90) == 1u);  // 800 short
  std::uint64_t const checked = checked_of(budget, 900, 10, 90);
  BOOST_TEST(checked == 91u);  // 9000 less 800, in 90s: 91
}

BOOST_AUTO_TEST_CASE(what_was_thought_is_put_right) {
  CostBudget budget(200);
  LaunchSequence sequence;
  CostBudget::Cost account = 0;
  BOOST_TEST(budget.allows(account, 10, 90, sequence.next(1)));
  budget.correct(account, 90, 900);
  std::uint64_t n = 2;
  while (!budget.allows(account, 10, 90, sequence.next(1))) ++n;
  BOOST_TEST(n == 99u);
}

BOOST_AUTO_TEST_CASE(a_new_shape_goes_before_its_turn) {
  CostBudget budget(200);
  checked_of(budget, 85, 10, 90);  // somebody has brought something
  LaunchSequence sequence;
  CostBudget::Cost account = 0;
  BOOST_TEST(budget.allows(account, 10, 20, sequence.next(1)));
  BOOST_TEST(!budget.allows(account, 10, 20, sequence.next(1)));
  BOOST_TEST(budget.allows(account, 10, 20, sequence.next(2)));
}

BOOST_AUTO_TEST_CASE(time_is_for_those_that_are_due_and_half_of_the_rest_for_others) {
  using namespace std::chrono_literals;
  TimeBudget budget(100s);
  TimeBudget::Account account;
  LaunchSequence sequence;
  Numbers checked;
  for (std::uint64_t n = 1; n <= 1000; ++n)
    if (budget.allows(account, sequence.next(1))) {
      budget.spend(account, 1s);
      checked.push_back(n);
    }
  BOOST_TEST(checked.size() > 30u);
  BOOST_TEST(checked.size() <= 100u);
  BOOST_TEST(checked.back() == 512u);  // there is time left for one that is due
  TimeBudget::Account other;
  LaunchSequence others;
  BOOST_TEST(budget.allows(other, others.next(1)));
}

BOOST_AUTO_TEST_CASE(shards_get_equal_loads) {
  DealtLaunches dealt(8);
  Numbers loads(8, 0);
  for (std::uint64_t n = 0; n != 1000; ++n) {
    std::uint64_t const cost = 10 + n * 7919 % 90;
    loads[dealt.deal(cost)] += cost;
  }
  auto const [least, most] = std::ranges::minmax(loads);
  BOOST_TEST(most <= least + 100);
}

BOOST_AUTO_TEST_CASE(launches_are_kept_in_runs) {
  KernelLaunches kernel{"k", "RangePolicy"};
  for (std::uint64_t n = 1; n <= 40; ++n) kernel.add(n <= 8 || n == 16 || n == 32, {4, 2, 10});
  BOOST_TEST(to_string(kernel.checked) == "1-8, 16, 32");
  BOOST_TEST(to_string(kernel.checked, 1) == "1-8 and 2 more");
  BOOST_TEST(kernel.launches == 40u);
  BOOST_TEST(kernel.launches_checked == 10u);
  BOOST_TEST(kernel.plain == 400u);
  BOOST_TEST(kernel.plain_checked == 100u);
}

BOOST_AUTO_TEST_CASE(costs_go_by_lanes_and_accesses) {
  LaunchConfig small, large;
  small.league_size = 4;
  large.league_size = 4000;
  small.team_size = large.team_size = 256;
  for (Unchecked const run : {Unchecked::as_checked, Unchecked::lane_by_lane, Unchecked::loop}) {
    BOOST_TEST(plain_cost(large, {}, run) > 100 * (plain_cost(small, {}, run) - plain_cost(LaunchConfig{}, {}, run)));
    BOOST_TEST(plain_cost(large, {1000, 1}, run) > 10 * plain_cost(large, {4, 1}, run));
    BOOST_TEST(checking_cost(large, {}, run) > plain_cost(large, {}, run));
  }
  // What costs less to run costs more to check, beside it.
  BOOST_TEST(plain_cost(large, {}, Unchecked::loop) * 5 < plain_cost(large, {}, Unchecked::as_checked));
}
