// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Leaks.hpp"

#include "../base/MemoryName.hpp"
#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Hot.hpp"
#include "../memory/Shape.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Recorder.hpp"
#include "NeverSynced.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace teamsan {
namespace {

/// What was allocated then. Its record may be another's by now.
struct Left {
  Allocation const* record = nullptr;
  std::uint64_t serial = 0;
  std::uintptr_t begin = 0, data = 0;
  std::size_t bytes = 0;  ///< without its header
  Shape shape;
  UsmKind usm = UsmKind::none;
  std::string label;
  std::vector<Site> calls;
  Holder holder;
  bool is_freed() const { return record->serial != serial || !record->live; }
};

struct Snapshot {
  std::vector<Left> left;  ///< by address
  pid_t process = 0;       ///< that Kokkos was finalized in; 0: none yet
  bool recorded = false;   ///< it is what a trace says
};

Snapshot& finalized() {
  static Snapshot& snapshot = *new Snapshot;  // exit handlers of the program's come after ours
  return snapshot;
}

std::vector<Left> all_allocations() {
  std::vector<Left> left;
  for_each_allocation(
      [](Allocation const& a, void* list) {
        static_cast<std::vector<Left>*>(list)->push_back(
            {&a, a.serial, a.begin, a.data(), a.bytes - a.header_bytes, a.shape, a.usm, a.label, a.calls, {}});
      },
      &left);
  return left;
}

void look_for_holders(std::vector<Left>& left) {
  std::vector<HeldRange> ranges;
  ranges.reserve(left.size());
  for (Left const& a : left) ranges.push_back({a.begin, a.data + std::max<std::size_t>(a.bytes, 1), a.data != a.begin});
  std::vector<Holder> holders = find_holders(ranges);
  for (std::size_t i = 0; i != left.size(); ++i) left[i].holder = std::move(holders[i]);
}

bool leaks_are_wanted() { return options().enabled(Rule::leak); }

/// What is allocated now, and what leads there, also for the trace; in a replay, that is what the trace says. False: nobody
/// asks.
bool take_snapshot(bool at_finalize) {
  if (!leaks_are_wanted() && !trace::recording()) return false;
  Snapshot& now = finalized();
  now.left = all_allocations();
  look_for_holders(now.left);
  traces::FinalizeRecord record;
  record.called = at_finalize;
  for (Left const& a : now.left) {
    trace::record_places(a.calls);
    if (!a.holder.variable.empty()) record.holders.push_back({a.begin, a.holder.variable, a.holder.directly});
  }
  trace::record(record);
  return true;
}

}  // namespace

void note_finalized() {
  RuntimeScope const scope;
  end_dual_views();
  Snapshot& now = finalized();
  if (now.process == ::getpid()) return;
  if (take_snapshot(true)) now.process = ::getpid();
}

void replay_finalized(traces::FinalizeRecord const& recorded) {
  Snapshot& now = finalized();
  now.left = all_allocations();
  now.recorded = true;
  if (recorded.called) now.process = ::getpid();
  for (auto const& holder : recorded.holders) {
    auto const held = std::ranges::lower_bound(now.left, holder.address, {}, &Left::begin);
    if (held != now.left.end() && held->begin == holder.address) held->holder = {holder.variable, holder.directly};
  }
}

}  // namespace teamsan

namespace teamsan::detect {
namespace {

/// When those of a group were there.
enum class Fate : std::uint8_t { never_freed, freed_late, not_known, never_finalized };
Reason reason_of(Fate fate) {
  switch (fate) {
    case Fate::never_freed:
      return Reason::never_freed;
    case Fate::freed_late:
      return Reason::freed_after_finalize;
    case Fate::not_known:
      return Reason::there_at_finalize;
    case Fate::never_finalized:
      break;
  }
  return Reason::never_finalized;
}

/// Allocations of one line and label.
struct Group {
  Left const* first = nullptr;  ///< in the order of their making
  Left const* kept = nullptr;   ///< the first that a variable leads to
  struct Part {
    std::uint64_t allocations = 0, bytes = 0;
  };
  std::map<Fate, Part> parts;
  bool all_kept = true;
  std::uint64_t allocations() const {
    std::uint64_t sum = 0;
    for (auto const& [fate, part] : parts) sum += part.allocations;
    return sum;
  }
};

bool is_kokkos_own(Left const& a, Place const& line) {
  return (!line.known() || line.internal) && (a.label.starts_with("Kokkos::") || a.label.starts_with("teamsan::"));
}

bool is_view(Left const& a) { return a.usm == UsmKind::none && a.shape.known(); }

Remedy cure_of(Group const& group) {
  Left const& a = *group.first;
  if (group.all_kept && group.kept->holder.directly && is_view(a))
    return remedy(Cure::release_variable, group.kept->holder.variable);
  if (group.all_kept) return remedy(Cure::free_in_hook);
  if (is_view(a))
    return remedy(group.parts.contains(Fate::never_finalized) ? Cure::finalize_after_views : Cure::end_before_finalize);
  return remedy(a.usm == UsmKind::none ? Cure::kokkos_free : Cure::usm_free);
}

Finding finding_of(Group const& group) {
  Left const& a = *group.first;
  Finding f;
  f.rule = Rule::leak;
  bool const late = !group.parts.contains(Fate::never_freed) && !group.parts.contains(Fate::never_finalized);
  f.title = fmt::format("{} {}", a.usm == UsmKind::system ? "system memory" : memory_name(a.data),
                        late ? "outlives Kokkos::finalize" : "is never freed");
  f.data = {.kind = Data::Kind::view, .label = a.label, .bytes = a.bytes, .address = a.data};
  if (a.shape.known()) f.data.shape = to_string(a.shape);
  Side side;
  side.role = "allocated here";
  side.callers = a.calls;
  f.sides.push_back(std::move(side));
  for (auto const& [fate, part] : group.parts)
    f.why.push_back(because(reason_of(fate), counted(part.allocations, "allocation"), counted(part.bytes, "byte")));
  if (group.kept != nullptr) {
    Holder const& holder = group.kept->holder;
    f.why.push_back(because(holder.directly ? Reason::held_by_variable : Reason::variable_leads_there, holder.variable));
  }
  if (late && is_view(a)) f.why.push_back(because(Reason::view_after_finalize));
  // What a variable keeps may be meant to live as long as the program; a View that is destroyed too late is a mistake anyhow.
  f.severity = group.all_kept && !late ? Severity::warning : Severity::error;
  f.fix = cure_of(group);
  f.count = group.allocations();
  return f;
}

}  // namespace

void report_leaks(ProgramEnd how) {
  static bool told = false;  // a report may be written twice: exec may fail, and a writer crash
  if (told) return;
  told = true;
  Snapshot& at_finalize = finalized();
  bool const is_finalized = at_finalize.process == ::getpid();
  bool const replays = !trace::recording() && !trace::file().empty();
  if (!is_finalized && how == ProgramEnd::own && !replays) take_snapshot(false);
  if (!leaks_are_wanted()) return;
  if (replays && !at_finalize.recorded && how == ProgramEnd::own) {
    Collector::instance().note("the trace was recorded before traces told of Kokkos::finalize: leaks are not looked for");
    return;
  }
  if (!is_finalized && how == ProgramEnd::of_child) return;
  if (!is_finalized && how == ProgramEnd::early) {
    Collector::instance().note(
        fmt::format("{} looked for nothing: the program came neither to Kokkos::finalize nor to its own end",
                    option_to_set("leak_check", "full")));
    return;
  }
  std::vector<Left const*> by_age;
  for (Left const& a : at_finalize.left) by_age.push_back(&a);
  std::ranges::sort(by_age, {}, &Left::serial);
  std::map<std::tuple<std::string, std::string, unsigned>, std::size_t> known;
  std::vector<Group> groups;
  for (Left const* a : by_age) {
    Place const line = user_place({}, a->calls);
    if (is_kokkos_own(*a, line)) continue;
    auto const [at, fresh] = known.try_emplace({a->label, line.path, line.line}, groups.size());
    if (fresh) groups.emplace_back().first = a;
    Group& group = groups[at->second];
    Fate const fate = !is_finalized              ? Fate::never_finalized
                      : a->is_freed()            ? Fate::freed_late
                      : how == ProgramEnd::early ? Fate::not_known
                                                 : Fate::never_freed;
    ++group.parts[fate].allocations;
    group.parts[fate].bytes += a->bytes;
    if (a->holder.variable.empty())
      group.all_kept = false;
    else if (group.kept == nullptr)
      group.kept = a;
  }
  for (Group const& group : groups) Collector::instance().add(finding_of(group));
}

}  // namespace teamsan::detect
