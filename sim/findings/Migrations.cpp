// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Migrations.hpp"

#include "TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan {

namespace {

constexpr std::uint64_t MigrationRow::*figures[] = {
    &MigrationRow::allocations,      &MigrationRow::bytes,          &MigrationRow::pages,
    &MigrationRow::faults_to_device, &MigrationRow::faults_to_host, &MigrationRow::prefetched_to_device,
    &MigrationRow::prefetched_to_host};

}  // namespace

void MigrationRow::add(MigrationRow const& other) {
  for (auto const figure : figures) this->*figure += other.*figure;
}

bool add_migrations(MigrationCounts& sum, MigrationCounts const& more, bool shards) {
  if (sum.rows.empty()) sum.page_bytes = more.page_bytes;
  if (!more.rows.empty() && sum.page_bytes != more.page_bytes) return false;
  sum.asked_for |= more.asked_for;
  for (MigrationRow const& row : more.rows) {
    auto const known = std::ranges::find(sum.rows, row.label, &MigrationRow::label);
    if (known == sum.rows.end()) {
      sum.rows.push_back(row);
    } else if (!shards) {
      known->add(row);
    } else {
      for (auto const figure : figures) (*known).*figure = std::max((*known).*figure, row.*figure);
    }
  }
  return true;
}

std::string migration_table(MigrationCounts const& counts) {
  if (counts.rows.empty()) return {};
  std::string text =
      header_line("page migrations of shared memory", fmt::format("pages of {} KiB", counts.page_bytes >> 10)) + '\n';
  text += fmt::format(" {:<27}{:>7}{:>13}{:>10}{:>12}{:>10}\n", "", "", "on a fault", "", "prefetched", "");
  text += fmt::format(" {:<27}{:>7}{:>13}{:>10}{:>12}{:>10}\n", "Allocation", "pages", "to device", "to host",
                      "to device", "to host");
  constexpr std::size_t max_label = 26;
  for (MigrationRow const& row : counts.rows) {
    std::string const name = row.label.size() <= max_label ? row.label : row.label.substr(0, max_label - 3) + "...";
    text += fmt::format(" {:<27}{:>7}{:>13}{:>10}{:>12}{:>10}\n", name, with_commas(row.pages),
                        with_commas(row.faults_to_device), with_commas(row.faults_to_host),
                        with_commas(row.prefetched_to_device), with_commas(row.prefetched_to_host));
  }
  return text;
}

}  // namespace teamsan
