// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/base/Api.hpp>
#include <teamsan/sim/base/Start.hpp>

#include <teamsan/sim/base/Arena.hpp>
#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/base/ReportFile.hpp>
#include <teamsan/sim/base/Shard.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/sim/places/Symbolizer.hpp>
#include <teamsan/sim/process/Exit.hpp>
#include <teamsan/sim/process/FatalSignals.hpp>
#include <teamsan/sim/process/Leaving.hpp>
#include <teamsan/sim/process/Processes.hpp>
#include <teamsan/sim/process/Progress.hpp>
#include <teamsan/sim/process/Signals.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

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
