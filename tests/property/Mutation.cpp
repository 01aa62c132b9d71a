// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mutation.hpp"

namespace property {
namespace {

bool stores(Statement const& s) {
  if (s.leaf.to.array >= 0) return true;
  for (Statement const& child : s.body)
    if (stores(child)) return true;
  return false;
}

bool is_collective(Kind kind) {
  return kind == Kind::team_thread_reduce || kind == Kind::team_vector_reduce ||
         kind == Kind::team_thread_md_reduce || kind == Kind::team_vector_md_reduce ||
         kind == Kind::single_team_value || kind == Kind::team_broadcast || kind == Kind::team_reduce ||
         kind == Kind::team_scan || kind == Kind::thread_vector_reduce || kind == Kind::single_thread_value ||
         kind == Kind::vector_reduce;
}

bool applies(Mistake mistake, Program const& program, Kernel const& kernel, Statement const& s) {
  bool const plain_store = s.leaf.to.array >= 0 && s.leaf.atomic == AtomicOperation::none;
  bool const single = s.kind == Kind::single_team || s.kind == Kind::single_thread;
  switch (mistake) {
    case Mistake::no_barrier:
      return s.kind == Kind::barrier;
    case Mistake::divergent_barrier:
      return s.kind == Kind::barrier && kernel.team_size > 1 && kernel.chain == Chain::none;
    case Mistake::no_collective:
      return is_collective(s.kind) && kernel.body.size() > 1;
    case Mistake::store_past_end:
      return s.leaf.to.array >= 0;
    case Mistake::read_past_end:
      return s.leaf.from[0].array >= 0;
    case Mistake::plain_update:
      return s.leaf.to.array >= 0 && s.leaf.atomic != AtomicOperation::none;
    case Mistake::no_initialisation:
      return stores(s) && kernel.body.size() > 1;
    case Mistake::short_initialisation:
      return plain_store && s.rank == 0 && s.count > 1;
    case Mistake::per_thread:
      return s.kind == Kind::single_team;
    case Mistake::no_single:
      return single;
    case Mistake::one_place:
      return plain_store && s.count > 1;
    case Mistake::neighbours:
      return plain_store && s.count > 1 && s.kind != Kind::range_scan;
    case Mistake::next_team:
      return kernel.team && kernel.league > 1 && s.leaf.to.array >= 0 &&
             program.arrays[static_cast<std::size_t>(s.leaf.to.array)].place == Place::global_slice;
    case Mistake::barrier_in_single:  // teams after one that is given up would wait for long
      return s.kind == Kind::single_team && kernel.chain == Chain::none;
    case Mistake::no_fence:
    case Mistake::no_wait:
    case Mistake::no_barrier_before_flag:
    case Mistake::no_barrier_after_flag:
      return false;  // of no statement
  }
  return false;
}

void collect(Program const& program, std::size_t kernel, std::vector<Statement> const& body,
             std::vector<std::size_t>& path, std::vector<Mutation>& all) {
  for (std::size_t k = 0; k < body.size(); ++k) {
    path.push_back(k);
    for (int m = 0; m < mistakes; ++m)
      if (auto const mistake = static_cast<Mistake>(m);
          applies(mistake, program, program.kernels[kernel], body[k]))
        all.push_back({mistake, kernel, path});
    collect(program, kernel, body[k].body, path, all);
    path.pop_back();
  }
}

}  // namespace

std::vector<Mutation> mutations(Program const& program) {
  std::vector<Mutation> all;
  std::vector<std::size_t> path;
  for (std::size_t k = 0; k < program.kernels.size(); ++k)
    collect(program, k, program.kernels[k].body, path, all);
  for (std::size_t k = 0; k < program.kernels.size(); ++k)
    if (program.kernels[k].chain != Chain::none)
      for (Mistake const mistake : {Mistake::no_fence, Mistake::no_wait, Mistake::no_barrier_before_flag,
                                    Mistake::no_barrier_after_flag})
        all.push_back({mistake, k, {}});
  return all;
}

Program mutated(Program const& program, Mutation const& mutation) {
  Program result = program;
  if (mutation.path.empty()) {
    Kernel& kernel = result.kernels[mutation.kernel];
    kernel.fences = mutation.mistake != Mistake::no_fence;
    kernel.hurried = mutation.mistake == Mistake::no_wait;
    kernel.barrier_before_flag = mutation.mistake != Mistake::no_barrier_before_flag;
    kernel.barrier_after_flag = mutation.mistake != Mistake::no_barrier_after_flag;
    return result;
  }
  std::vector<Statement>* body = &result.kernels[mutation.kernel].body;
  for (std::size_t k = 0; k + 1 < mutation.path.size(); ++k) body = &(*body)[mutation.path[k]].body;
  auto const at = body->begin() + static_cast<std::ptrdiff_t>(mutation.path.back());
  switch (mutation.mistake) {
    case Mistake::no_barrier:
    case Mistake::no_collective:
    case Mistake::no_initialisation:
      body->erase(at);
      break;
    case Mistake::divergent_barrier:
      at->without_thread = result.kernels[mutation.kernel].team_size / 2;
      break;
    case Mistake::store_past_end:
      at->leaf.to.past_end_at = 0;
      break;
    case Mistake::read_past_end:
      at->leaf.from[0].past_end_at = 0;
      break;
    case Mistake::plain_update:
      at->leaf.torn = true;
      break;
    case Mistake::short_initialisation:
      --at->count;
      break;
    case Mistake::per_thread:
      at->on_every_thread = true;
      break;
    case Mistake::no_single:
      at->on_every_lane = true;
      break;
    case Mistake::one_place:
      at->leaf.to.a = 0;
      break;
    case Mistake::neighbours:
      at->leaf.from[1] = at->leaf.to;
      at->leaf.from[1].b += at->leaf.to.a;
      break;
    case Mistake::next_team:
      at->leaf.next_team = 1;
      break;
    case Mistake::barrier_in_single:
      at->barrier_inside = true;
      break;
    case Mistake::no_fence:
    case Mistake::no_wait:
    case Mistake::no_barrier_before_flag:
    case Mistake::no_barrier_after_flag:
      break;
  }
  return result;
}

char const* name(Mistake mistake) {
  switch (mistake) {
    case Mistake::no_barrier:
      return "barrier left out";
    case Mistake::divergent_barrier:
      return "barrier without one thread";
    case Mistake::no_collective:
      return "collective left out";
    case Mistake::store_past_end:
      return "store past the end";
    case Mistake::read_past_end:
      return "read past the end";
    case Mistake::plain_update:
      return "update not atomic";
    case Mistake::no_initialisation:
      return "initialisation left out";
    case Mistake::short_initialisation:
      return "one item too few";
    case Mistake::per_thread:
      return "PerThread for PerTeam";
    case Mistake::no_single:
      return "single left out";
    case Mistake::one_place:
      return "all items in one element";
    case Mistake::neighbours:
      return "reads what others store";
    case Mistake::next_team:
      return "next team's slice";
    case Mistake::barrier_in_single:
      return "barrier inside single";
    case Mistake::no_fence:
      return "fences left out";
    case Mistake::no_wait:
      return "one team does not wait";
    case Mistake::no_barrier_before_flag:
      return "no barrier before the flag";
    case Mistake::no_barrier_after_flag:
      return "no barrier after the flag";
  }
  return "";
}

}  // namespace property
