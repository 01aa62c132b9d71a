// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Presentable.hpp"

#include "../../traces/Printable.hpp"

namespace teamsan {
namespace {

using traces::LineEnds;

void clean(std::string& text) { text = traces::printable(text); }
void clean_lines(std::string& text) { text = traces::printable(text, LineEnds::kept); }

void clean(std::vector<std::string>& texts) {
  for (std::string& text : texts) clean(text);
}
void clean_lines(std::vector<std::string>& texts) {
  for (std::string& text : texts) clean_lines(text);
}

void clean(Place& place) {
  clean(place.file);
  clean(place.function);
}
void clean(Data& data) {
  for (std::string* const text : {&data.label, &data.shape, &data.index, &data.field}) clean(*text);
}
void clean(Side& side) {
  clean(side.actor);
  clean(side.role);
}

template <class... T>
void clean_all(T&... texts) {
  (clean(texts), ...);
}

void clean(ReportedFinding& found) {
  Finding& finding = found.finding;
  clean_all(finding.title, finding.kernel, finding.policy, finding.region, finding.data, found.obtained, found.id);
  clean_lines(finding.message);
  clean_lines(found.fix);
  clean_lines(found.why);
  for (Side& side : finding.sides) clean(side);
  for (Place& call : found.launched) clean(call);
  for (ReportedSide& side : found.sides) {
    clean_all(side.side, side.trail.place, side.trail.function, side.source);
    for (Place& caller : side.trail.callers) clean(caller);
  }
  for (WordTouch& touch : found.life.touches) clean_all(touch.place, touch.source);
}

void clean(ReportedTraffic& kernel) {
  clean_all(kernel.kernel, kernel.policy);
  for (ReportedSite& site : kernel.sites) {
    clean_all(site.site.data, site.place, site.source, site.fix, site.parted);
    for (HotAddress& hot : site.site.contention.hottest) clean(hot.index);
  }
}

}  // namespace

Report presentable(Report report) {
  ProgramFacts& program = report.program;
  clean_all(program.launcher, program.arguments, program.flags, program.device, program.kernel_names, program.shard,
            program.baseline, program.directory, program.test, program.rank);
  for (TestRun& run : program.runs)
    clean_all(run.test, run.rank, run.arguments, run.flags, run.launcher, run.directory);
  for (KernelLaunches& kernel : program.kernel_launches) clean_all(kernel.kernel, kernel.policy);
  clean_lines(program.notes);
  for (ReportedFinding& found : report.findings) clean(found);
  for (ReportedFinding& found : report.known) {
    clean(found);
    clean(found.left_out.where);
  }
  for (ReportedTraffic& kernel : report.kernels) clean(kernel);
  for (MigrationRow& row : report.migrations.rows) clean(row.label);
  return report;
}

}  // namespace teamsan
