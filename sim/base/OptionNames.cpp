// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OptionNames.hpp"

#include <algorithm>
#include <cstdlib>

namespace teamsan {
namespace {

bool g_as_flags = false;

std::string flag(std::string_view key) {
  std::string text = "--" + std::string(key);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

}  // namespace

NamedAsFlags::NamedAsFlags() { g_as_flags = true; }
NamedAsFlags::~NamedAsFlags() { g_as_flags = false; }

std::string option_name(std::string_view key) { return g_as_flags ? flag(key) : std::string(key); }

std::string option_with_value(std::string_view key, std::string_view value) {
  return option_name(key) + (g_as_flags ? ' ' : '=') + std::string(value);
}

std::string option_to_set(std::string_view key, std::string_view value) {
  if (::secure_getenv("TEAMSAN_LAUNCHER") == nullptr) return std::string(key) + '=' + std::string(value);
  if (value == "1") return flag(key);
  return flag(key) + (value == "0" ? '=' : ' ') + std::string(value);
}

}  // namespace teamsan
