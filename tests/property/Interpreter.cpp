// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.hpp"

#include "FlatInterpreter.hpp"
#include "KernelCode.hpp"
#include "TeamInterpreter.hpp"

#include "../../sim/findings/Collector.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace property {
namespace {

using Bytes = Kokkos::View<unsigned char*, Space>;

constexpr char const* names[max_arrays] = {"array 0", "array 1", "array 2", "array 3",
                                           "array 4", "array 5", "array 6", "array 7"};

/// Named, so that findings on two arrays are not taken for one.
template <class T>
KOKKOS_FUNCTION unsigned char* obtain(Scratch const& scratch, std::uint32_t size, char const* name) {
  Kokkos::View<T*, Scratch, Kokkos::MemoryUnmanaged> const view(scratch, static_cast<int>(size));
  teamsan::name(view, name);
  return reinterpret_cast<unsigned char*>(view.data());
}

template <int slot>
KOKKOS_FUNCTION unsigned char* obtain(Member const& team, DeviceArray const& array) {
  int const level = array.place == Place::team_scratch1 || array.place == Place::thread_scratch1;
  Scratch const& scratch = is_per_thread(array.place) ? team.thread_scratch(level) : team.team_scratch(level);
  constexpr char const* name = names[slot];
  return array.width == 1   ? obtain<unsigned char>(scratch, array.size, name)
         : array.width == 4 ? obtain<std::uint32_t>(scratch, array.size, name)
                            : obtain<std::uint64_t>(scratch, array.size, name);
}

template <int... slot>
KOKKOS_FUNCTION void obtain_all(Member const& team, TeamLane& lane, int count,
                                std::integer_sequence<int, slot...>) {
  ((slot < count && !is_global(lane.arrays[slot].place)
        ? static_cast<void>(lane.arrays[slot].data = obtain<slot>(team, lane.arrays[slot]))
        : static_cast<void>(0)),
   ...);
}

/// Which of its team the calling lane is. Not instrumented: to a kernel the simulator's own memory is the
/// host's.
TEAMSAN_NO_INSTRUMENT std::uint32_t lane_index() { return teamsan::this_lane().index; }

struct TeamKernel {
  Code code;
  Kokkos::View<std::uint64_t*, Space> lanes;
  int lanes_of_team;
  Chain chain = Chain::none;
  bool fences = true, hurried = false, barrier_before_flag = true, barrier_after_flag = true;
  Kokkos::View<int*, Space> flags;  ///< of the chain

  KOKKOS_FUNCTION void wait_for_turn(Member const& team) const {
    if (chain == Chain::none) return;
    int const before = team.league_rank() + (chain == Chain::up ? -1 : 1);
    int const middle = middle_of(team.league_size());
    bool const hurries = hurried && team.league_rank() == (chain == Chain::up ? middle : team.league_size() - 1 - middle);
    if (team.team_rank() == 0)
      Kokkos::single(Kokkos::PerThread(team), [&] {
        if (before >= 0 && before < team.league_size() && !hurries)
          while (Kokkos::atomic_load(&flags(before)) == 0) {
          }
        if (fences) Kokkos::memory_fence();
      });
    if (barrier_after_flag) team.team_barrier();
  }
  KOKKOS_FUNCTION void pass_turn(Member const& team) const {
    if (chain == Chain::none) return;
    if (barrier_before_flag) team.team_barrier();
    if (team.team_rank() == 0)
      Kokkos::single(Kokkos::PerThread(team), [&] {
        if (fences) Kokkos::memory_fence();
        Kokkos::atomic_store(&flags(team.league_rank()), 1);
      });
  }

  KOKKOS_FUNCTION std::uint64_t run(Member const& team) const {
    TeamLane lane;
    lane.team = &team;
    lane.nodes = code.nodes;
    lane.teams = code.teams;
    lane.league = team.league_rank();
    lane.thread = team.team_rank();
    for (std::uint64_t& r : lane.r) r = static_cast<std::uint64_t>(lane.league);
    for (int k = 0; k < code.array_count; ++k) lane.arrays[k] = code.arrays[k];
    obtain_all(team, lane, code.array_count, std::make_integer_sequence<int, max_arrays>());
    wait_for_turn(team);
    lane.run(0, code.roots);
    pass_turn(team);
    std::uint64_t const result = digest(lane.r);
    lanes(lane.league * lanes_of_team + static_cast<int>(lane_index())) = result;
    return result;
  }
  KOKKOS_FUNCTION void operator()(Member const& team) const { run(team); }
  KOKKOS_FUNCTION void operator()(Member const& team, std::uint64_t& sum) const { sum += run(team); }
};

class Flattener {
 public:
  explicit Flattener(Code& code) : m_code(code) {}
  void flatten(std::vector<Statement> const& body) {
    m_code.roots = static_cast<int>(body.size());
    add(body);
  }

 private:
  int add(std::vector<Statement> const& body) {
    int const first = m_used;
    m_used += static_cast<int>(body.size());
    if (m_used > Code::max_nodes) throw std::runtime_error("the program is too long for Code::max_nodes");
    for (std::size_t k = 0; k < body.size(); ++k) {
      int const children = add(body[k].body);
      Node& node = m_code.nodes[first + static_cast<int>(k)];
      static_cast<Operation&>(node) = body[k];
      node.first = children;
      node.children = static_cast<int>(body[k].body.size());
    }
    return first;
  }
  Code& m_code;
  int m_used = 0;
};

std::size_t scratch_bytes(Program const& program, Place place) {
  std::size_t bytes = 0;
  for (Array const& a : program.arrays)
    if (a.place == place)
      bytes += a.width == 1   ? Kokkos::View<unsigned char*, Scratch>::shmem_size(a.size)
               : a.width == 4 ? Kokkos::View<std::uint32_t*, Scratch>::shmem_size(a.size)
                              : Kokkos::View<std::uint64_t*, Scratch>::shmem_size(a.size);
  return bytes;
}

class DeviceMemory {
 public:
  explicit DeviceMemory(Program const& program) : m_program(program) {
    for (std::size_t k = 0; k < program.arrays.size(); ++k) {
      Array const& a = program.arrays[k];
      m_views.emplace_back();
      if (!is_global(a.place)) continue;
      m_views.back() = Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(names[k])),
                             elements(a) * a.width);
      if (a.filled) fill(static_cast<int>(k), a.width);
    }
  }
  unsigned char* data(std::size_t k) const { return m_views[k].data(); }

  std::vector<std::uint64_t> values(std::size_t k) const {
    Array const& a = m_program.arrays[k];
    if (!is_global(a.place)) return {};
    auto const bytes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_views[k]);
    std::vector<std::uint64_t> values(elements(a));
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t b = a.width; b-- > 0;) values[i] = values[i] << 8 | bytes(i * a.width + b);
    return values;
  }

 private:
  std::size_t elements(Array const& a) const {
    return std::size_t{a.size} *
           static_cast<std::size_t>(a.place == Place::global_slice ? m_program.teams : 1);
  }
  void fill(int k, std::uint32_t width) {
    Bytes const& view = m_views.back();
    auto const host = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < host.extent(0); ++i)
      host(i) = static_cast<unsigned char>(filling(k, i / width) >> 8 * (i % width));
    Kokkos::deep_copy(view, host);
  }
  Program const& m_program;
  std::vector<Bytes> m_views;
};

std::uint64_t run_team(Program const& program, Kernel const& kernel, std::unique_ptr<TeamKernel> functor) {
  TeamPolicy policy(kernel.league, kernel.team_size, kernel.vector_length);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes(program, Place::team_scratch0)),
                          Kokkos::PerThread(scratch_bytes(program, Place::thread_scratch0)));
  policy.set_scratch_size(1, Kokkos::PerTeam(scratch_bytes(program, Place::team_scratch1)),
                          Kokkos::PerThread(scratch_bytes(program, Place::thread_scratch1)));
  std::uint64_t total = 0;
  if (kernel.reduces)
    Kokkos::parallel_reduce("team reduce", policy, *functor, total);
  else
    Kokkos::parallel_for("team for", policy, *functor);
  Kokkos::fence();
  return total;
}

int array_of(teamsan::Data const& data) {
  for (int k = 0; k < max_arrays; ++k)
    if (data.label == names[k]) return k;
  return -1;
}

std::set<Fault> take_findings() {
  auto& collector = teamsan::Collector::instance();
  std::set<Fault> found;
  for (teamsan::Finding const& finding : collector.findings()) {
    using teamsan::Rule;
    // A program may add on every vector lane: unordered with nothing, so the oracle has no word on it.
    if (finding.rule == Rule::lane_redundant) continue;
    if (finding.severity == teamsan::Severity::info) continue;
    // The same race by another name: the oracle knows whether there is one.
    Rule const rule = finding.rule == Rule::unfenced_handover ? Rule::global_race : finding.rule;
    bool const of_an_array = rule == Rule::scratch_race || rule == Rule::global_race || rule == Rule::same_value ||
                             rule == Rule::uninit_scratch || rule == Rule::uninit_global;
    found.insert({rule, of_an_array ? array_of(finding.data) : -1});
  }
  collector.clear();
  return found;
}

}  // namespace

Run interpret(Program const& program) {
  Run run;
  DeviceMemory const memory(program);
  for (Kernel const& kernel : program.kernels) {
    auto functor = std::make_unique<TeamKernel>();
    Code& code = functor->code;
    code.teams = program.teams;
    code.array_count = static_cast<int>(program.arrays.size());
    for (std::size_t k = 0; k < program.arrays.size(); ++k)
      code.arrays[k] = {program.arrays[k].place, program.arrays[k].size, program.arrays[k].width,
                        is_global(program.arrays[k].place) ? memory.data(k) : nullptr};
    Flattener(code).flatten(kernel.body);
    if (!kernel.team) {
      run.result.values.push_back(run_flat(code));
      run.result.lanes.emplace_back();
      continue;
    }
    functor->lanes_of_team = kernel.team_size * kernel.vector_length;
    Kokkos::View<std::uint64_t*, Space> const lanes(
        "lanes", static_cast<std::size_t>(kernel.league * functor->lanes_of_team));
    functor->lanes = lanes;
    functor->chain = kernel.chain;
    functor->fences = kernel.fences;
    functor->hurried = kernel.hurried;
    functor->barrier_before_flag = kernel.barrier_before_flag;
    functor->barrier_after_flag = kernel.barrier_after_flag;
    if (kernel.chain != Chain::none)
      functor->flags = Kokkos::View<int*, Space>("flags", static_cast<std::size_t>(kernel.league));
    run.result.values.push_back(run_team(program, kernel, std::move(functor)));
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lanes);
    run.result.lanes.emplace_back(host.data(), host.data() + host.size());
  }
  run.found = take_findings();
  for (std::size_t k = 0; k < program.arrays.size(); ++k) run.result.arrays.push_back(memory.values(k));
  take_findings();  // bytes that no kernel has written were copied
  return run;
}

int longest_vector() { return TeamPolicy::vector_length_max(); }

std::uint32_t most_scratch0() { return static_cast<std::uint32_t>(TeamPolicy::scratch_size_max(0)); }

KokkosSession::KokkosSession() { Kokkos::initialize(); }
KokkosSession::~KokkosSession() { Kokkos::finalize(); }

}  // namespace property
