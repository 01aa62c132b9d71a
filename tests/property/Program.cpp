// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.hpp"

#include <fmt/format.h>

#include <iterator>

namespace property {

char const* name(Kind kind) {
  switch (kind) {
    case Kind::barrier:
      return "team_barrier";
    case Kind::team_vector_for:
      return "for TeamVectorRange";
    case Kind::team_vector_md_for:
      return "for TeamVectorMDRange";
    case Kind::team_thread_for:
      return "for TeamThreadRange";
    case Kind::team_thread_md_for:
      return "for TeamThreadMDRange";
    case Kind::each_thread:
      return "each thread";
    case Kind::team_thread_reduce:
      return "reduce TeamThreadRange";
    case Kind::team_thread_md_reduce:
      return "reduce TeamThreadMDRange";
    case Kind::team_vector_reduce:
      return "reduce TeamVectorRange";
    case Kind::team_vector_md_reduce:
      return "reduce TeamVectorMDRange";
    case Kind::team_thread_scan:
      return "scan TeamThreadRange";
    case Kind::single_team:
      return "single PerTeam";
    case Kind::single_team_value:
      return "single PerTeam with value";
    case Kind::team_broadcast:
      return "team_broadcast";
    case Kind::team_reduce:
      return "team_reduce";
    case Kind::team_scan:
      return "team_scan";
    case Kind::repeat:
      return "repeat";
    case Kind::thread_vector_for:
      return "for ThreadVectorRange";
    case Kind::thread_vector_md_for:
      return "for ThreadVectorMDRange";
    case Kind::thread_vector_reduce:
      return "reduce ThreadVectorRange";
    case Kind::thread_vector_md_reduce:
      return "reduce ThreadVectorMDRange";
    case Kind::thread_vector_scan:
      return "scan ThreadVectorRange";
    case Kind::single_thread:
      return "single PerThread";
    case Kind::single_thread_value:
      return "single PerThread with value";
    case Kind::vector_reduce:
      return "vector_reduce";
    case Kind::every_lane:
      return "every lane";
    case Kind::range_for:
      return "for RangePolicy";
    case Kind::range_reduce:
      return "reduce RangePolicy";
    case Kind::range_scan:
      return "scan RangePolicy";
    case Kind::md_range_for:
      return "for MDRangePolicy";
    case Kind::md_range_reduce:
      return "reduce MDRangePolicy";
  }
  return "";
}

char const* name(Reduction reduction) {
  constexpr char const* names[reductions] = {"Sum",
                                             "Prod",
                                             "Min",
                                             "Max",
                                             "LAnd",
                                             "LOr",
                                             "BAnd",
                                             "BOr",
                                             "MinLoc",
                                             "MaxLoc",
                                             "MinMax",
                                             "MinMaxLoc",
                                             "MinFirstLoc",
                                             "MaxFirstLoc",
                                             "MinMaxFirstLastLoc",
                                             "FirstLoc",
                                             "LastLoc",
                                             "StdIsPartitioned",
                                             "StdPartitionPoint"};
  return names[static_cast<int>(reduction)];
}

namespace {

char const* name(Place place) {
  switch (place) {
    case Place::team_scratch0:
      return "team scratch, level 0";
    case Place::team_scratch1:
      return "team scratch, level 1";
    case Place::thread_scratch0:
      return "thread scratch, level 0";
    case Place::thread_scratch1:
      return "thread scratch, level 1";
    case Place::global_slice:
      return "a slice of a View for each team";
    case Place::global_shared:
      return "a View for all teams";
  }
  return "";
}

char const* name(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::none:
      return "=";
    case AtomicOperation::add:
      return "atomic +=";
    case AtomicOperation::max:
      return "atomic max=";
    case AtomicOperation::min:
      return "atomic min=";
    case AtomicOperation::exclusive_or:
      return "atomic ^=";
  }
  return "";
}

std::string text(Access const& access) {
  return fmt::format("a{}[({}x + {}) mod n{}]", access.array, access.a, access.b,
                     access.past_end_at < 0 ? "" : fmt::format("; n for item {}", access.past_end_at));
}

std::string text(Leaf const& leaf) {
  std::string values = "f(x";
  if (leaf.uses_thread) values += ", team_rank";
  for (Access const& from : leaf.from)
    if (from.array >= 0) values += ", " + text(from);
  if (leaf.from_register >= 0) values += fmt::format(", r{}", leaf.from_register);
  values += ")";
  if (leaf.to.array < 0) return values;
  return fmt::format("{}{} {}{} {}", text(leaf.to),
                     leaf.next_team ? fmt::format(" of team +{}", leaf.next_team) : "",
                     leaf.torn ? "not " : "", name(leaf.atomic), values);
}

void print(std::string& out, std::vector<Statement> const& body, int depth) {
  for (Statement const& s : body) {
    auto const to = std::back_inserter(out);
    fmt::format_to(to, "{:{}}{}", "", 2 * depth, name(s.kind));
    if (s.rank > 0) {
      out += " (";
      for (int d = 0; d < s.rank; ++d) fmt::format_to(to, "{}{}", d ? " x " : "", s.extents[d]);
      fmt::format_to(to, "{})", s.order == Order::left ? ", left" : s.order == Order::right ? ", right" : "");
    } else if (s.kind != Kind::barrier) {
      fmt::format_to(to, " ({})", s.count);
    }
    bool const reduces = s.kind == Kind::team_thread_reduce || s.kind == Kind::team_vector_reduce ||
                         s.kind == Kind::team_reduce || s.kind == Kind::thread_vector_reduce ||
                         s.kind == Kind::vector_reduce || s.kind == Kind::range_reduce ||
                         s.kind == Kind::md_range_reduce;
    if (reduces) fmt::format_to(to, " {} into r{}", name(s.reduction), s.result);
    if (s.kind == Kind::team_broadcast)
      fmt::format_to(to, " r{} of thread {}{}", s.result, s.source, s.exclusive ? " by a function" : "");
    if (s.kind == Kind::team_scan) fmt::format_to(to, " r{}", s.result);
    if (s.kind == Kind::single_team_value || s.kind == Kind::single_thread_value)
      fmt::format_to(to, " into r{}", s.result);
    if (s.exclusive && (s.kind == Kind::team_thread_scan || s.kind == Kind::thread_vector_scan ||
                        s.kind == Kind::range_scan))
      out += " exclusive";
    if (s.without_thread >= 0) fmt::format_to(to, " but not thread {}", s.without_thread);
    if (s.on_every_thread) out += " on every thread";
    if (s.on_every_lane) out += " on every lane";
    if (s.barrier_inside) out += " with team_barrier inside";
    if (s.leaf.to.array >= 0 || s.leaf.from[0].array >= 0 || s.leaf.from[1].array >= 0 ||
        s.leaf.from_register >= 0)
      fmt::format_to(to, ": {}", text(s.leaf));
    out += '\n';
    print(out, s.body, depth + 1);
  }
}

}  // namespace

std::string to_string(Program const& program) {
  std::string out = fmt::format("program {}, slices for {} teams\n", program.seed, program.teams);
  auto const to = std::back_inserter(out);
  for (std::size_t k = 0; k < program.arrays.size(); ++k) {
    Array const& a = program.arrays[k];
    fmt::format_to(to, "  a{}: {} elements of {} bytes, {}{}\n", k, a.size, a.width, name(a.place),
                   a.filled ? ", filled" : "");
  }
  for (Kernel const& kernel : program.kernels) {
    if (kernel.team)
      fmt::format_to(to, "  parallel_{} TeamPolicy(league {}, team {}, vector {}){}{}{}{}{}\n",
                     kernel.reduces ? "reduce" : "for", kernel.league, kernel.team_size, kernel.vector_length,
                     kernel.chain == Chain::none ? ""
                     : kernel.chain == Chain::up ? ", each team after the one before"
                                                 : ", each team after the next one",
                     kernel.fences ? "" : ", without fences",
                     kernel.hurried ? ", but the one in the middle" : "",
                     kernel.barrier_before_flag ? "" : ", without a barrier before the flag",
                     kernel.barrier_after_flag ? "" : ", without a barrier after the flag");
    else
      out += "  flat\n";
    print(out, kernel.body, 2);
  }
  return out;
}

}  // namespace property
