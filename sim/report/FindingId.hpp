// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// "TS-3f9a1c07": what a finding is called, in every run, after lines were inserted above, whatever compiled the program. Eight
/// hexadecimal digits; two different findings of 10,000 have the same with a probability of 1 in 86, and one more finding
/// is taken for one of a baseline of 1,000 with 1 in 4 million. Ids once had six digits, which are the first six of eight:
/// what was written then still names its findings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace teamsan {

std::string id_of_hash(std::uint64_t hash);

/// Of six digits or eight; a joined report's may end in "-2".
bool is_finding_id(std::string_view text);

/// Does `id`, of a report, stand behind what somebody wrote down, now or when ids were shorter?
bool names_finding(std::string_view written, std::string_view id);

/// The id as it was once, "TS-3f9a1c" of "TS-3f9a1c07"; of an old one itself.
std::string once_called(std::string_view id);

}  // namespace teamsan
