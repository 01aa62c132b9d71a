// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a sentence names an option: as a key of TEAMSAN_OPTIONS, or as the flag that somebody typed.
#pragma once

#include <string>
#include <string_view>

namespace teamsan {

/// While it lives, options are named as flags: "--lane-order", not "lane_order".
class NamedAsFlags {
 public:
  NamedAsFlags();
  ~NamedAsFlags();
  NamedAsFlags(NamedAsFlags const&) = delete;
  NamedAsFlags& operator=(NamedAsFlags const&) = delete;
};

/// "lane_order" or "--lane-order".
std::string option_name(std::string_view key);
/// "lane_order=up" or "--lane-order up".
std::string option_with_value(std::string_view key, std::string_view value);

/// How a note tells the user to set an option: "--lane-order descending", "--deterministic", "--flat=0" if `teamsan run`
/// started the program, "lane_order=descending", "deterministic=1", "flat=0" if TEAMSAN_OPTIONS is what it goes by. The value
/// of a switch is "1" or "0".
std::string option_to_set(std::string_view key, std::string_view value);

}  // namespace teamsan
