// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../base/Api.hpp"
#include "../base/Start.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../base/Shard.hpp"
#include "../memory/Hot.hpp"
#include "../places/Symbolizer.hpp"
#include "Exit.hpp"
#include "FatalSignals.hpp"
#include "Leaving.hpp"
#include "Processes.hpp"
#include "Progress.hpp"
#include "Signals.hpp"
#include "../trace/Recorder.hpp"

#include <atomic>
#include <mutex>

namespace teamsan {

void start() {
  static std::once_flag once;
  std::call_once(once, [] {
    RuntimeScope const scope;
    if (options().by.empty()) shard = {options().m_shard_index, options().m_shard_count};
    arena::reserve();
    remember_directory();
    start_directory();
    install_exit();
    see_to_leaving();
    announce_reports();
    install_signal_stack();
    install_signal_handlers();
    show_progress();
    if (!options().trace.empty()) trace::begin_recording(own_file_name(options().trace));
  });
  if (begins_in_forked_process()) {
    RuntimeScope const scope;
    announce_reports();
    install_ending_thread();
  }
}

namespace {
std::atomic<bool> instrumented{false};
}

bool is_instrumented() { return instrumented; }

void start_instrumented() {
  instrumented = true;
  start();
}

}  // namespace teamsan

extern "C" TEAMSAN_API void __tsan_init() { teamsan::start_instrumented(); }
