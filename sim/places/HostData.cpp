// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostData.hpp"

#include "../base/PatientMutex.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace teamsan {

namespace {

struct Known {
  std::size_t bytes;
  std::string label;
  std::uint64_t serial;
};

constexpr std::string_view before_label = "the host View \"", behind_label = "\", byte ";

PatientMutex mutex;
std::uint64_t latest_serial = 0;
std::map<std::uintptr_t, Known>& known() {
  static auto* const data = new std::map<std::uintptr_t, Known>;  // outlives exit handlers
  return *data;
}

}  // namespace

void note_host_data(char const* label, void const* begin, std::size_t bytes) {
  std::lock_guard const lock(mutex);
  known()[reinterpret_cast<std::uintptr_t>(begin)] = {bytes, label, ++latest_serial};
}

void forget_host_data(void const* begin) {
  std::lock_guard const lock(mutex);
  known().erase(reinterpret_cast<std::uintptr_t>(begin));
}

std::uint64_t host_data_serial(std::uintptr_t address) {
  std::lock_guard const lock(mutex);
  auto after = known().upper_bound(address);
  if (after == known().begin()) return 0;
  auto const& [begin, data] = *--after;
  return address - begin < data.bytes ? data.serial : 0;
}

std::string host_data_at(std::uintptr_t address) {
  std::lock_guard const lock(mutex);
  auto after = known().upper_bound(address);
  if (after == known().begin()) return {};
  auto const& [begin, data] = *--after;
  if (address - begin >= data.bytes) return {};
  return fmt::format("{}{}{}{}", before_label, data.label, behind_label, address - begin);
}

std::string_view label_of_host_data(std::string_view said) {
  std::size_t const end = said.starts_with(before_label) ? said.rfind(behind_label) : said.npos;
  return end == said.npos ? std::string_view() : said.substr(before_label.size(), end - before_label.size());
}

}  // namespace teamsan
