// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Machine.hpp"

#include "Lines.hpp"
#include "Meaning.hpp"

#include "../../../sim/base/Synchronisation.hpp"
#include "../../../sim/findings/Collector.hpp"
#include "../../../sim/host/Launch.hpp"
#include "../../../sim/places/Symbolizer.hpp"

#include <Kokkos_Core.hpp>

#include <memory>
#include <stdexcept>
#include <utility>

namespace property::bytes {
namespace {

using Space = teamsan::Simt;
using Bytes = Kokkos::View<unsigned char*, Space>;
using TeamPolicy = Kokkos::TeamPolicy<Space>;
using Member = TeamPolicy::member_type;
using Scratch = Space::scratch_memory_space;

constexpr char const* array_names[most_arrays] = {"array 0", "array 1", "array 2", "array 3"};
constexpr char const* kernel_names[] = {"kernel 0", "kernel 1", "kernel 2", "kernel 3"};

struct DeviceCode {
  Operation operations[slots];
  Step steps[slots];
  int used = 0;
  unsigned char* data[most_arrays] = {};
  Array arrays[most_arrays];
  int array_count = 0;
};

/// What one lane needs.
struct Lane {
  DeviceCode const* code;
  unsigned char* data[most_arrays];
  std::uint32_t league = 0;

  /// False: the body ends.
  KOKKOS_INLINE_FUNCTION bool item(int slot, std::uint32_t x, std::uint64_t& sum) const {
    Operation const o = code->operations[slot];
    if (!takes_part(o.mask, x)) return true;
    if (o.deed == Deed::leave) return false;
    if (o.deed == Deed::raise) throw std::runtime_error("as the case has it");
    if (o.deed == Deed::fence) {
      Kokkos::memory_fence();
      return true;
    }
    unsigned char* p = data[o.array] + offset_of(o.map, x, league);
    std::uint64_t const v = value_of(o, slot, x, league);
    for (int k = 0; k < o.repeats; ++k, p += o.repeat_step) sum += act(slot, o, p, v);
    return true;
  }
};

// ---- ranges ----

struct FlatKernel {
  DeviceCode code;
  int extents[6] = {1, 1, 1, 1, 1, 1};
  bool final_only = true;

  KOKKOS_INLINE_FUNCTION std::uint64_t body(std::uint32_t x) const {
    Lane lane;
    lane.code = &code;
    for (int k = 0; k < most_arrays; ++k) lane.data[k] = code.data[k];
    std::uint64_t sum = 0;
    for (int slot = 0; slot < code.used; ++slot)
      if (!lane.item(slot, x, sum)) break;
    return sum;
  }
  template <class... Index>
  KOKKOS_INLINE_FUNCTION std::uint32_t number(Index... index) const {
    int const at[] = {index...};
    std::uint32_t x = 0;
    for (std::size_t d = 0; d != sizeof...(Index); ++d)
      x = x * static_cast<std::uint32_t>(extents[d]) + static_cast<std::uint32_t>(at[d]);
    return x;
  }
};

struct ForEach : FlatKernel {
  KOKKOS_FUNCTION void operator()(int x) const { body(static_cast<std::uint32_t>(x)); }
  KOKKOS_FUNCTION void operator()(int a, int b) const { body(number(a, b)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c) const { body(number(a, b, c)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d) const { body(number(a, b, c, d)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e) const { body(number(a, b, c, d, e)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, int f) const { body(number(a, b, c, d, e, f)); }
};

struct AddUp : FlatKernel {
  using Sum = std::uint64_t&;
  KOKKOS_FUNCTION void operator()(int x, Sum s) const { s += body(static_cast<std::uint32_t>(x)); }
  KOKKOS_FUNCTION void operator()(int a, int b, Sum s) const { s += body(number(a, b)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, Sum s) const { s += body(number(a, b, c)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, Sum s) const { s += body(number(a, b, c, d)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, Sum s) const { s += body(number(a, b, c, d, e)); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, int f, Sum s) const {
    s += body(number(a, b, c, d, e, f));
  }
};

struct Prefix : FlatKernel {
  KOKKOS_FUNCTION void operator()(int x, std::uint64_t& s, bool final) const {
    s += static_cast<std::uint64_t>(x);
    if (final || !final_only) body(static_cast<std::uint32_t>(x));
  }
};

template <int rank, class Use>
void with_md(Kernel const& k, Use const& use) {
  Kokkos::Array<std::int64_t, rank> begin{}, end{}, tile{};
  for (int d = 0; d < rank; ++d) {
    end[static_cast<std::size_t>(d)] = k.extents[static_cast<std::size_t>(d)];
    tile[static_cast<std::size_t>(d)] = k.tile[static_cast<std::size_t>(d)];
  }
  if (k.left)
    use(Kokkos::MDRangePolicy<Space, Kokkos::Rank<rank, Kokkos::Iterate::Left, Kokkos::Iterate::Left>>(begin, end, tile));
  else
    use(Kokkos::MDRangePolicy<Space, Kokkos::Rank<rank, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>(begin, end, tile));
}

template <class Use>
void with_md(Kernel const& k, Use const& use) {
  switch (k.rank) {
    case 2:
      return with_md<2>(k, use);
    case 3:
      return with_md<3>(k, use);
    case 4:
      return with_md<4>(k, use);
    case 5:
      return with_md<5>(k, use);
    default:
      return with_md<6>(k, use);
  }
}

template <class Functor>
Functor flat(Kernel const& k, DeviceCode const& code) {
  Functor f;
  f.code = code;
  for (std::size_t d = 0; d != 6; ++d) f.extents[d] = k.extents[d];
  f.final_only = k.final_only;
  return f;
}

// ---- teams ----

template <int slot>
KOKKOS_FUNCTION unsigned char* obtain(Member const& team, Array const& array) {
  int const level = array.place == Place::team1 || array.place == Place::thread1;
  Scratch const& scratch = is_per_thread(array.place) ? team.thread_scratch(level) : team.team_scratch(level);
  Kokkos::View<unsigned char*, Scratch, Kokkos::MemoryUnmanaged> const view(scratch, array.bytes);
  teamsan::name(view, array_names[slot]);
  return view.data();
}

struct TeamKernel {
  DeviceCode code;

  KOKKOS_FUNCTION std::uint64_t run(Member const& team) const {
    Lane lane;
    lane.code = &code;
    lane.league = static_cast<std::uint32_t>(team.league_rank());
    for (int k = 0; k < most_arrays; ++k) lane.data[k] = code.data[k];
    auto const get = [&]<int k>(std::integral_constant<int, k>) {
      if (k < code.array_count && is_scratch(code.arrays[k].place)) lane.data[k] = obtain<k>(team, code.arrays[k]);
    };
    get(std::integral_constant<int, 0>());
    get(std::integral_constant<int, 1>());
    get(std::integral_constant<int, 2>());
    get(std::integral_constant<int, 3>());
    std::uint64_t sum = 0;
    for (int s = 0; s < code.used; ++s) {
      step(team, lane, s, code.steps[s], sum);
      switch (code.steps[s].after) {
        case After::nothing:
          break;
        case After::barrier:
          team.team_barrier();
          break;
        case After::reduce: {
          std::uint64_t v = sum;
          team.team_reduce(Kokkos::Sum<std::uint64_t>(v));
          break;
        }
        case After::scan:
          team.team_scan(1);
          break;
        case After::broadcast: {
          std::uint64_t v = sum;
          team.team_broadcast(v, 0);
          break;
        }
      }
    }
    return sum;
  }

  KOKKOS_FUNCTION void step(Member const& team, Lane const& lane, int s, Step const& step, std::uint64_t& sum) const {
    auto const thread = static_cast<std::uint32_t>(team.team_rank());
    int const n = step.count, m = step.inner;
    auto const item = [&](std::uint32_t x) { lane.item(s, x, sum); };
    auto const at = [](int x) { return static_cast<std::uint32_t>(x); };
    std::uint64_t total = 0;
    switch (step.construct) {
      case Construct::every_lane:
        return item(lane_index());
      case Construct::every_thread:
        return item(thread);
      case Construct::thread_range:
        return Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { item(at(i)); });
      case Construct::vector_range:
        return Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int i) { item(thread * at(n) + at(i)); });
      case Construct::team_vector_range:
        return Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int i) { item(at(i)); });
      case Construct::thread_vector:
        return Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, m), [&](int j) { item(at(i * m + j)); });
        });
      case Construct::thread_single:
        return Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                                    [&](int i) { Kokkos::single(Kokkos::PerThread(team), [&] { item(at(i)); }); });
      case Construct::single_team:
        return Kokkos::single(Kokkos::PerTeam(team), [&] { item(0); });
      case Construct::single_thread:
        return Kokkos::single(Kokkos::PerThread(team), [&] { item(thread); });
      case Construct::single_team_value:
        return Kokkos::single(
            Kokkos::PerTeam(team), [&](std::uint64_t& v) { item(0), v = 1; }, total);
      case Construct::single_thread_value:
        return Kokkos::single(
            Kokkos::PerThread(team), [&](std::uint64_t& v) { item(thread), v = 1; }, total);
      case Construct::thread_reduce:
        return Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, n), [&](int i, std::uint64_t& v) { item(at(i)), v += 1; }, total);
      case Construct::vector_reduce:
        return Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, n), [&](int i, std::uint64_t& v) { item(thread * at(n) + at(i)), v += 1; }, total);
      case Construct::team_vector_reduce:
        return Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n), [&](int i, std::uint64_t& v) { item(at(i)), v += 1; }, total);
      case Construct::thread_scan:
        return Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, n), [&](int i, std::uint64_t& v, bool final) {
          v += 1;
          if (final || !step.final_only) item(at(i));
        });
      case Construct::vector_scan:
        return Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, n), [&](int i, std::uint64_t& v, bool final) {
          v += 1;
          if (final || !step.final_only) item(thread * at(n) + at(i));
        });
      case Construct::thread_md:
        return Kokkos::parallel_for(Kokkos::TeamThreadMDRange<Kokkos::Rank<2>, Member>(team, n, m),
                                    [&](int i, int j) { item(at(i * m + j)); });
      case Construct::vector_md:
        return Kokkos::parallel_for(Kokkos::ThreadVectorMDRange<Kokkos::Rank<2>, Member>(team, n, m),
                                    [&](int i, int j) { item(thread * at(n * m) + at(i * m + j)); });
      case Construct::team_vector_md:
        return Kokkos::parallel_for(Kokkos::TeamVectorMDRange<Kokkos::Rank<2>, Member>(team, n, m),
                                    [&](int i, int j) { item(at(i * m + j)); });
    }
  }

  TEAMSAN_NO_INSTRUMENT static std::uint32_t lane_index() { return teamsan::this_lane().index; }

  KOKKOS_FUNCTION void operator()(Member const& team) const { run(team); }
  KOKKOS_FUNCTION void operator()(Member const& team, std::uint64_t& s) const { s += run(team); }
};

std::size_t scratch_bytes(Case const& c, Place place) {
  std::size_t bytes = 0;
  for (Array const& a : c.arrays)
    if (a.place == place) bytes += Kokkos::View<unsigned char*, Scratch>::shmem_size(static_cast<std::size_t>(a.bytes));
  return bytes;
}

void run_team(Case const& c, Kernel const& k, DeviceCode const& code, std::string const& label) {
  TeamPolicy policy(k.league, k.team, k.vector);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes(c, Place::team0)),
                          Kokkos::PerThread(scratch_bytes(c, Place::thread0)));
  policy.set_scratch_size(1, Kokkos::PerTeam(scratch_bytes(c, Place::team1)),
                          Kokkos::PerThread(scratch_bytes(c, Place::thread1)));
  TeamKernel functor;
  functor.code = code;
  std::uint64_t total = 0;
  if (k.policy == Policy::team_reduce)
    Kokkos::parallel_reduce(label, policy, functor, total);
  else
    Kokkos::parallel_for(label, policy, functor);
}

void run_kernel(Case const& c, Kernel const& k, DeviceCode const& code, std::string const& label) {
  std::uint64_t total = 0;
  switch (k.policy) {
    case Policy::range_for:
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(0, k.count), flat<ForEach>(k, code));
      break;
    case Policy::range_reduce:
      Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(0, k.count), flat<AddUp>(k, code), total);
      break;
    case Policy::range_scan:
      Kokkos::parallel_scan(label, Kokkos::RangePolicy<Space>(0, k.count), flat<Prefix>(k, code), total);
      break;
    case Policy::md_for:
      with_md(k, [&](auto const& policy) { Kokkos::parallel_for(label, policy, flat<ForEach>(k, code)); });
      break;
    case Policy::md_reduce:
      with_md(k, [&](auto const& policy) { Kokkos::parallel_reduce(label, policy, flat<AddUp>(k, code), total); });
      break;
    case Policy::team_for:
    case Policy::team_reduce:
      run_team(c, k, code, label);
      break;
  }
  Kokkos::fence();
}

/// Its iterations write elements of their own.
void run_quietly(Case const& c, Kernel const& k) {
  Bytes const elements("quiet", 4 * static_cast<std::size_t>(k.count));
  DeviceCode code;
  code.data[0] = elements.data();
  code.arrays[0].bytes = 4 * k.count;
  code.array_count = code.used = 1;
  Operation& o = code.operations[0];
  o.deed = Deed::write;
  o.bytes = 4;
  o.map.modulus = static_cast<std::uint32_t>(k.count);
  o.map.stride = 4;
  run_kernel(c, k, code, "quiet");
}
void run_quietly(Case const& c, int times) {
  for (int n = 0; n < times; ++n)
    for (Kernel const& k : c.kernels) run_quietly(c, k);
}

// ---- what was found ----

int index_of(std::string const& name, char const* const* names, int count) {
  for (int k = 0; k < count; ++k)
    if (name == names[k]) return k;
  return -1;
}

FoundSide side_of(teamsan::Side const& side, int vector) {
  teamsan::Place const place = teamsan::user_place(side.site, side.callers);
  FoundSide found;
  found.slot = slot_at(place.file, place.line);
  found.kind = side.access;
  found.team = side.league;
  found.lane = side.thread * static_cast<std::uint32_t>(vector) + side.vector_lane;
  found.place = teamsan::to_string(place);
  return found;
}

std::vector<Found> take_findings(Case const& c) {
  auto& collector = teamsan::Collector::instance();
  std::vector<Found> all;
  for (teamsan::Finding const& finding : collector.findings()) {
    Found found;
    found.rule = finding.rule;
    found.kernel = index_of(finding.kernel, kernel_names, static_cast<int>(std::size(kernel_names)));
    found.array = index_of(finding.data.label, array_names, most_arrays);
    found.offset = static_cast<std::int64_t>(finding.data.offset);
    int const vector = found.kernel >= 0 ? c.kernels.at(static_cast<std::size_t>(found.kernel)).vector : 1;
    for (teamsan::Side const& side : finding.sides) found.sides.push_back(side_of(side, vector));
    all.push_back(std::move(found));
  }
  collector.clear();
  return all;
}

}  // namespace

std::vector<Found> run(Case const& c) {
  teamsan::forget_kernels();
  run_quietly(c, c.quiet_before);
  std::vector<Bytes> memory(c.arrays.size());
  DeviceCode code;
  code.array_count = static_cast<int>(c.arrays.size());
  for (std::size_t k = 0; k != c.arrays.size(); ++k) {
    Array const& a = c.arrays[k];
    code.arrays[k] = a;
    if (is_scratch(a.place)) continue;
    if (a.alias_of >= 0) {
      Bytes const part =
          Kokkos::subview(memory[static_cast<std::size_t>(a.alias_of)], std::make_pair(a.alias_at, a.alias_at + a.bytes));
      code.data[k] = part.data();
      continue;
    }
    memory[k] =
        Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(array_names[k])), static_cast<std::size_t>(a.bytes));
    code.data[k] = memory[k].data();
    if (a.filling == Filling::host) {
      auto const host = Kokkos::create_mirror_view(memory[k]);
      for (std::size_t i = 0; i != host.extent(0); ++i) host(i) = static_cast<unsigned char>(7 * i + 1);
      Kokkos::deep_copy(memory[k], host);
    } else if (a.filling == Filling::part) {
      unsigned char* const data = memory[k].data();
      Kokkos::parallel_for(
          "filling", Kokkos::RangePolicy<Space>(a.from, a.to),
          KOKKOS_LAMBDA(int i) { data[i] = static_cast<unsigned char>(i + 1); });
    }
  }
  Kokkos::fence();
  for (std::size_t n = 0; n != c.kernels.size(); ++n) {
    Kernel const& k = c.kernels[n];
    code.used = k.used;
    for (std::size_t s = 0; s != slots; ++s) {
      code.operations[s] = k.operations[s];
      code.steps[s] = k.steps[s];
    }
    run_kernel(c, k, code, kernel_names[n]);
  }
  run_quietly(c, c.quiet_after);
  return take_findings(c);
}

bool is_portable() { return teamsan::sync_mode() == teamsan::Sync::portable; }

int longest_vector() { return TeamPolicy::vector_length_max(); }

int range_block() { return 256; }

Session::Session() { Kokkos::initialize(); }
Session::~Session() { Kokkos::finalize(); }

}  // namespace property::bytes
