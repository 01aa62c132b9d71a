// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JsonReport.hpp"

#include "Causes.hpp"
#include "JsonFields.hpp"
#include "Ranking.hpp"
#include "TextReport.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace teamsan {
namespace json {

using OrderedJson = nlohmann::ordered_json;

/// Puts fields into an object (JsonFields.hpp).
class FieldsOut {
 public:
  static constexpr bool reads = false;
  explicit FieldsOut(OrderedJson& object) : m_object(object) { m_object = OrderedJson::object(); }

  template <class T>
  void operator()(char const* name, T const& value) {
    m_object[name] = value;
  }
  template <class T>
  void operator()(char const* name, T const& value, T, T) {
    m_object[name] = value;
  }
  template <class T, std::size_t n>
  void word(char const* name, Name<T> const (&names)[n], T const& value) {
    m_object[name] = word_of(names, value);
  }
  template <class T>
  void optional(char const* name, bool there, T const& value) {
    m_object[name] = there ? OrderedJson(value) : OrderedJson(nullptr);
  }
  template <class F>
  void object(char const* name, bool there, F const& each) {
    OrderedJson& json = m_object[name] = nullptr;
    if (!there) return;
    FieldsOut out(json);
    each(out);
  }
  template <class T>
  void part(char const* name, T const& value) {
    object(name, is_there(value), [&](FieldsOut& out) { fields(out, value); });
  }
  template <class T, class F>
  void list(char const* name, std::vector<T> const& values, F const& each) {
    OrderedJson& json = m_object[name] = OrderedJson::array();
    for (T const& value : values) {
      OrderedJson& entry = json.emplace_back(nullptr);
      if (!is_there(value)) continue;
      FieldsOut out(entry);
      each(out, value);
    }
  }
  template <class T>
  void list(char const* name, std::vector<T> const& values) {
    list(name, values, [](FieldsOut& out, T const& value) { fields(out, value); });
  }
  template <std::size_t n>
  void numbers(char const* name, std::array<std::int64_t, n> const& values, std::size_t count, std::int64_t) {
    OrderedJson& json = m_object[name] = OrderedJson::array();
    for (std::size_t i = 0; i != count; ++i) json.push_back(values[i]);
  }
  template <class F>
  void made(char const* name, F const& value) {
    m_object[name] = value();
  }

 private:
  OrderedJson& m_object;
};

namespace {

/// Of the kernel, in the ranking of its program.
OrderedJson cost_json(ReportedTraffic const& kernel, std::vector<RankedKernel> const& ranked) {
  auto const found = std::ranges::find(ranked, &kernel, &RankedKernel::kernel);
  if (found == ranked.end()) return nullptr;
  return {{"rank", found - ranked.begin() + 1},
          {"share", found->share},
          {"seconds", found->cost.seconds()},
          {"bound", bound_name(found->cost.bound())},
          {"scratch_seconds", found->cost.scratch},
          {"memory_seconds", found->cost.memory},
          {"launch_seconds", found->cost.launches},
          {"bytes_moved", found->bytes.moved},
          {"bytes_ideal", found->bytes.ideal},
          {"bytes_asked", found->bytes.asked}};
}

/// Bytes by the memory that they lie in.
OrderedJson spaces_json(ReportedTraffic const& kernel, model::Device const* device) {
  OrderedJson spaces = OrderedJson::array();
  if (device == nullptr) return spaces;
  for (SpaceBytes const& space : bytes_by_space(kernel, *device))
    spaces.push_back({{"space", space.name},
                      {"moved", space.bytes.moved},
                      {"ideal", space.bytes.ideal},
                      {"asked", space.bytes.asked}});
  return spaces;
}

OrderedJson report_json(Report const& report) {
  OrderedJson json;
  FieldsOut out(json);
  out("format", "teamsan-report");
  out("version", json_report_version);
  out.part("program", report.program);
  out("errors", report.count(Severity::error));
  out("warnings", report.count(Severity::warning));
  out("infos", report.count(Severity::info));
  std::vector<std::size_t> const first = first_of_cause(report.findings);
  std::size_t next = 0;
  out.list("findings", report.findings, [&](auto& io, ReportedFinding const& found) {
    fields(io, found);
    io("rerun", rerun_command(found, report.program));
    std::size_t const i = next++;
    io.optional("cause", first[i] != i, report.findings[first[i]].id);
  });
  out.list("known", report.known);
  std::vector<RankedKernel> const ranked = ranking(report);
  model::Device const* const device = model::find_device(report.program.device_name);
  out.list("traffic", report.kernels, [&](auto& io, ReportedTraffic const& kernel) {
    traffic_fields(io, kernel, [&] { return cost_json(kernel, ranked); }, [&] { return spaces_json(kernel, device); });
  });
  out.part("migrations", report.migrations);
  return json;
}

}  // namespace
}  // namespace json

std::string json_report(Report const& report) {
  return json::report_json(report).dump(2, ' ', false, json::OrderedJson::error_handler_t::replace) + '\n';
}

}  // namespace teamsan
