// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stream.hpp"

#include "../base/BigStack.hpp"
#include "../base/Options.hpp"
#include "../base/PatientMutex.hpp"
#include "../base/ReportFile.hpp"
#include "../base/ReportMemory.hpp"
#include "../base/Screen.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Ending.hpp"
#include "../findings/TellNow.hpp"
#include "../findings/TextLayout.hpp"
#include "../memory/Hot.hpp"
#include "Exit.hpp"
#include "FinishedReport.hpp"
#include "Processes.hpp"
#include "ReportFacts.hpp"
#include "../report/Causes.hpp"
#include "../report/Merge.hpp"
#include "../report/Presentable.hpp"
#include "../report/Suppressions.hpp"
#include "../report/TextReport.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace teamsan {
namespace {

std::atomic<bool> g_quiet{false};

struct Stream {
  LineMerge merged;
  CauseHeads heads;
  Suppressions suppressions;
  Told told;
  bool full = false;  ///< --print-limit
};

// Neither is ever destroyed.
std::atomic<PatientMutex*> g_mutex{nullptr};
Stream* g_stream = nullptr;

/// A child of a fork tells of its own findings. Another thread of its parent may have been in the middle of this.
PatientMutex& mutex() {
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr auto begin_anew = [] {
      // The parent's stay as they are, known to whoever looks for leaks.
      struct Inherited {
        PatientMutex* mutex;
        Stream* stream;
        Inherited* before;
      };
      static Inherited* inherited = nullptr;
      inherited = new Inherited{g_mutex.exchange(new PatientMutex), std::exchange(g_stream, nullptr), inherited};
    };
    begin_anew();
    pthread_atfork(nullptr, nullptr, begin_anew);
  });
  return *g_mutex;
}

void write(std::string const& text, Told& told) {
  std::string const& file = options().log_file;
  if (!file.empty()) {
    std::string const name = own_file_name(file);
    try {
      if (is_stream(name)) return write_report_file(name, text);
      told.text += text;
      return write_report_file(name, told.text);
    } catch (ReportFileError const&) {
      // The end says so, and writes to standard error what it can.
    }
  }
  screen::Held const held;
  write_to_stderr(text);
}

void tell(Finding const& finding, Stream& s) {
  CollectedFinding raw{finding, {}, Collector::instance().kernel_launch(finding.launch)};
  raw.finding.severity = severity_by_options(finding);
  raw.teams.add(finding.launch, finding.teams);
  if (s.full || is_left_out(raw.finding, s.suppressions)) return;
  auto const [number, fresh] = s.merged.add(raw);
  if (!fresh || s.heads.of(s.merged.findings(), number) != number) return;
  Options const& chosen = options();
  if (s.told.ids.size() == chosen.print_limit) {
    s.full = true;
    return;
  }
  Report report;
  add_facts(report.program, chosen);
  report.findings = {s.merged.findings()[number]};
  report = presentable(std::move(report));
  TerminalWidth const width(chosen.log_file.empty() ? STDERR_FILENO : -1);
  TextStyle style = text_style(chosen);
  style.so_far = true;
  s.told.ids.insert(report.findings[0].id);
  write(text_finding(report.findings[0], report.program, s.told.ids.size(), 0, style) + '\n', s.told);
}

}  // namespace

bool tells_now() noexcept { return options().stream && !g_quiet && !is_ending() && !uses_report_memory(); }

void tell_now(Finding const& finding) {
  if (!tells_now()) return;
  auto work = [&] {
    RuntimeScope const scope;
    std::lock_guard const lock(mutex());
    try {
      if (g_stream == nullptr) g_stream = new Stream{{}, {}, suppressions_of(options()), {}, false};
      tell(finding, *g_stream);
    } catch (std::exception const&) {
      g_quiet = true;  // the end tells the rest
    }
  };
  run_on_big_stack(work);
}

Told told_so_far() {
  if (g_mutex.load() == nullptr) return {};
  std::lock_guard const lock(*g_mutex.load());
  return g_stream == nullptr ? Told{} : g_stream->told;
}

}  // namespace teamsan
