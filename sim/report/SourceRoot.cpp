// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceRoot.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace teamsan {
namespace {

namespace fs = std::filesystem;

/// The nearest folder up from here that git keeps its own in; a worktree or a submodule has a file of that name.
fs::path git_top(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    std::error_code error;
    if (fs::exists(folder / ".git", error)) return folder;
    if (folder == folder.parent_path()) return {};
  }
}

fs::path chosen_root(std::string const& chosen, fs::path const& start) {
  if (!chosen.empty()) return start / chosen;
  for (char const* const variable : {"CI_PROJECT_DIR", "GITHUB_WORKSPACE"})
    if (char const* const folder = std::getenv(variable); folder != nullptr && *folder == '/') return folder;
  return start.empty() ? fs::path() : git_top(start);
}

std::string with_slash(fs::path const& folder) {
  std::string text = folder.lexically_normal().string();
  if (!text.empty() && !text.ends_with('/')) text += '/';
  return text;
}

class Root {
 public:
  explicit Root(std::string const& root) : m_root(root) {
    // The compiler may have been called by another name of the same folder.
    std::error_code error;
    if (fs::path const real = fs::canonical(root, error); !error) m_real = with_slash(real);
  }
  void operator()(Place& place) const {
    for (std::string const& root : {m_root, m_real})
      if (!root.empty() && place.path.starts_with(root)) place.file = place.path.substr(root.size());
  }
  /// The same of places that a sentence names.
  void operator()(std::string& sentence) const {
    for (std::string const& root : {m_root, m_real})
      for (std::size_t at = 0; root.size() > 1 && (at = sentence.find(root, at)) != std::string::npos;)
        if (at == 0 || sentence[at - 1] == ' ' || sentence[at - 1] == '(' || sentence[at - 1] == '"')
          sentence.erase(at, root.size());
        else
          at += root.size();
  }

 private:
  std::string m_root, m_real;
};

}  // namespace

std::string source_root(std::string const& chosen) { return with_slash(chosen_root(chosen, start_directory())); }

Report from_source_root(Report report) {
  if (report.program.source_root.empty()) return report;
  Root const name(report.program.source_root);
  for (auto* const findings : {&report.findings, &report.known})
    for (ReportedFinding& found : *findings) {
      name(found.obtained);
      Finding& finding = found.finding;
      for (std::string* const text : {&finding.title, &found.fix, &finding.message}) name(*text);
      for (std::string& why : found.why) name(why);
      for (Place& place : found.launched) name(place);
      for (ReportedSide& side : found.sides) {
        name(side.trail.place);
        for (Place& place : side.trail.callers) name(place);
      }
      for (WordTouch& touch : found.life.touches) name(touch.place);
    }
  for (ReportedTraffic& kernel : report.kernels)
    for (ReportedSite& site : kernel.sites) {
      name(site.place);
      name(site.parted);
    }
  return report;
}

}  // namespace teamsan
