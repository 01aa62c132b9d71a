// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// --budget: how much checking a run may have. A kernel's first launch is always checked; what it took is made good before
/// others are.
#pragma once

#include "LaunchSequence.hpp"

#include <chrono>
#include <cstdint>

namespace teamsan {

/// `--budget 2x`, in costs that are counted (LaunchCost.hpp). Each launch brings its kernel, and the program, a part of what it
/// costs plain; a checked one takes what checking it costs. So each kernel is checked at a rate of its own, and one that the
/// program launches seldom is paid for by the others. A kernel's launch in a new shape goes before its turn.
class CostBudget {
 public:
  using Cost = std::int64_t;
  /// 200: 2x.
  explicit CostBudget(std::uint64_t hundredths) : m_hundredths(static_cast<Cost>(hundredths) - 100) {}

  /// The kernel's next launch: is it to be checked? `account`: the kernel's, 0 at first.
  bool allows(Cost& account, std::uint64_t plain, std::uint64_t checking, LaunchSequence::Turn const& turn);
  /// A launch that was checked took that, and not what had been thought.
  void correct(Cost& account, std::uint64_t thought, std::uint64_t took);

 private:
  Cost m_hundredths;  ///< of the plain cost, for checking
  Cost m_all = 0;
};

/// `--budget 10min`: the time that checked launches take together. Launches that are due by their sequence go first, while
/// there is any time; of what is left, half is for the others, in equal parts by kernels.
class TimeBudget {
 public:
  using Time = std::chrono::nanoseconds;
  struct Account {
    Time spent{0}, latest{0};  ///< on all launches of the kernel that were checked, and on the last of them
  };
  explicit TimeBudget(Time limit) : m_left(limit) {}

  bool allows(Account& account, LaunchSequence::Turn const& turn);
  void spend(Account& account, Time time);

 private:
  Time m_left;
  std::int64_t m_kernels = 0;
};

}  // namespace teamsan
