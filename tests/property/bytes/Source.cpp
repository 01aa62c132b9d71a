// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Source.hpp"

#include "../../../sim/report/JsonReader.hpp"

#include <fmt/format.h>

#include <string_view>

namespace property::bytes {
namespace {

constexpr std::string_view prelude = R"(#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#ifdef TOGETHER
#define APART
#else
#define APART asm volatile("" : : "i"(__LINE__) : "memory");
#endif
#define KEEP(own) asm volatile("" : "+m"(own) : "i"(__LINE__) : "memory");
using Space = Kokkos::DefaultExecutionSpace;
using Scratch = Space::scratch_memory_space;
using Member = Kokkos::TeamPolicy<Space>::member_type;
using Bytes = Kokkos::View<unsigned char*, Space>;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
template <int n> struct Chars { unsigned char member[n]; };
template <class T, int n> struct Numbers { T member[n]; };
template <class T> KOKKOS_FUNCTION T* as(unsigned char* p) { return reinterpret_cast<T*>(p); }
template <class T> KOKKOS_FUNCTION T volatile* loose(unsigned char* p) { return reinterpret_cast<T volatile*>(p); }
template <class T> using Plain = Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>;
template <class T> KOKKOS_FUNCTION T filled(u64 v) {
  T t;
  auto* const b = reinterpret_cast<unsigned char*>(&t);
  for (std::size_t i = 0; i != sizeof t; ++i) b[i] = static_cast<unsigned char>(v >> i % 8 * 8);
  return t;
}
KOKKOS_FUNCTION inline u64 value(u64 x, u64 league, u64 slot, bool own) {
  u64 v = own ? x << 8 | league << 40 : 0;
  v = (v + slot + 1) * 0x9e3779b97f4a7c15u;
  return (v ^ v >> 29) | 1;
}
)";

char const* type_of(int bytes) { return bytes == 1 ? "u8" : bytes == 2 ? "u16" : bytes == 4 ? "u32" : "u64"; }

std::string struct_of(Operation const& o) {
  return o.alignment == 1 ? fmt::format("Chars<{}>", o.bytes)
                          : fmt::format("Numbers<{}, {}>", type_of(o.alignment), o.bytes / o.alignment);
}

/// The statement of one access at `p`, of the value `v`.
std::string statement(Operation const& o) {
  std::string const t = type_of(o.bytes), n = std::to_string(o.bytes);
  switch (o.deed) {
    case Deed::read:
      return fmt::format("got += *as<{}>(p);", t);
    case Deed::write:
      return fmt::format("*as<{0}>(p) = static_cast<{0}>(v);", t);
    case Deed::modify:
      return fmt::format("*as<{0}>(p) = static_cast<{0}>(*as<{0}>(p) + v);", t);
    case Deed::view_read:
      return fmt::format("got += Plain<{0}>(as<{0}>(p), 1)(0);", t);
    case Deed::view_write:
      return fmt::format("Plain<{0}>(as<{0}>(p), 1)(0) = static_cast<{0}>(v);", t);
    case Deed::struct_read:
      return fmt::format("auto own = *as<{}>(p); KEEP(own) got += reinterpret_cast<u8&>(own);", struct_of(o));
    case Deed::struct_write:
      return fmt::format("auto own = filled<{0}>(v); KEEP(own) *as<{0}>(p) = own;", struct_of(o));
    case Deed::copy_read:
      return fmt::format("u8 own[{0}]; std::memcpy(own, p, {0}); KEEP(own) got += own[0];", n);
    case Deed::copy_write:
      return fmt::format("auto own = filled<Chars<{0}>>(v); KEEP(own) std::memcpy(p, &own, {0});", n);
    case Deed::any_read:
      return fmt::format("u8 own[32]; std::size_t n = {}; KEEP(n) std::memcpy(own, p, n); KEEP(own) got += own[0];", n);
    case Deed::any_write:
      return fmt::format("u8 own[32] = {{}}; std::size_t n = {}; KEEP(n) KEEP(own) std::memcpy(p, own, n);", n);
    case Deed::any_set:
      return fmt::format("std::size_t n = {}; KEEP(n) std::memset(p, static_cast<int>(v & 255), n);", n);
    case Deed::volatile_read:
      return fmt::format("got += *loose<{}>(p);", t);
    case Deed::volatile_write:
      return fmt::format("*loose<{0}>(p) = static_cast<{0}>(v);", t);
    case Deed::volatile_modify:
      return fmt::format("*loose<{0}>(p) = static_cast<{0}>(*loose<{0}>(p) + v);", t);
    case Deed::atomic_load:
      return fmt::format("got += Kokkos::atomic_load(as<{}>(p));", t);
    case Deed::atomic_store:
      return fmt::format("Kokkos::atomic_store(as<{0}>(p), static_cast<{0}>(v));", t);
    case Deed::atomic_add:
      return fmt::format("Kokkos::atomic_add(as<{0}>(p), static_cast<{0}>(v));", t);
    case Deed::atomic_max:
      return fmt::format("Kokkos::atomic_max(as<{0}>(p), static_cast<{0}>(v));", t);
    case Deed::atomic_exchange:
      return fmt::format("got += Kokkos::atomic_exchange(as<{0}>(p), static_cast<{0}>(v));", t);
    case Deed::atomic_compare:
      return fmt::format("got += Kokkos::atomic_compare_exchange(as<{0}>(p), {0}{{}}, static_cast<{0}>(v));", t);
    case Deed::atomic_add_real:
      return "Kokkos::atomic_add(as<double>(p), 1.0);";
    case Deed::builtin_load:
      return fmt::format("got += __atomic_load_n(as<{}>(p), __ATOMIC_RELAXED);", t);
    case Deed::builtin_store:
      return fmt::format("__atomic_store_n(as<{0}>(p), static_cast<{0}>(v), __ATOMIC_RELAXED);", t);
    case Deed::builtin_add:
      return fmt::format("got += __atomic_fetch_add(as<{0}>(p), static_cast<{0}>(v), __ATOMIC_RELAXED);", t);
    case Deed::leave:
    case Deed::fence:
    case Deed::raise:
      return "";
  }
  return "";
}

class Writer {
 public:
  Writer(Case const& c, std::uint64_t seed) : m_case(c) {
    put(fmt::format("// Case {} of tests/property/bytes.", seed));
    m_source.text += prelude;
    for (char const ch : prelude) m_line += ch == '\n';
    put("int main(int argc, char* argv[]) {");
    put("  Kokkos::ScopeGuard const guard(argc, argv);");
    for (std::size_t a = 0; a != c.arrays.size(); ++a) array(a);
    for (std::size_t n = 0; n != c.kernels.size(); ++n) kernel(static_cast<int>(n));
    put("  Kokkos::fence();");
    put("}");
  }
  Source take() { return std::move(m_source); }

 private:
  void put(std::string const& line) {
    m_source.text += line + '\n';
    ++m_line;
  }

  void array(std::size_t n) {
    Array const& a = m_case.arrays[n];
    if (is_scratch(a.place)) return;
    if (a.alias_of >= 0)
      return put(fmt::format("  Bytes const v{} = Kokkos::subview(v{}, Kokkos::make_pair({}, {}));", n, a.alias_of, a.alias_at,
                             a.alias_at + a.bytes));
    put(fmt::format("  Bytes const v{0}(Kokkos::view_alloc(Kokkos::WithoutInitializing, \"array {0}\"), {1});", n, a.bytes));
    if (a.filling == Filling::host) {
      put(fmt::format("  auto const h{0} = Kokkos::create_mirror_view(v{0});", n));
      put(fmt::format("  for (int i = 0; i < {1}; ++i) h{0}(i) = static_cast<u8>(7 * i + 1);", n, a.bytes));
      put(fmt::format("  Kokkos::deep_copy(v{0}, h{0});", n));
    } else if (a.filling == Filling::part) {
      put(fmt::format(
          "  Kokkos::parallel_for(\"filling\", Kokkos::RangePolicy<Space>({1}, {2}), KOKKOS_LAMBDA(int i) {{ v{0}(i) = "
          "static_cast<u8>(i + 1); }});",
          n, a.from, a.to));
    }
  }

  std::string pointer(int array, std::string const& offset) const {
    bool const scratch = is_scratch(m_case.arrays[static_cast<std::size_t>(array)].place);
    return fmt::format("{}{}{} + {}", scratch ? "s" : "v", array, scratch ? "" : ".data()", offset);
  }

  /// What x does, on one line.
  void operation(int n, int slot, std::string const& indent) {
    Operation const& o = m_case.kernels[static_cast<std::size_t>(n)].operations[static_cast<std::size_t>(slot)];
    std::string condition;
    auto const and_so = [&](std::string const& more) { condition += (condition.empty() ? "" : " && ") + more; };
    if (o.mask.modulus > 1) and_so(fmt::format("x % {}u == {}u", o.mask.modulus, o.mask.remainder));
    if (o.mask.from > 0) and_so(fmt::format("x >= {}u", o.mask.from));
    if (o.mask.until != ~0u) and_so(fmt::format("x < {}u", o.mask.until));
    std::string line = indent + (condition.empty() ? "" : "if (" + condition + ") ");
    if (o.deed == Deed::leave) {
      put(line + "return;");
      return;
    }
    if (o.deed == Deed::fence) return put(line + "Kokkos::memory_fence();");
    if (o.deed == Deed::raise) return put(line + "throw std::runtime_error(\"as the case has it\");");
    std::string offset =
        fmt::format("{}ll + {}ll * ((0x{:x}u * x + {}u) % {}u)", o.map.start, o.map.stride, o.map.a, o.map.b, o.map.modulus);
    if (o.map.league_step != 0) offset += fmt::format(" + {}ll * league", o.map.league_step);
    line += fmt::format("{{ auto* p = {}; ", pointer(o.array, offset));
    if (nature(o.deed).writes) line += fmt::format("u64 const v = value(x, league, {}, {}); (void)v; ", slot, o.own_values);
    std::string const access = "APART " + statement(o) + " APART";
    line += o.repeats > 1 ? fmt::format("for (int k = 0; k != {}; ++k, p += {}) {{ {} }} }}", o.repeats, o.repeat_step, access)
                          : access + " }";
    m_source.operations[m_line + 1] = {n, slot};
    put(line);
  }

  void operations(int n) {
    Kernel const& k = m_case.kernels[static_cast<std::size_t>(n)];
    put("    u64 got = 0; constexpr u64 league = 0; (void)league;");
    for (int s = 0; s < k.used; ++s) operation(n, s, "    ");
    put("    KEEP(got)");
  }

  void kernel(int n) {
    Kernel const& k = m_case.kernels[static_cast<std::size_t>(n)];
    put("  {");
    put("  u64 total = 0; (void)total;");
    if (is_team(k.policy))
      team(n, k);
    else
      flat(n, k);
    put("  Kokkos::fence();");
    put("  }");
  }

  void flat(int n, Kernel const& k) {
    std::string policy, parameters, number;
    if (is_md(k.policy)) {
      std::string begin, end, tile;
      for (int d = 0; d < k.rank; ++d) {
        auto const at = static_cast<std::size_t>(d);
        char const* const comma = d == 0 ? "" : ", ";
        begin += fmt::format("{}0", comma);
        end += fmt::format("{}{}", comma, k.extents[at]);
        tile += fmt::format("{}{}", comma, k.tile[at]);
        parameters += fmt::format("{}int i{}", comma, d);
        number = d == 0 ? "static_cast<u32>(i0)" : fmt::format("({}) * {}u + static_cast<u32>(i{})", number, k.extents[at], d);
      }
      std::string const side = k.left ? "Kokkos::Iterate::Left" : "Kokkos::Iterate::Right";
      policy = fmt::format("Kokkos::MDRangePolicy<Space, Kokkos::Rank<{0}, {1}, {1}>>({{{2}}}, {{{3}}}, {{{4}}})", k.rank, side,
                           begin, end, tile);
    } else {
      policy = fmt::format("Kokkos::RangePolicy<Space>(0, {})", k.count);
      parameters = "int i";
      number = "static_cast<u32>(i)";
    }
    bool const reduces = k.policy == Policy::range_reduce || k.policy == Policy::md_reduce,
               scans = k.policy == Policy::range_scan;
    put(fmt::format("  Kokkos::parallel_{}(\"kernel {}\", {}, KOKKOS_LAMBDA({}{}) {{",
                    reduces ? "reduce"
                    : scans ? "scan"
                            : "for",
                    n, policy, parameters,
                    reduces ? ", u64& sum"
                    : scans ? ", u64& sum, bool final"
                            : ""));
    put(fmt::format("    u32 const x = {};", number));
    if (reduces || scans) put("    sum += x;");
    if (scans && k.final_only) put("    if (!final) return;");
    operations(n);
    put(reduces || scans ? "  }, total);" : "  });");
  }

  void team(int n, Kernel const& k) {
    put(fmt::format("  Kokkos::TeamPolicy<Space> policy({}, {}, {});", k.league, k.team, k.vector));
    constexpr Place places[] = {Place::team0, Place::thread0, Place::team1, Place::thread1};
    std::string bytes[4];
    for (std::size_t p = 0; p != 4; ++p) {
      bytes[p] = "0";
      for (Array const& a : m_case.arrays)
        if (a.place == places[p]) bytes[p] += fmt::format(" + Kokkos::View<u8*, Scratch>::shmem_size({})", a.bytes);
    }
    for (int level = 0; level != 2; ++level)
      put(fmt::format("  policy.set_scratch_size({}, Kokkos::PerTeam({}), Kokkos::PerThread({}));", level, bytes[2 * level],
                      bytes[2 * level + 1]));
    bool const reduces = k.policy == Policy::team_reduce;
    put(fmt::format("  Kokkos::parallel_{}(\"kernel {}\", policy, KOKKOS_LAMBDA(Member const& team{}) {{",
                    reduces ? "reduce" : "for", n, reduces ? ", u64& sum" : ""));
    if (reduces) put("    sum += 1;");
    put("    u64 const league = team.league_rank(); u32 const thread = team.team_rank(); u64 got = 0; (void)thread; "
        "(void)league;");
    // A lane has no number of its own in Kokkos but inside of a vector range.
    put(fmt::format(
        "    u32 lane = 0; Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, {}), [&](int i) {{ lane = i; }}); (void)lane;",
        k.vector));
    for (std::size_t a = 0; a != m_case.arrays.size(); ++a) {
      Array const& array = m_case.arrays[a];
      if (!is_scratch(array.place)) continue;
      put(fmt::format("    Kokkos::View<u8*, Scratch, Kokkos::MemoryUnmanaged> const w{}(team.{}_scratch({}), {});", a,
                      is_per_thread(array.place) ? "thread" : "team",
                      array.place == Place::team1 || array.place == Place::thread1, array.bytes));
      put("#ifdef TEAMSAN_OVERLAY");
      put(fmt::format("    teamsan::name(w{0}, \"array {0}\");", a));
      put("#endif");
      put(fmt::format("    auto* const s{0} = w{0}.data(); (void)s{0};", a));
    }
    for (int s = 0; s < k.used; ++s) step(n, s, k.steps[static_cast<std::size_t>(s)]);
    put("    KEEP(got)");
    put(reduces ? "  }, total);" : "  });");
  }

  void step(int n, int s, Step const& step) {
    auto const around = [&](std::string const& before, std::string const& x, std::string const& behind) {
      put("    " + before);
      put(fmt::format("      u32 const x = static_cast<u32>({}); (void)x;", x));
      operation(n, s, "      ");
      put("    " + behind);
    };
    auto const range = [&](char const* kind) { return fmt::format("Kokkos::{}(team, {})", kind, step.count); };
    auto const loop = [&](char const* kind, std::string const& x) {
      around(fmt::format("Kokkos::parallel_for({}, [&](int i) {{", range(kind)), x, "});");
    };
    auto const reduce = [&](char const* kind, std::string const& x) {
      around(fmt::format("{{ u64 all = 0; Kokkos::parallel_reduce({}, [&](int i, u64& part) {{ part += 1;", range(kind)), x,
             "}, all); }");
    };
    auto const scan = [&](char const* kind, std::string const& x) {
      around(fmt::format("Kokkos::parallel_scan({}, [&](int i, u64& part, bool final) {{ part += 1;{}", range(kind),
                         step.final_only ? " if (!final) return;" : " (void)final;"),
             x, "});");
    };
    auto const md = [&](char const* kind, std::string const& x) {
      around(fmt::format("Kokkos::parallel_for(Kokkos::{}<Kokkos::Rank<2>, Member>(team, {}, {}), [&](int i, int j) {{", kind,
                         step.count, step.inner),
             x, "});");
    };
    std::string const own = fmt::format("thread * {}u + i", step.count), at = fmt::format("i * {} + j", step.inner);
    switch (step.construct) {
      case Construct::every_lane:
        around("{", fmt::format("thread * {}u + lane", m_case.kernels[static_cast<std::size_t>(n)].vector), "}");
        break;
      case Construct::every_thread:
        around("{", "thread", "}");
        break;
      case Construct::thread_range:
        loop("TeamThreadRange", "i");
        break;
      case Construct::vector_range:
        loop("ThreadVectorRange", own);
        break;
      case Construct::team_vector_range:
        loop("TeamVectorRange", "i");
        break;
      case Construct::thread_vector:
        around(fmt::format("Kokkos::parallel_for({}, [&](int i) {{ Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, {}), "
                           "[&](int j) {{",
                           range("TeamThreadRange"), step.inner),
               at, "}); });");
        break;
      case Construct::thread_single:
        around(fmt::format("Kokkos::parallel_for({}, [&](int i) {{ Kokkos::single(Kokkos::PerThread(team), [&] {{",
                           range("TeamThreadRange")),
               "i", "}); });");
        break;
      case Construct::single_team:
        around("Kokkos::single(Kokkos::PerTeam(team), [&] {", "0", "});");
        break;
      case Construct::single_thread:
        around("Kokkos::single(Kokkos::PerThread(team), [&] {", "thread", "});");
        break;
      case Construct::single_team_value:
        around("{ u64 all = 0; Kokkos::single(Kokkos::PerTeam(team), [&](u64& part) { part = 1;", "0", "}, all); }");
        break;
      case Construct::single_thread_value:
        around("{ u64 all = 0; Kokkos::single(Kokkos::PerThread(team), [&](u64& part) { part = 1;", "thread", "}, all); }");
        break;
      case Construct::thread_reduce:
        reduce("TeamThreadRange", "i");
        break;
      case Construct::vector_reduce:
        reduce("ThreadVectorRange", own);
        break;
      case Construct::team_vector_reduce:
        reduce("TeamVectorRange", "i");
        break;
      case Construct::thread_scan:
        scan("TeamThreadRange", "i");
        break;
      case Construct::vector_scan:
        scan("ThreadVectorRange", own);
        break;
      case Construct::thread_md:
        md("TeamThreadMDRange", at);
        break;
      case Construct::vector_md:
        md("ThreadVectorMDRange", fmt::format("thread * {}u + {}", step.count * step.inner, at));
        break;
      case Construct::team_vector_md:
        md("TeamVectorMDRange", at);
        break;
    }
    switch (step.after) {
      case After::nothing:
        break;
      case After::barrier:
        put("    team.team_barrier();");
        break;
      case After::reduce:
        put("    { u64 all = got; team.team_reduce(Kokkos::Sum<u64>(all)); }");
        break;
      case After::scan:
        put("    team.team_scan(1);");
        break;
      case After::broadcast:
        put("    { u64 all = got; team.team_broadcast(all, 0); }");
        break;
    }
  }

  Case const& m_case;
  Source m_source;
  unsigned m_line = 0;
};

int number_behind(std::string const& text, std::string_view word) {
  return text.starts_with(word) ? std::stoi(text.substr(word.size())) : -1;
}

}  // namespace

Source source_of(Case const& c, std::uint64_t seed) { return Writer(c, seed).take(); }

std::vector<Found> findings_of_report(std::string const& file, Case const& c, Source const& source) {
  std::vector<Found> all;
  for (teamsan::ReportedFinding const& told : teamsan::read_json_report_file(file).findings) {
    Found f;
    f.rule = told.finding.rule;
    f.kernel = number_behind(told.finding.kernel, "kernel ");
    f.array = number_behind(told.finding.data.label, "array ");
    f.offset = static_cast<std::int64_t>(told.finding.data.offset);
    auto const vector = f.kernel >= 0 ? static_cast<std::uint32_t>(c.kernels.at(static_cast<std::size_t>(f.kernel)).vector) : 1;
    for (teamsan::ReportedSide const& s : told.sides) {
      FoundSide side;
      side.kind = s.side.access;
      side.team = s.side.league;
      side.lane = s.side.thread * vector + s.side.vector_lane;
      side.place = teamsan::to_string(s.trail.place);
      auto const at = source.operations.find(s.trail.place.line);
      if (at != source.operations.end() && at->second.first == f.kernel) side.slot = at->second.second;
      f.sides.push_back(side);
    }
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace property::bytes
