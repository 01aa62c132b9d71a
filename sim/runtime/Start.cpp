#include <teamsan/sim/runtime/Start.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/machine/Shard.hpp>
#include <teamsan/sim/memory/Arena.hpp>
#include <teamsan/sim/report/Exit.hpp>
#include <teamsan/sim/report/Processes.hpp>
#include <teamsan/sim/report/ReportFile.hpp>
#include <teamsan/sim/report/Symbolizer.hpp>
#include <teamsan/sim/runtime/FatalSignals.hpp>
#include <teamsan/sim/runtime/Hot.hpp>
#include <teamsan/sim/runtime/Leaving.hpp>
#include <teamsan/sim/runtime/Signals.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

#include <atomic>
#include <mutex>

namespace teamsan {

thread_local constinit Hot hot;
constinit Shard shard;

void start() {
  static std::once_flag once;
  std::call_once(once, [] {
    RuntimeScope const scope;
    shard = {options().m_shard_index, options().m_shard_count};
    arena::reserve();
    remember_directory();
    start_directory();
    install_exit();
    see_to_leaving();
    announce_reports();
    install_signal_stack();
    install_signal_handlers();
    trace::begin_recording();
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

extern "C" void __tsan_init() { teamsan::start_instrumented(); }
