// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sites.hpp"

#include "../base/PatientMutex.hpp"
#include "Modules.hpp"

#include <array>
#include <mutex>
#include <unordered_map>

namespace teamsan {

namespace {

struct Addresses {
  PatientMutex mutex;
  std::unordered_map<Site, std::uintptr_t> of;
};

Addresses& all_addresses() {
  static auto& addresses = *new Addresses;  // findings may be made while static objects die
  return addresses;
}

}  // namespace

std::uintptr_t address_of(Site site) {
  if (site == Site{}) return 0;
  static thread_local std::array<std::pair<Site, std::uintptr_t>, 64> latest;  // the same few are asked for again and again
  auto& [front, its_address] = latest[number_of(site) % latest.size()];
  if (front == site) return its_address;
  Addresses& all = all_addresses();
  std::lock_guard const lock(all.mutex);
  auto const [found, fresh] = all.of.try_emplace(site, 0);
  if (fresh) found->second = address_in_process(site);
  std::uintptr_t const address = found->second;
  if (address == 0)
    all.of.erase(found);  // its library may come yet
  else
    front = site, its_address = address;
  return address;
}

Site site_of(std::uintptr_t address) {
  Site const site = site_at(address);
  if (address_of(site) == address) return site;
  Addresses& all = all_addresses();
  std::lock_guard const lock(all.mutex);
  // Where another module has such an address, some number that stands for nothing else.
  constexpr std::uint32_t step = 0x9e3779b1;
  for (std::uint32_t number = number_of(site);; number += step) {
    auto const other = static_cast<Site>(number);
    if (number == 0 || (other != site && address_in_process(other) != 0)) continue;
    if (all.of.try_emplace(other, address).first->second == address) return other;
  }
}

}  // namespace teamsan
