// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FindingId.hpp"

#include <fmt/format.h>

namespace teamsan {
namespace {

constexpr std::string_view prefix = "TS-";
constexpr std::size_t digits_once = 6, digits_now = 8;

std::string_view digits_of(std::string_view id) {
  if (!id.starts_with(prefix)) return {};
  id.remove_prefix(prefix.size());
  return id.substr(0, id.find('-'));
}

}  // namespace

std::string id_of_hash(std::uint64_t hash) {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;  // its high bits say what the first digits do not
  return fmt::format("{}{:06x}{:02x}", prefix, (hash ^ hash >> 24 ^ hash >> 48) & 0xffffff, hash * golden_ratio >> 56);
}

bool is_finding_id(std::string_view text) {
  std::string_view const digits = digits_of(text);
  return (digits.size() == digits_once || digits.size() == digits_now) &&
         digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

bool names_finding(std::string_view written, std::string_view id) {
  return written == id || (digits_of(written).size() == digits_once && written == once_called(id));
}

std::string once_called(std::string_view id) {
  std::string_view const digits = digits_of(id);
  if (digits.size() != digits_now) return std::string(id);
  return std::string(id.substr(0, prefix.size() + digits_once)).append(id.substr(prefix.size() + digits_now));
}

}  // namespace teamsan
