// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/base/OptionNames.hpp>

#include <algorithm>

namespace teamsan {
namespace {

bool g_as_flags = false;

}  // namespace

NamedAsFlags::NamedAsFlags() { g_as_flags = true; }
NamedAsFlags::~NamedAsFlags() { g_as_flags = false; }

std::string option_name(std::string_view key) {
  if (!g_as_flags) return std::string(key);
  std::string flag = "--" + std::string(key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string option_with_value(std::string_view key, std::string_view value) {
  return option_name(key) + (g_as_flags ? ' ' : '=') + std::string(value);
}

}  // namespace teamsan
