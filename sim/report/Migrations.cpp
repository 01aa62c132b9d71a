#include <teamsan/sim/report/Migrations.hpp>

#include <teamsan/sim/report/TextLayout.hpp>

#include <fmt/format.h>

namespace teamsan {

void MigrationRow::add(MigrationRow const& other) {
  allocations += other.allocations;
  bytes += other.bytes;
  pages += other.pages;
  faults_to_device += other.faults_to_device;
  faults_to_host += other.faults_to_host;
  prefetched_to_device += other.prefetched_to_device;
  prefetched_to_host += other.prefetched_to_host;
}

std::string migration_table(MigrationCounts const& counts) {
  if (counts.rows.empty()) return {};
  std::string const left = "==== teamsan: page migrations of shared memory ";
  std::string const right = fmt::format(" pages of {} KiB", counts.page_bytes >> 10);
  std::size_t const used = left.size() + right.size();
  std::string text = left + std::string(used + 4 < text_width ? text_width - used : 4, '=') + right + '\n';
  text += fmt::format(" {:<32}{:>9}{:>14}{:>12}{:>14}{:>12}\n", "", "", "on a fault", "", "prefetched", "");
  text += fmt::format(" {:<32}{:>9}{:>14}{:>12}{:>14}{:>12}\n", "Allocation", "pages", "to device", "to host",
                      "to device", "to host");
  constexpr std::size_t max_label = 31;
  for (MigrationRow const& row : counts.rows) {
    std::string const name = row.label.size() <= max_label ? row.label : row.label.substr(0, max_label - 3) + "...";
    text += fmt::format(" {:<32}{:>9}{:>14}{:>12}{:>14}{:>12}\n", name, with_commas(row.pages),
                        with_commas(row.faults_to_device), with_commas(row.faults_to_host),
                        with_commas(row.prefetched_to_device), with_commas(row.prefetched_to_host));
  }
  return text;
}

}  // namespace teamsan
