// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fields.hpp"

#include "../base/PatientMutex.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace teamsan::trace {

namespace {

std::string_view kept_forever(std::string const& text) {
  static PatientMutex& mutex = *new PatientMutex;
  static auto& texts = *new std::unordered_set<std::string>;
  std::lock_guard const lock(mutex);
  return *texts.insert(text).first;
}

std::string as_text(traces::Bytes const& bytes) { return {bytes.begin(), bytes.end()}; }

traces::ByteReader reader_of(std::string_view text) {
  return traces::ByteReader({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

}  // namespace

traces::LaunchConfigFields fields_of(LaunchConfig const& c) {
  traces::LaunchConfigFields f;
  f.label = c.label;
  f.region = c.region;
  f.pattern = static_cast<std::uint8_t>(c.pattern);
  f.policy = static_cast<std::uint8_t>(c.policy);
  f.league_size = c.league_size;
  f.team_size = c.team_size;
  f.vector_length = c.vector_length;
  f.instance = c.instance;
  std::copy_n(c.team_scratch, 2, f.team_scratch);
  std::copy_n(c.thread_scratch, 2, f.thread_scratch);
  return f;
}

LaunchConfig config_of(traces::LaunchConfigFields const& f) {
  LaunchConfig c;
  c.label = f.label;
  c.region = f.region;
  c.pattern = static_cast<Pattern>(f.pattern);
  c.policy = static_cast<Policy>(f.policy);
  c.league_size = f.league_size;
  c.team_size = f.team_size;
  c.vector_length = f.vector_length;
  c.instance = f.instance;
  std::copy_n(f.team_scratch, 2, c.team_scratch);
  std::copy_n(f.thread_scratch, 2, c.thread_scratch);
  return c;
}

traces::ShapeFields fields_of(Shape const& s) {
  traces::ShapeFields f;
  if (!s.known()) return f;
  f.type = s.type;
  f.layout = s.layout;
  f.element_bytes = s.element_bytes;
  f.extents.assign(s.extents, s.extents + s.rank);
  f.strides.assign(s.strides, s.strides + s.rank);
  return f;
}

Shape shape_of(traces::ShapeFields const& f) {
  Shape s;
  if (f.element_bytes == 0 || f.extents.size() > Shape::max_rank || f.strides.size() != f.extents.size()) return s;
  s.type = kept_forever(f.type);
  s.layout = kept_forever(f.layout);
  s.element_bytes = f.element_bytes;
  s.rank = static_cast<std::uint32_t>(f.extents.size());
  std::copy(f.extents.begin(), f.extents.end(), s.extents);
  std::copy(f.strides.begin(), f.strides.end(), s.strides);
  return s;
}

std::string definition_of(ScratchRequest const& r) {
  // Every lane asks: short, so that the text needs no allocation. A team's piece is the same for all threads.
  std::string text;
  for (std::uint64_t v :
       {std::uint64_t(r.level), std::uint64_t{r.per_thread}, std::uint64_t{r.per_thread ? r.thread : 0},
        std::uint64_t{r.begin}, std::uint64_t{r.bytes}, std::uint64_t{r.alignment}}) {
    for (; v >= 0x80; v >>= 7) text += static_cast<char>(v | 0x80);
    text += static_cast<char>(v);
  }
  return text;
}

ScratchRequest scratch_request_of(std::string_view definition) {
  traces::ByteReader in = reader_of(definition);
  ScratchRequest r{};
  r.level = in.as<int>();
  r.per_thread = in.number() != 0;
  r.thread = in.as<std::uint32_t>();
  r.begin = in.number();
  r.bytes = in.number();
  r.alignment = in.number();
  return r;
}

std::string definition_of(std::string_view name, Shape const& shape) {
  traces::Bytes bytes;
  traces::put(bytes, name);
  traces::Bytes const fields = traces::encode(fields_of(shape));
  bytes.insert(bytes.end(), fields.begin(), fields.end());
  return as_text(bytes);
}

ScratchName scratch_name_of(std::string_view definition) {
  traces::ByteReader in = reader_of(definition);
  ScratchName result;
  result.name = in.text();
  result.shape = shape_of(traces::decode<traces::ShapeFields>(in.bytes(in.left())));
  return result;
}

std::string definition_of(OwnArrayIndex const& array) {
  traces::Bytes bytes;
  for (std::uint64_t const n : {static_cast<std::uint64_t>(array.index), static_cast<std::uint64_t>(array.elements),
                                std::uint64_t{array.bytes}, std::uint64_t{array.writes}})
    traces::put(bytes, n);
  return as_text(bytes) + std::string(array.name);
}

OwnArrayIndex own_array_of(std::string_view definition) {
  traces::ByteReader in = reader_of(definition);
  OwnArrayIndex array;
  array.index = static_cast<std::int64_t>(in.number());
  array.elements = static_cast<std::int64_t>(in.number());
  array.bytes = in.as<std::uint32_t>();
  array.writes = in.number() != 0;
  array.name = definition.substr(definition.size() - in.left());
  return array;
}

std::string definition_of(LaneEnd const& end) {
  traces::Bytes bytes;
  traces::put(bytes, std::uint64_t{end.known} | std::uint64_t{end.has_address} << 1);
  traces::put(bytes, std::string_view(end.what));
  traces::put(bytes, std::uint64_t{number_of(end.site)});
  traces::put(bytes, end.address);
  traces::put(bytes, std::uint64_t{end.callers.size()});
  for (Site const caller : end.callers) traces::put(bytes, std::uint64_t{number_of(caller)});
  traces::put(bytes, std::string_view(packed(end.fix)));
  for (Because const& why : end.why) traces::put(bytes, std::string_view(packed(why)));
  return as_text(bytes);
}

LaneEnd lane_end_of(std::string_view definition) {
  traces::ByteReader in = reader_of(definition);
  LaneEnd end;
  std::uint64_t const known = in.number();
  end.known = known & 1;
  end.what = in.text();
  end.site = static_cast<Site>(static_cast<std::uint32_t>(in.number()));
  end.address = in.number();
  end.has_address = known & 2 || end.address != 0;
  for (std::uint64_t const caller : in.numbers()) end.callers.push_back(static_cast<Site>(static_cast<std::uint32_t>(caller)));
  if (in.left() != 0) end.fix = unpacked_cure(in.text());
  while (in.left() != 0) end.why.push_back(unpacked_reason(in.text()));
  return end;
}

}  // namespace teamsan::trace
