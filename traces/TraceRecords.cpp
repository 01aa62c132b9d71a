// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One function a record lists its fields, to the writing and to the reading side alike.
#include "TraceRecords.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace teamsan::traces {

namespace {

/// Puts fields into bytes.
struct Out {
  Bytes bytes;
  template <class T>
  void field(T const& value) {
    if constexpr (std::is_same_v<T, std::string>)
      put(bytes, std::string_view(value));
    else
      put(bytes, static_cast<std::uint64_t>(value));
  }
  template <class T, class F>
  void list(std::vector<T> const& values, F each, std::uint64_t) {
    put(bytes, values.size());
    for (T const& value : values) each(*this, const_cast<T&>(value));
  }
  void rest(std::span<std::uint8_t const> values) { bytes.insert(bytes.end(), values.begin(), values.end()); }
};

/// Takes them out; what an earlier version did not write stays as it is.
struct In {
  ByteReader bytes;
  template <class T>
  void field(T& value) {
    if (bytes.empty()) return;
    if constexpr (std::is_same_v<T, std::string>)
      value = bytes.text();
    else if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(static_cast<std::underlying_type_t<T>>(bytes.number()));  // version 2 has the whole address
    else
      value = bytes.as<T>();
  }
  /// `most`: what a count may be that is none of this program's.
  template <class T, class F>
  void list(std::vector<T>& values, F each, std::uint64_t most) {
    if (bytes.empty()) return;
    std::uint64_t const count = bytes.number();
    if (count > bytes.left()) throw TraceError("a list is cut off");
    if (count > most) throw TraceError(fmt::format("a list of {} entries, where at most {} are", count, most));
    values.resize(static_cast<std::size_t>(count));
    for (T& value : values) {
      if (bytes.empty()) throw TraceError("a list is cut off");
      each(*this, value);
    }
  }
  void rest(std::span<std::uint8_t const>& values) { values = bytes.bytes(bytes.left()); }
};

constexpr std::uint64_t most_words = 1 << 20, most_names = 1 << 10, most_segments = 1 << 16, most_frames = 1 << 12,
                        most_source_lines = 1 << 20, most_chunk_numbers = 1 << 24;

constexpr auto plain = [](auto& io, auto& value) { io.field(value); };

template <class Io, class... T>
void fields(Io& io, T&... values) {
  (io.field(values), ...);
}

template <class Io>
void list_fields(Io& io, RunRecord& r) {
  fields(io, r.teamsan, r.options);
  io.list(r.arguments, plain, most_words);
  io.field(r.directory);
  io.list(r.spaces, [](auto& to, AddressSpace& s) { fields(to, s.name, s.begin, s.bytes); }, most_names);
  io.list(r.meetings, [](auto& to, MeetingName& m) { fields(to, m.construct, m.whose); }, most_names);
  fields(io, r.warp_width, r.scratch_slots);
}
template <class Io>
void list_fields(Io& io, RunEndRecord& r) {
  io.field(r.crashed);
}
template <class Io>
void list_fields(Io& io, SegmentsRecord& r) {
  io.list(r.segments,
          [](auto& to, SegmentsRecord::Segment& s) { fields(to, s.begin, s.end, s.code, s.writable); }, most_segments);
}
template <class Io>
void list_fields(Io& io, FramesRecord& r) {
  io.field(r.site);
  io.list(r.frames, [](auto& to, FramesRecord::Frame& f) {
    fields(to, f.function, f.file, f.line, f.column, f.internal, f.clang);
  }, most_frames);
}
template <class Io>
void list_fields(Io& io, SourceRecord& r) {
  fields(io, r.file, r.first);
  io.list(r.lines, plain, most_source_lines);
}
template <class Io>
void list_fields(Io& io, VariableRecord& r) {
  fields(io, r.address, r.name);
}
template <class Io>
void list_fields(Io& io, FieldRecord& r) {
  fields(io, r.site, r.type, r.bytes, r.byte, r.name);
}
template <class Io>
void list_fields(Io& io, FindingIdRecord& r) {
  io.field(r.id);
}
template <class Io>
void list_fields(Io& io, ShapeFields& s) {
  fields(io, s.type, s.layout, s.element_bytes);
  io.list(s.extents, plain, most_names);
  io.list(s.strides, plain, most_names);
}
template <class Io>
void list_fields(Io& io, AllocateRecord& r) {
  fields(io, r.space, r.address, r.bytes, r.header_bytes, r.label);
  list_fields(io, r.shape);
  io.field(r.system);
  io.list(r.calls, plain, most_frames);
}
template <class Io>
void list_fields(Io& io, UsmAllocationRecord& r) {
  fields(io, r.address, r.kind, r.context);
}
template <class Io>
void list_fields(Io& io, UsmFreeRecord& r) {
  fields(io, r.address, r.context);
}
template <class Io>
void list_fields(Io& io, UsmContextRecord& r) {
  fields(io, r.instance, r.context);
}
template <class Io>
void list_fields(Io& io, TransferRecord& r) {
  fields(io, r.what, r.preposition, r.address, r.bytes, r.context);
}
template <class Io>
void list_fields(Io& io, PrefetchRecord& r) {
  fields(io, r.address, r.bytes, r.to_device);
}
template <class Io>
void list_fields(Io& io, HostTouchRecord& r) {
  fields(io, r.address, r.bytes);
}
template <class Io>
void list_fields(Io& io, FreeRecord& r) {
  io.field(r.address);
}
template <class Io>
void list_fields(Io& io, CopyRecord& r) {
  fields(io, r.to, r.from, r.bytes);
}
template <class Io>
void list_fields(Io& io, InitialisedRecord& r) {
  fields(io, r.address, r.bytes);
}
template <class Io>
void list_fields(Io& io, FenceRecord& r) {
  io.field(r.instance);
}
template <class Io>
void list_fields(Io&, InstancesRecord&) {}
template <class Io>
void list_fields(Io& io, PendingRecord& r) {
  fields(io, r.writes, r.result, r.instance, r.address, r.bytes, r.fill);
}
template <class Io>
void list_fields(Io& io, HostAccessRecord& r) {
  fields(io, r.kind, r.address, r.bytes, r.site);
}
template <class Io>
void list_fields(Io& io, HostThreadRecord& r) {
  io.field(r.number);
}
template <class Io>
void list_fields(Io& io, FinalizeRecord& r) {
  io.list(r.holders,
          [](auto& to, FinalizeRecord::Holder& h) { fields(to, h.address, h.variable, h.directly); }, most_words);
  io.field(r.called);
}
template <class Io>
void list_fields(Io& io, StackRecord& r) {
  io.list(r.frames, plain, most_frames);
}
template <class Io>
void list_fields(Io& io, LaunchConfigFields& c) {
  fields(io, c.label, c.region, c.pattern, c.policy, c.league_size, c.team_size, c.vector_length, c.instance,
         c.team_scratch[0], c.team_scratch[1], c.thread_scratch[0], c.thread_scratch[1]);
}
template <class Io>
void list_fields(Io& io, LimitRecord& r) {
  io.field(r.kind);
  list_fields(io, r.config);
  fields(io, r.requested, r.maximum, r.message);
}
template <class Io>
void list_fields(Io& io, LaunchRecord& r) {
  io.field(r.number);
  list_fields(io, r.config);
  fields(io, r.kernel_bytes, r.checked);
  io.list(r.calls, plain, most_frames);
}
template <class Io>
void list_fields(Io& io, PieceRecord& r) {
  fields(io, r.launch, r.league_rank, r.first, r.last, r.accesses);
  io.rest(r.bytes);
}
template <class Io>
void list_fields(Io& io, VerdictsRecord& r) {
  fields(io, r.launch, r.league_rank);
  io.list(r.verdicts, plain, most_chunk_numbers);
}
template <class Io>
void list_fields(Io& io, LaunchEndRecord& r) {
  fields(io, r.number, r.ordered, r.crashed);
}
template <class Io>
void list_fields(Io& io, FindingRecord& r) {
  fields(io, r.rule, r.severity, r.title, r.kernel, r.label, r.launch, r.offset, r.count);
  io.list(r.sides, [](auto& to, FindingRecord::Side& s) {
    fields(to, s.site, s.has_lane, s.has_interval, s.league, s.interval, s.thread, s.vector_lane, s.access, s.role);
  }, most_names);
}

}  // namespace

AddressSpace const* space_of(RunRecord const& run, std::uint64_t address) {
  for (AddressSpace const& s : run.spaces)
    if (address - s.begin < s.bytes) return &s;
  return nullptr;
}

template <class T>
Bytes encode(T const& record) {
  Out out;
  list_fields(out, const_cast<T&>(record));
  return std::move(out.bytes);
}

// What no record of a TeamSan's says, and no reader looks at again.
template <class T>
void check(T const&) {}
void check(SourceRecord const& r) {
  if (r.first == 0 || r.first > most_source_lines || r.lines.size() > most_source_lines)
    throw TraceError(fmt::format("lines of a source from line {} on", r.first));
}
void check(LaunchRecord const& r) {
  std::uint64_t const lanes = std::uint64_t{r.config.team_size} * r.config.vector_length;
  if (lanes > most_lanes) throw TraceError(fmt::format("a team of {} lanes", lanes));
}

template <class T>
T decode(std::span<std::uint8_t const> bytes) {
  T record;
  In in{ByteReader(bytes)};
  list_fields(in, record);
  check(record);
  return record;
}

#define TEAMSAN_RECORD(Record, name, number)    \
  template Bytes encode<Record>(Record const&); \
  template Record decode<Record>(std::span<std::uint8_t const>);
#include "Records.def"
template Bytes encode<ShapeFields>(ShapeFields const&);
template ShapeFields decode<ShapeFields>(std::span<std::uint8_t const>);

}  // namespace teamsan::traces
