// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A finished report: what every writer takes. Plain data in the order in which it is to be printed; nothing
/// here points into the running simulation, so a writer is a function from a Report to text.
#pragma once

#include "../findings/Finding.hpp"
#include "../findings/KernelLaunches.hpp"
#include "../findings/Migrations.hpp"
#include "../findings/Traffic.hpp"
#include "../findings/WordLife.hpp"
#include "../places/Symbolizer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// One side of a finding with its source line.
struct ReportedSide {
  Side side;
  Trail trail;
  std::string source;  ///< the source line, without its end; empty: not readable
};

/// Who said that a finding is to be left out, and where.
struct LeftOut {
  enum class By : std::uint8_t { nobody, baseline, suppression, source } by = By::nobody;
  std::string where = {};  ///< the baseline's file, or FILE:LINE of the suppression, or of the comment
};

/// One finding as a person reads it: merged over all sites of the same lines.
struct ReportedFinding {
  Finding finding;  ///< the example: the first that was made, with the count and the teams of all
  std::vector<ReportedSide> sides;
  std::vector<std::string> why = {};  ///< what `finding` says of it, said
  std::string fix = {};               ///< the same
  Place obtained = {};                   ///< where the scratch piece was obtained, the View allocated
  std::vector<Place> launched = {};  ///< the user's calls on the host that led to the launch, innermost first
  std::uint64_t launches = 1;       ///< in how many launches
  std::uint64_t kernel_launch = 0;  ///< which launch of this kernel the example is, from 1; 0: unknown
  std::string id;                   ///< "TS-3f9a1c07": the same after lines were inserted above
  std::uint64_t reports = 1, of_reports = 1;  ///< in how many of how many reports that were joined
  std::vector<std::uint32_t> runs = {};       ///< in which of ProgramFacts::runs; empty: there is one run
  LeftOut left_out = {};  ///< of those in Report::known
  WordLife life = {};  ///< where a trace tells it and a page is to draw it
};

/// Where a reviewer is to look: at the first side, or, where that is Kokkos' own code alone, at the launch. Not known: nowhere.
inline Place place_to_review(ReportedFinding const& found) {
  Place const first = found.sides.empty() ? Place{} : found.sides.front().trail.place;
  return first.internal && !found.launched.empty() ? found.launched.front() : first;
}

/// Launches of one kernel on a space that is not the simulated GPU.
struct OtherLaunches {
  std::string space, kernel;
  std::uint64_t launches = 0;
};

/// A finding of a baseline that is gone. Of a list of ids nothing but the id is known.
struct FixedFinding {
  std::string id, rule, kernel;
};

/// One of the runs whose reports were joined: a test, or a rank of it.
struct TestRun {
  std::string test;       ///< its name; of a program that no test started, the name of its report
  std::string rank = {};  ///< of an MPI program; empty: it is none
  std::vector<std::string> arguments = {}, flags = {};
  std::string launcher = {}, directory = {};
};

/// What was run and how much of it was checked.
struct ProgramFacts {
  std::vector<std::string> arguments;  ///< argv; empty: unknown
  std::string launcher = {};       ///< `teamsan` as it was called; empty: unknown
  std::string directory = {};      ///< where it was started, with a slash at its end; empty: unknown
  std::string test = {}, rank = {};  ///< the test that it is, as TEAMSAN_TEST names it; its MPI rank; empty: none
  std::vector<TestRun> runs = {};    ///< of a joined report, in their order; empty: it is of one run
  std::vector<std::string> flags;  ///< flags of `teamsan run` that change what is found, as the user set them
  std::string device;              ///< "H100"
  std::string device_name;         ///< "h100": model::find_device knows its banks and sectors
  std::uint64_t kernels = 0;       ///< distinct kernel labels among the checked launches
  std::vector<std::string> kernel_names;  ///< these labels, sorted
  std::uint64_t launches = 0;      ///< all launches
  bool started = true;             ///< Kokkos was initialised
  std::uint64_t launches_checked = 0;  ///< those that --kernel-name and the like let through
  std::uint64_t launches_decided = 0;  ///< of these, so many were decided before they ran
  std::vector<KernelLaunches> kernel_launches = {};  ///< in the order of their first launches
  std::string chosen_by = {};          ///< what chose the launches: "--budget 2x"; empty: nothing, all were to be checked
  std::uint64_t suppressed = 0;        ///< findings left out because the user said so
  bool crashed = false;                ///< the program was ended by a signal, abort or exception, or in the middle of a launch
  bool finished = true;                ///< false: it ended early, and this is what had been found until then
  bool written = true;                 ///< false: this stands for a report that was never written
  bool judged = true;                  ///< false: something that was asked for could not be judged, a note says what
  bool over_limit = false;             ///< a limit of TeamSan's own was passed, a note says which: no pass, whatever was found
  std::uint64_t reports = 1;           ///< that were joined to this one
  std::string shard = {};              ///< as --shard has it; empty: the whole was checked
  bool dealt = false;                  ///< the shard has whole launches (--by)
  std::string source_root = {};        ///< top of the source tree, with a slash at its end; empty: unknown
  std::vector<OtherLaunches> other_launches = {};  ///< by space and kernel; not Kokkos' own
  std::vector<std::string> unchecked_libraries = {};  ///< shared ones that use Kokkos and were not compiled for checking
  std::string baseline = {};           ///< what findings were compared with; empty: nothing
  std::vector<FixedFinding> fixed = {};  ///< of the baseline, since it was written
  std::vector<std::string> notes;      ///< what a reader must know: a cap was hit, a check was off
};

struct Report {
  ProgramFacts program;
  std::vector<ReportedFinding> findings;
  std::vector<ReportedFinding> known = {};  ///< made, and left out: by a baseline, a suppression, a comment in the source
  std::vector<ReportedTraffic> kernels;  ///< what the machine model counted; empty: it was not asked
  MigrationCounts migrations;            ///< of pages of shared memory
  std::uint64_t count(Severity severity) const noexcept;  ///< findings of that severity
};

}  // namespace teamsan
