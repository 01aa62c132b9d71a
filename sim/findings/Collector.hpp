/// Takes findings from the detectors and merges equal ones: first, cheaply, those with the same rule, kernel,
/// data and pcs; at the end, once symbolised, those with the same source lines. The first finding of each
/// kind is kept as the example, in the order of the calls: who calls in a fixed order gets the same report,
/// byte for byte. It sees only what detectors hand it, and keeps at most `max_distinct` different findings (a
/// note says when more came).
#pragma once

#include <teamsan/sim/report/Report.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

class Collector {
 public:
  static constexpr std::size_t max_distinct = 20000;

  Collector();
  ~Collector();

  /// The program's own collector. Lives until the process ends.
  static Collector& instance();

  /// Adds one finding. Thread-safe. Severity is taken as given, except that a warning becomes an error under
  /// --strict.
  void add(Finding&& finding);

  /// A launch begins. Launch `number` counts from 1 in the program. `checked`: the options let it be checked.
  void begin_launch(std::string_view kernel, std::uint64_t number, bool checked);

  /// Kokkos was initialised: the program is one that has kernels.
  void begin_program();

  /// A kernel of the program's is launched on another space than the simulated GPU. Thread-safe.
  void count_elsewhere(std::string_view space, std::string_view kernel);

  /// What the machine model counted in one launch. Thread-safe. Launches of one kernel add up.
  void add_traffic(KernelTraffic&& traffic);
  /// Vector lanes repeated, with the same value, the store of another lane of their thread, at this instruction.
  void count_redundant_stores(std::uintptr_t pc, std::uint64_t stores);

  /// A sentence for the end of the report, printed once however often it is given.
  void note(std::string sentence);

  /// A sentence about a place in a kernel, for the end of the report, which sorts them: once for each source line.
  /// Thread-safe.
  void remark(std::uintptr_t pc, std::string_view kernel, std::string_view sentence);

  /// Has anything been launched, or found?
  bool has_worked() const;

  /// Findings so far by severity, before lines are merged; cheap.
  std::uint64_t errors() const;
  std::uint64_t warnings() const;

  /// Findings merged by pcs, in the order of their first appearance.
  std::vector<Finding> findings() const;

  /// The finished report: merged by source lines, with places, quoted lines and ids.
  Report finish() const;

  /// Forgets everything (the child of a fork, tests).
  void clear();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// --halt-on-error: does the program end at this finding? Not at what is suppressed, or cannot be judged.
bool ends_the_program(Finding const& finding);

/// Hands a finding to the program's collector. With --halt-on-error an error writes the report and ends the
/// program: then this does not return.
void report(Finding&& finding);

/// See Collector::count_redundant_stores; for the program's collector.
void count_redundant_stores(std::uintptr_t pc, std::uint64_t stores);

/// See Collector::begin_launch; for the program's collector.
void count_launch(std::string_view kernel, std::uint64_t number, bool checked);

}  // namespace teamsan
