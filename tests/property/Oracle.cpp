// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Oracle.hpp"

#include "Fold.hpp"
#include "Ledger.hpp"
#include "Semantics.hpp"
#include "TeamWalk.hpp"

#include <algorithm>
#include <utility>

namespace property {

using teamsan::Rule;

namespace {

/// A kernel without teams: every item is a lane of its own, and nothing orders two of them.
std::uint64_t walk_flat(Kernel const& kernel, Ledger& ledger) {
  Statement const& s = kernel.body.at(0);
  Leaf const& leaf = s.leaf;
  bool const reduces = s.kind == Kind::range_reduce || s.kind == Kind::md_range_reduce;
  Fold fold(s.reduction);
  std::uint64_t sum = 0;
  ledger.begin_team(0);
  for (int i = 0; i < s.count; ++i) {
    auto const x = static_cast<std::uint64_t>(i);
    std::uint64_t v = fresh_value(leaf, x, 0, 0);
    for (Access const& from : leaf.from)
      if (from.array >= 0)
        v = take_in(v, ledger.read(from.array, element(from, ledger.size(from.array), x), i, 0));
    if (reduces) fold.add(v, i);
    if (reduces || leaf.to.array < 0) continue;
    std::uint64_t const place = element(leaf.to, ledger.size(leaf.to.array), x);
    if (s.kind == Kind::range_scan) {
      ledger.write(leaf.to.array, place, i, 0, s.exclusive ? sum : sum + v);
      sum += v;
    } else if (leaf.atomic == AtomicOperation::none) {
      ledger.write(leaf.to.array, place, i, 0, v);
    } else if (leaf.torn) {
      std::uint64_t const old = ledger.read(leaf.to.array, place, i, 0);
      ledger.write(leaf.to.array, place, i, 0, updated(leaf.atomic, old, ledger.narrowed(leaf.to.array, v)));
    } else {
      ledger.update(leaf.to.array, place, i, 0, leaf.atomic, v);
    }
  }
  ledger.end_team();
  return reduces ? fold.result() : sum;
}

}  // namespace

Verdict judge(Program const& program, Sync sync, int teams) {
  Verdict verdict;
  Ledger ledger(program, verdict);
  for (Kernel const& kernel : program.kernels) {
    ledger.begin_kernel(kernel);
    std::vector<std::uint64_t> lanes;
    std::uint64_t total = 0;
    if (!kernel.team) {
      total = walk_flat(kernel, ledger);
    } else {
      int const leagues = std::min(kernel.league, teams);
      auto const team_lanes = static_cast<std::size_t>(kernel.team_size * kernel.vector_length);
      lanes.resize(static_cast<std::size_t>(leagues) * team_lanes);
      for (int k = 0; k < leagues; ++k) {
        int const league = kernel.chain == Chain::down ? leagues - 1 - k : k;
        ledger.begin_team(league);
        std::vector<std::uint64_t> const digests = walk_team(kernel, league, sync, ledger, verdict);
        ledger.end_team();
        std::copy(digests.begin(), digests.end(),
                  lanes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(league) * team_lanes));
        for (std::size_t l = 0; kernel.reduces && l < team_lanes; l += static_cast<std::size_t>(kernel.vector_length))
          total += digests[l];
      }
    }
    ledger.end_kernel();
    verdict.result.lanes.push_back(std::move(lanes));
    verdict.result.values.push_back(total);
  }
  ledger.store_device_memory(verdict.result);
  if (!verdict.certain.empty()) verdict.possible.insert(verdict.redundant.begin(), verdict.redundant.end());
  if (verdict.anything)  // only that it came apart is certain
    for (Fault const& fault : std::exchange(verdict.certain, {}))
      (fault.rule == Rule::barrier_divergence || fault.rule == Rule::nesting ? verdict.certain
                                                                             : verdict.possible)
          .insert(fault);
  return verdict;
}

std::string to_string(std::set<Fault> const& faults) {
  std::string text;
  for (Fault const& fault : faults) {
    if (!text.empty()) text += ", ";
    text += teamsan::rule_id(fault.rule);
    if (fault.array >= 0) text += " on array " + std::to_string(fault.array);
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace property
