// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OutputDifference.hpp"

#include "../findings/TextLayout.hpp"
#include "../host/Outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace teamsan::cli {
namespace {

enum class Kind { real8, real4, whole8, whole4, byte };

struct Element {
  Kind kind;
  std::size_t bytes;
  std::string_view name;
};

template <class T>
T at(std::string const& data, std::size_t offset) {
  T value;
  std::memcpy(&value, data.data() + offset, sizeof value);
  return value;
}

bool usual(double value) { return value == 0 || (std::fabs(value) > 1e-30 && std::fabs(value) < 1e30); }

/// Are all elements of that type such as programs compute with?
template <class T, class Test>
bool all_of(std::string const& data, Test test) {
  for (std::size_t i = 0; i + sizeof(T) <= data.size(); i += sizeof(T))
    if (!test(at<T>(data, i))) return false;
  return true;
}

/// Small integers are denormal as floating-point numbers, which tells the two apart.
Element judged_element(std::string const& a, std::string const& b) {
  auto const both = [&]<class T>(T, auto test) { return all_of<T>(a, test) && all_of<T>(b, test); };
  bool const words8 = a.size() % 8 == 0, words4 = a.size() % 4 == 0;
  if (words8) {
    bool const low_zero = both(std::uint64_t{}, [](std::uint64_t v) { return (v & 0xffffffffu) == 0; });
    bool const floats = both(float{}, [](float v) { return usual(v); });
    if (both(double{}, [](double v) { return usual(v); }) && (low_zero || !floats))
      return {Kind::real8, 8, "double"};
    auto const sign = [](std::int64_t v) { return v >= -(1ll << 31) && v < 1ll << 31; };
    if (both(std::int64_t{}, sign)) return {Kind::whole8, 8, "64-bit integer"};
  }
  if (words4) {
    if (both(float{}, [](float v) { return usual(v); })) return {Kind::real4, 4, "float"};
    return {Kind::whole4, 4, "32-bit integer"};
  }
  return {Kind::byte, 1, "byte"};
}

double real_at(std::string const& data, Element const& shape, std::size_t i) {
  return shape.kind == Kind::real8 ? at<double>(data, i * 8) : double{at<float>(data, i * 4)};
}

std::string value_at(std::string const& data, Element const& shape, std::size_t i) {
  switch (shape.kind) {
    case Kind::real8:
      return fmt::format("{}", at<double>(data, i * 8));
    case Kind::real4:
      return fmt::format("{}", at<float>(data, i * 4));
    case Kind::whole8:
      return fmt::format("{}", at<std::int64_t>(data, i * 8));
    case Kind::whole4:
      return fmt::format("{}", at<std::int32_t>(data, i * 4));
    case Kind::byte:
      return fmt::format("{}", at<std::uint8_t>(data, i));
  }
  return {};
}

/// The type that the View has, where it is one that can be printed.
std::optional<Element> known_element(Output const& output) {
  struct Name {
    std::string_view type;
    Element shape;
  };
  static constexpr Name names[] = {{"double", {Kind::real8, 8, "double"}},
                                   {"float", {Kind::real4, 4, "float"}},
                                   {"int", {Kind::whole4, 4, "int"}},
                                   {"unsigned int", {Kind::whole4, 4, "unsigned int"}},
                                   {"long", {Kind::whole8, 8, "long"}},
                                   {"unsigned long", {Kind::whole8, 8, "unsigned long"}},
                                   {"long long", {Kind::whole8, 8, "long long"}},
                                   {"unsigned long long", {Kind::whole8, 8, "unsigned long long"}}};
  std::string_view type = output.type;
  if (type.starts_with("const ")) type.remove_prefix(6);
  for (Name const& name : names)
    if (type == name.type && output.shape.element_bytes == name.shape.bytes &&
        output.offset % name.shape.bytes == 0)
      return name.shape;
  return std::nullopt;
}

/// Precondition: equal sizes, and the data are there.
void name_element(OutputDifference& d, Output const& a, Output const& b) {
  std::optional<Element> const known = known_element(a);
  Element const shape = known ? *known : judged_element(a.data, b.data);
  std::size_t const elements = a.data.size() / shape.bytes;
  auto const differs = [&](std::size_t i) {
    return std::memcmp(a.data.data() + i * shape.bytes, b.data.data() + i * shape.bytes, shape.bytes) != 0;
  };
  std::size_t i = 0;
  while (!differs(i)) ++i;
  d.count = 1;
  for (std::size_t j = i + 1; j < elements; ++j) d.count += differs(j);
  std::uint64_t const first = a.offset / shape.bytes;
  std::uint64_t const byte = a.offset + i * shape.bytes;
  std::string const index = index_of(a.shape, byte);
  d.element = !index.empty() ? index : fmt::format("element {}", with_commas(first + i));
  d.element += fmt::format(" ({}{}, byte {})", known ? "" : "taken as ", shape.name, byte);
  d.first = value_at(a.data, shape, i);
  d.second = value_at(b.data, shape, i);
  if (shape.kind != Kind::real8 && shape.kind != Kind::real4) return;
  double const x = real_at(a.data, shape, i), y = real_at(b.data, shape, i);
  d.relative = fmt::format("{:.2g}", std::fabs(x - y) / std::max(std::fabs(x), std::fabs(y)));
}

OutputDifference difference(Output const& a, Output const& b) {
  OutputDifference d;
  d.label = a.label;
  d.kernel = a.kernel;
  d.launch = a.launch;
  d.device_only = a.kind == Output::Kind::device_only;
  if (a.label != b.label || a.kind != b.kind) {
    d.element = "another View takes its place under the other schedule";
    d.first = fmt::format("\"{}\"", a.label);
    d.second = fmt::format("\"{}\"", b.label);
  } else if (a.bytes != b.bytes || a.offset != b.offset) {
    d.element = "another part of it";
    d.first = fmt::format("{} from byte {}", counted(a.bytes, "byte"), a.offset);
    d.second = fmt::format("{} from byte {}", counted(b.bytes, "byte"), b.offset);
  } else if (a.data.size() != a.bytes || b.data.size() != b.bytes) {
    d.element = fmt::format("{}, too many to keep: which one differs is not known", counted(a.bytes, "byte"));
    d.first = fmt::format("hash {:016x}", a.hash);
    d.second = fmt::format("hash {:016x}", b.hash);
  } else {
    name_element(d, a, b);
  }
  return d;
}

}  // namespace

std::string OutputDifference::place() const {
  std::string text = fmt::format("\"{}\" {}", label, element);
  if (count > 1) text += fmt::format(", the first of {}", with_commas(count));
  text += device_only ? ", as freed" : ", as the host got it";
  if (!kernel.empty()) text += fmt::format(", after kernel \"{}\" (launch #{})", kernel, launch);
  return text;
}

std::vector<OutputDifference> compare_outputs(std::string const& first, std::string const& second) {
  OutputReader a(first), b(second);
  std::vector<OutputDifference> found;
  for (Output x, y;;) {
    bool const more_x = a.next(x), more_y = b.next(y);
    if (!more_x && !more_y) return found;
    if (more_x != more_y) {
      OutputDifference d;
      d.label = more_x ? x.label : y.label;
      d.kernel = more_x ? x.kernel : y.kernel;
      d.launch = more_x ? x.launch : y.launch;
      d.element = "an output of one schedule alone";
      d.first = more_x ? "there" : "missing";
      d.second = more_y ? "there" : "missing";
      found.push_back(std::move(d));
      return found;
    }
    bool const same = x.label == y.label && x.kind == y.kind && x.bytes == y.bytes && x.offset == y.offset &&
                      x.hash == y.hash;
    bool const known =
        std::any_of(found.begin(), found.end(), [&](auto const& d) { return d.label == x.label; });
    if (same || known) continue;
    found.push_back(difference(x, y));
    if (x.label != y.label || x.kind != y.kind) return found;  // the two no longer go side by side
  }
}

}  // namespace teamsan::cli
