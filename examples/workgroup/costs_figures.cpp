// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws docs/workgroup-costs.md and .svg out of JSON reports of the machine model:
//   workgroup_costs TABLE.md PLOT.svg WARP.json EXAMPLE.json...
// WARP.json is of example_warp_costs, the others of any program. examples/workgroup/costs makes all of them.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Json = nlohmann::json;

constexpr int most_items = 16;
constexpr std::string_view algorithms[] = {"direct", "striped", "vectorize", "transpose"};
constexpr std::string_view types[] = {"float", "double"};

Json read(std::string const& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  return Json::parse(stream);
}

void write(std::string const& file, std::string const& text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file);
}

struct Cost {
  double sectors, ideal, scratch_wavefronts;  ///< per request of global memory
  bool operator==(Cost const&) const = default;
};

/// Of the kernels of warp_costs.hpp, by label.
class Costs {
 public:
  explicit Costs(Json const& report) {
    for (Json const& kernel : report.at("traffic")) m_kernels[kernel.at("kernel")] = kernel;
  }

  Cost of(std::string_view operation, std::string_view type, int items, std::string_view algorithm) const {
    std::string const label = fmt::format("{} {} {} {}", operation, type, items, algorithm);
    auto const found = m_kernels.find(label);
    if (found == m_kernels.end()) throw std::runtime_error("the report has no kernel \"" + label + '"');
    Json const& global = found->second.at(fmt::format("global_{}s", operation));
    auto const count = [](Json const& counts, char const* what) { return counts.at(what).get<double>(); };
    double const requests = count(global, "requests");
    double const wavefronts = count(found->second.at("scratch_stores"), "wavefronts") +
                              count(found->second.at("scratch_loads"), "wavefronts");
    return {count(global, "sectors") / requests, count(global, "ideal_sectors") / requests, wavefronts / requests};
  }

 private:
  std::map<std::string, Json> m_kernels;
};

std::string cell(Cost const& cost) {
  return cost.sectors == cost.ideal ? fmt::format("{:g}", cost.sectors)
                                    : fmt::format("{:g} ({:g})", cost.sectors, cost.ideal);
}

std::string warp_table(Costs const& costs, std::string_view operation, std::string_view type) {
  std::string text = fmt::format(
      "\n`warp_{}`, {}: sectors per request\n\n"
      "| items | direct | striped | vectorize | transpose | transpose: scratch wavefronts per request |\n"
      "|---|---|---|---|---|---|\n",
      operation, type);
  for (int items = 1; items <= most_items; ++items) {
    text += fmt::format("| {} |", items);
    for (auto const algorithm : algorithms) text += ' ' + cell(costs.of(operation, type, items, algorithm)) + " |";
    text += fmt::format(" {:g} |\n", costs.of(operation, type, items, "transpose").scratch_wavefronts);
  }
  return text;
}

bool loads_cost_as_stores(Costs const& costs) {
  for (auto const type : types)
    for (int items = 1; items <= most_items; ++items)
      for (auto const algorithm : algorithms)
        if (!(costs.of("load", type, items, algorithm) == costs.of("store", type, items, algorithm))) return false;
  return true;
}

std::string examples_table(std::vector<Json> const& reports) {
  std::string text =
      "| program | kernel | accesses | requests | wavefronts (least) | sectors (least) |\n|---|---|---|---|---|---|\n";
  for (Json const& report : reports) {
    std::string program = report.at("program").at("arguments").at(0);
    program = program.substr(program.rfind('/') + 1);
    for (Json const& kernel : report.at("traffic")) {
      std::string const label = kernel.at("kernel");
      if (label == "fill" || label.starts_with("Kokkos::")) continue;
      for (std::string const kind : {"scratch_loads", "scratch_stores", "scratch_atomics", "global_loads",
                                     "global_stores", "global_atomics"}) {
        Json const& counts = kernel.at(kind);
        if (counts.at("requests") == 0) continue;
        auto const pair = [&](std::string const& what, bool shown) {
          return shown ? fmt::format("{} ({})", counts.at(what).get<long>(), counts.at("ideal_" + what).get<long>())
                       : std::string();
        };
        std::string words = kind;
        words[words.find('_')] = ' ';
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", program, label, words,
                            counts.at("requests").get<long>(), pair("wavefronts", kind[0] == 's'),
                            pair("sectors", kind[0] == 'g'));
      }
    }
  }
  return text;
}

/// One panel of the plot: a quantity by items, a line an algorithm.
struct Panel {
  std::string title;
  double top;  ///< of the axis
  double (*value)(Cost const&);
};

class Plot {
 public:
  std::string draw(Costs const& costs) {
    m_text += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        width, height);
    for (int i = 0; i < 4; ++i) {
      double const x = left + i * 130;
      line({{x, 20}, {x + 30, 20}}, i);
      m_text += fmt::format("<text x=\"{}\" y=\"24\">{}</text>\n", x + 38, algorithms[i]);
    }
    Panel const panels[] = {
        {"sectors per request", 32, [](Cost const& c) { return c.sectors; }},
        {"sectors moved over sectors needed", 8, [](Cost const& c) { return c.sectors / c.ideal; }},
        {"scratch wavefronts per request", 4, [](Cost const& c) { return c.scratch_wavefronts; }}};
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 2; ++column)
        panel(costs, panels[row], types[column], left + column * column_width, 60 + row * row_height);
    return m_text + "</svg>\n";
  }

 private:
  static constexpr int left = 50, column_width = 340, row_height = 190, width = 710, height = 640;
  static constexpr int panel_width = 280, panel_height = 120;
  struct Point {
    double x, y;
  };

  // Colours that stay apart for the colour-blind; a line on top of another is thinner or dashed, so that both show.
  void line(std::vector<Point> const& points, int algorithm) {
    constexpr std::string_view styles[] = {"stroke=\"#d55e00\" stroke-width=\"6\" stroke-opacity=\"0.55\"",
                                           "stroke=\"#0072b2\" stroke-width=\"6\" stroke-opacity=\"0.55\"",
                                           "stroke=\"#009e73\" stroke-width=\"2\"",
                                           "stroke=\"#000000\" stroke-width=\"2\" stroke-dasharray=\"5 4\""};
    m_text += "<polyline fill=\"none\" points=\"";
    for (Point const& p : points) m_text += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
    m_text.back() = '"';
    m_text += fmt::format(" {}/>\n", styles[algorithm]);
  }

  void panel(Costs const& costs, Panel const& panel, std::string_view type, int x, int y) {
    m_text += fmt::format("<text x=\"{}\" y=\"{}\">{}, {}</text>\n", x, y - 8, panel.title, type);
    for (int tick = 0; tick <= 4; ++tick) {
      double const value = panel.top * tick / 4, at = y + panel_height * (1 - tick / 4.0);
      m_text += fmt::format(
          "<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#dddddd\"/>\n"
          "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#555555\">{:g}</text>\n",
          x, at, x + panel_width, at, x - 6, at + 4, value);
    }
    auto const across = [&](int items) { return x + panel_width * (items - 0.5) / most_items; };
    for (int const items : {1, 4, 8, 12, 16})
      m_text += fmt::format(
          "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{}</text>\n", across(items),
          y + panel_height + 16, items);
    m_text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">items a lane</text>\n",
                          x + panel_width / 2, y + panel_height + 32);
    for (int algorithm = 0; algorithm < 4; ++algorithm) {
      std::vector<Point> points;
      for (int items = 1; items <= most_items; ++items) {
        double const value = panel.value(costs.of("store", type, items, algorithms[algorithm]));
        points.push_back({across(items), y + panel_height * (1 - value / panel.top)});
      }
      line(points, algorithm);
    }
  }

  std::string m_text;
};

}  // namespace

int main(int argc, char* argv[]) try {
  if (argc < 4) throw std::runtime_error("usage: workgroup_costs TABLE.md PLOT.svg WARP.json EXAMPLE.json...");
  Json const warp = read(argv[3]);
  Costs const costs(warp);
  std::vector<Json> examples;
  for (int i = 4; i < argc; ++i) examples.push_back(read(argv[i]));

  std::string text = fmt::format(
      "# What the vocabulary costs on the machine model\n\n"
      "Written by `examples/workgroup/costs`, which runs the programs with `teamsan run --check all,perf --device {}`;\n"
      "`ctest -R workgroup/costs` compares. machine-model.md says what is counted.\n\n"
      "## Warp stores and loads\n\n"
      "A warp of 32 lanes moves 32 * items elements. In parentheses: the sectors that the lanes' bytes would fill side by\n"
      "side, where more were moved. A request of `vectorize` moves up to 16 bytes a lane, so it has more sectors and there\n"
      "are fewer of them; an odd number of items falls back to `direct`.\n\n"
      "![Sectors and wavefronts by items](workgroup-costs.svg)\n",
      warp.at("program").at("device").get<std::string>());
  bool const same = loads_cost_as_stores(costs);
  for (auto const type : types) text += warp_table(costs, "store", type);
  if (same)
    text += "\nLoads cost the same as stores in every row.\n";
  else
    for (auto const type : types) text += warp_table(costs, "load", type);
  text += "\n## The example programs\n\nAll launches of a kernel together.\n\n" + examples_table(examples);
  write(argv[1], text);
  write(argv[2], Plot().draw(costs));
} catch (std::exception const& error) {
  std::fprintf(stderr, "workgroup_costs: %s\n", error.what());
  return 2;
}
