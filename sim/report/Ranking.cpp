// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ranking.hpp"

#include "../findings/TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan {
namespace {

constexpr std::size_t one_screen = 15;
constexpr std::size_t widest_kernel = 34;

/// "12.3 us", "4.56 ms".
std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

}  // namespace

std::string_view bound_name(model::CostBound bound) {
  switch (bound) {
    case model::CostBound::scratch:
      return "scratch";
    case model::CostBound::memory:
      return "memory";
    case model::CostBound::launches:
      return "launches";
  }
  return "";
}

std::string gain_text(Gain const& gain) {
  std::string text = fmt::format("{} {} of {} {}", gain.at_most ? "up to" : "about", with_commas(gain.saved),
                                 with_commas(gain.of), gain.banked ? "wavefronts" : "sectors");
  if (!gain.priced) return text;
  if (gain.share >= 0.0005)
    return text + fmt::format(", {:.1f} % of the kernel's modelled cost ({})", 100 * gain.share, time_text(gain.seconds));
  return text + fmt::format(", none of the kernel's modelled cost, which {} bound{}", bound_name(gain.bound),
                            gain.bound == model::CostBound::launches ? "" : "s");
}

std::vector<RankedKernel> ranking(Report const& report) {
  std::vector<RankedKernel> ranked;
  model::Device const* const device = model::find_device(report.program.device_name);
  if (device == nullptr || device->memory_rate == 0) return ranked;
  double sum = 0;
  for (ReportedTraffic const& kernel : report.kernels) {
    ranked.push_back({&kernel, model::modelled_cost(*device, work_of(kernel)), 0, moved_bytes(kernel, *device)});
    sum += ranked.back().cost.seconds();
  }
  for (RankedKernel& r : ranked) r.share = sum == 0 ? 0 : r.cost.seconds() / sum;
  std::ranges::stable_sort(ranked,
                           [](RankedKernel const& a, RankedKernel const& b) { return a.cost.seconds() > b.cost.seconds(); });
  return ranked;
}

std::string ranking_table(Report const& report) {
  std::vector<RankedKernel> const ranked = ranking(report);
  if (ranked.empty()) return {};
  std::string text = header_line(fmt::format("kernels by modelled cost on {}", report.program.device),
                                 counted(ranked.size(), "kernel")) + '\n';
  text += fmt::format(" {:>7}{:>10}{:>11}  {:<9}{:>16}{:>7}  {}\n", "share", "launches", "at least", "bound by", "bytes moved",
                      "ideal", "kernel");
  for (RankedKernel const& r : ranked) {
    if (&r - ranked.data() == one_screen) break;
    std::string const& label = r.kernel->kernel;
    text += fmt::format(
        " {:>5.1f} %{:>10}{:>11}  {:<9}{:>16}{:>5.0f} %  {}\n", 100 * r.share, with_commas(r.kernel->launches),
        time_text(r.cost.seconds()), bound_name(r.cost.bound()), with_commas(r.bytes.moved),
        r.bytes.moved == 0 ? 100.0 : 100.0 * static_cast<double>(r.bytes.ideal) / static_cast<double>(r.bytes.moved),
        label.size() <= widest_kernel ? label : label.substr(0, widest_kernel - 3) + "...");
  }
  if (ranked.size() > one_screen) text += fmt::format(" and {}\n", counted(ranked.size() - one_screen, "more kernel"));
  text += " The largest of: wavefronts of scratch, sectors at the memory's full rate, launches. Neither\n"
          " arithmetic nor latency nor caches are counted: it says where to look, not how long it takes.\n\n";
  return text;
}

}  // namespace teamsan
