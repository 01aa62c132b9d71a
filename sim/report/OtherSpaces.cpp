// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OtherSpaces.hpp"

#include "../findings/TextLayout.hpp"

#include <fmt/format.h>

#include <set>

namespace teamsan {
namespace {

constexpr std::size_t most_labels = 6;

std::string labels_of(ProgramFacts const& program) {
  std::set<std::string_view> labels;
  for (OtherLaunches const& other : program.other_launches) labels.insert(other.kernel);
  std::string text;
  std::size_t named = 0;
  for (std::string_view const label : labels) {
    if (named++ == most_labels) break;
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", label);
  }
  if (labels.size() > most_labels) text += fmt::format(" and {} more", labels.size() - most_labels);
  return text;
}

std::string spaces_of(ProgramFacts const& program) {
  std::set<std::string_view> spaces;
  for (OtherLaunches const& other : program.other_launches) spaces.insert(other.space);
  std::string text;
  for (std::string_view const space : spaces) text += fmt::format("{}{}", text.empty() ? "" : " and ", space);
  return text;
}

}  // namespace

void judge_other_spaces(ProgramFacts& program, bool gpu_kernels, std::string_view mode) {
  if (mode == "allow" || program.other_launches.empty()) return;
  std::uint64_t launches = 0;
  for (OtherLaunches const& other : program.other_launches) launches += other.launches;
  std::string const there =
      fmt::format("{} ran on {}: {}", counted(launches, "launch"), spaces_of(program), labels_of(program));
  if (!gpu_kernels) {
    program.judged = false;
    program.notes.push_back(fmt::format(
        "no kernel ran on the simulated GPU, so that nothing was checked; {}. Use Kokkos::DefaultExecutionSpace where the "
        "program names a host space; --other-spaces allow accepts it as it is",
        there));
    return;
  }
  if (mode == "fail") program.judged = false;
  program.notes.push_back(fmt::format("{}, and {} not checked (--other-spaces)", there, launches == 1 ? "was" : "were"));
}

}  // namespace teamsan
