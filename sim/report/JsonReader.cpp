// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JsonReader.hpp"

#include "../base/ReportFile.hpp"
#include "JsonFields.hpp"
#include "JsonReport.hpp"
#include "../../traces/InputFile.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <concepts>
#include <utility>

namespace teamsan {
namespace json {

using Json = nlohmann::json;

namespace {

std::string shown(Json const& json) {
  constexpr std::size_t most = 40;
  if (json.is_structured()) return json.is_array() ? "a list" : "an object";
  std::string const text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

/// A number that is none of the field's type is no smaller or larger one.
template <std::integral T>
void take(Json const& json, char const* field, T& value) {
  auto const fits = [&] {
    if constexpr (std::same_as<T, bool>)
      return json.is_boolean();
    else if (json.is_number_unsigned())
      return std::in_range<T>(json.get<std::uint64_t>());
    else
      return json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
  };
  if (!fits()) throw ReportReadError(fmt::format("its \"{}\" is {}", field, shown(json)));
  json.get_to(value);
}
template <class T>
void take(Json const& json, char const*, T& value) {
  json.get_to(value);
}

Json const& part(Json const& json, char const* field) {
  static Json const nothing = nullptr;
  auto const found = json.find(field);
  return found == json.end() ? nothing : *found;
}

}  // namespace

/// Takes fields out of an object (JsonFields.hpp).
class FieldsIn {
 public:
  static constexpr bool reads = true;
  explicit FieldsIn(Json const& object) : m_object(object) {}

  template <class T>
  void operator()(char const* name, T& value) {
    if (Json const& found = json::part(m_object, name); !found.is_null()) take(found, name, value);
  }
  template <std::integral T>
  void operator()(char const* name, T& value, T least, T most) {
    (*this)(name, value);
    if (value < least || value > most)
      throw ReportReadError(fmt::format("its \"{}\" is {}, and {} to {} is possible", name, value, least, most));
  }
  template <class T, std::size_t n>
  void word(char const* name, Name<T> const (&names)[n], T& value) {
    std::string word;
    (*this)(name, word);
    if (auto const known = value_of(names, word)) value = *known;
  }
  template <class T>
  void optional(char const* name, bool& there, T& value) {
    there = !json::part(m_object, name).is_null();
    (*this)(name, value);
  }
  template <class F>
  void object(char const* name, bool, F const& each) {
    Json const& found = json::part(m_object, name);
    if (!found.is_object()) return;
    FieldsIn in(found);
    each(in);
  }
  template <class T>
  void part(char const* name, T& value) {
    object(name, true, [&](FieldsIn& in) { fields(in, value); });
  }
  template <class T, class F>
  void list(char const* name, std::vector<T>& values, F const& each) {
    for (Json const& entry : json::part(m_object, name)) {
      FieldsIn in(entry);
      T& value = values.emplace_back();
      if (!entry.is_null()) each(in, value);
    }
  }
  template <class T>
  void list(char const* name, std::vector<T>& values) {
    list(name, values, [](FieldsIn& in, T& value) { fields(in, value); });
  }
  template <std::size_t n>
  void numbers(char const* name, std::array<std::int64_t, n>& values, std::size_t, std::int64_t most) {
    std::size_t next = 0;
    for (Json const& entry : json::part(m_object, name)) {
      if (next == n) break;
      std::int64_t& value = values[next++];
      take(entry, name, value);
      if (value < -most || value > most)
        throw ReportReadError(fmt::format("one of its \"{}\" is {}, further than memory reaches", name, value));
    }
  }
  template <class F>
  void made(char const*, F const&) {}

 private:
  Json const& m_object;
};

namespace {

Report report_of(Json const& json) {
  Report report;
  FieldsIn program(json.at("program"));
  fields(program, report.program);
  if (!json.contains("findings")) throw ReportReadError("it has no \"findings\"");
  FieldsIn in(json);
  in.list("findings", report.findings);
  in.list("known", report.known);
  in.list("traffic", report.kernels, [](auto& io, ReportedTraffic& kernel) { traffic_fields(io, kernel, 0, 0); });
  in.part("migrations", report.migrations);
  return report;
}

}  // namespace
}  // namespace json

Report read_json_report(std::string_view text, std::string const& name) {
  using json::Json;
  Json const parsed = Json::parse(text, nullptr, false);
  if (parsed.is_discarded())
    throw ReportReadError(fmt::format("\"{}\" is no JSON: it is cut short, or not written by --report json=FILE", name));
  std::string format;
  if (parsed.is_object() && parsed.contains("format") && parsed["format"].is_string()) parsed["format"].get_to(format);
  if (format != "teamsan-report")
    throw ReportReadError(fmt::format("\"{}\" is no report of TeamSan: write one with --report json=FILE", name));
  Json const& version = json::part(parsed, "version");
  if (version != json_report_version)
    throw ReportReadError(fmt::format("\"{}\" is a report of version {}, and this teamsan reads version {}", name,
                                      json::shown(version), json_report_version));
  try {
    return json::report_of(parsed);
  } catch (std::exception const& error) {
    throw ReportReadError(fmt::format("\"{}\" is no whole report of TeamSan: {}", name, error.what()));
  }
}

Report read_json_report_file(std::string const& file) {
  try {
    return read_json_report(traces::read_text_file(from_start_directory(file)), file);
  } catch (traces::InputError const& error) {
    throw ReportReadError(fmt::format("cannot read \"{}\": {}", file, error.what()));
  }
}

}  // namespace teamsan
