// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tools.hpp"

#include <Kokkos_Core.hpp>

#include "../../../sim/base/OfThread.hpp"
#include "../../../sim/findings/Collector.hpp"
#include "../../../sim/host/Mirrors.hpp"

#include <atomic>
#include <mutex>
#include <vector>

namespace teamsan::simt {
namespace {

namespace Tools = Kokkos::Tools;
namespace Experimental = Kokkos::Tools::Experimental;

struct Names {
  std::string kernel;
  std::vector<std::string> regions;
};
thread_local constinit OfThread<Names> names;

/// Kokkos' name for the space; empty: Simt, which has none among Kokkos' own.
char const* space_name(std::uint32_t device) {
  switch (Experimental::identifier_from_devid(device).type) {
    case Experimental::DeviceType::Serial:
      return "Kokkos::Serial";
    case Experimental::DeviceType::OpenMP:
      return "Kokkos::OpenMP";
    case Experimental::DeviceType::Threads:
      return "Kokkos::Threads";
    case Experimental::DeviceType::HPX:
      return "Kokkos::Experimental::HPX";
    case Experimental::DeviceType::Unknown:
      return "";
    default:
      return "another space";
  }
}

void note_kernel(char const* name, std::uint32_t device) {
  char const* const space = space_name(device);
  if (*space == 0)
    names->kernel = name;
  else
    Collector::instance().count_elsewhere(space, name);
}

/// One kind of event: two listeners, one alone and one that goes on to the tool that was there. They are told
/// apart because Kokkos' pause_tools() hides the tool and resume_tools() brings the listener back that knew
/// it.
template <int kind>
struct BeginKernel {
  using Function = Tools::beginFunction;
  static inline std::atomic<Function> next{nullptr};
  static void alone(char const* name, std::uint32_t device, std::uint64_t*) { note_kernel(name, device); }
  static void chained(char const* name, std::uint32_t device, std::uint64_t* id) {
    note_kernel(name, device);
    if (Function const tool = next) tool(name, device, id);
  }
};

struct PushRegion {
  using Function = Tools::pushFunction;
  static inline std::atomic<Function> next{nullptr};
  static void alone(char const* name) { names->regions.emplace_back(name); }
  static void chained(char const* name) {
    alone(name);
    if (Function const tool = next) tool(name);
  }
};

struct PopRegion {
  using Function = Tools::popFunction;
  static inline std::atomic<Function> next{nullptr};
  static void alone() {
    if (!names->regions.empty()) names->regions.pop_back();
  }
  static void chained() {
    alone();
    if (Function const tool = next) tool();
  }
};

/// What is allocated on the host; the simulated GPU's own memory needs no telling.
bool is_host(Tools::SpaceHandle const& space) { return std::string_view(space.name).starts_with("Host"); }

/// Kokkos tells where its header lies, and how long what follows it is.
void const* behind_header(void const* begin) {
  return static_cast<char const*>(begin) + sizeof(Kokkos::Impl::SharedAllocationHeader);
}

struct AllocateData {
  using Function = Tools::allocateDataFunction;
  static inline std::atomic<Function> next{nullptr};
  static void alone(Tools::SpaceHandle const space, char const* label, void const* begin, std::uint64_t const bytes) {
    if (is_host(space)) note_host_view(label, behind_header(begin), bytes);
  }
  static void chained(Tools::SpaceHandle const space, char const* label, void const* begin, std::uint64_t const bytes) {
    alone(space, label, begin, bytes);
    if (Function const tool = next) tool(space, label, begin, bytes);
  }
};

struct DeallocateData {
  using Function = Tools::deallocateDataFunction;
  static inline std::atomic<Function> next{nullptr};
  static void alone(Tools::SpaceHandle const space, char const*, void const* begin, std::uint64_t const) {
    if (is_host(space)) forget_host_view(behind_header(begin));
  }
  static void chained(Tools::SpaceHandle const space, char const* label, void const* begin, std::uint64_t const bytes) {
    alone(space, label, begin, bytes);
    if (Function const tool = next) tool(space, label, begin, bytes);
  }
};

/// A DualView tells tools of its sides only if one listens; the overlay listens in beside (overlay/Kokkos_DualView.hpp).
template <int kind>
struct DualViewEvent {
  using Function = void (*)(char const*, void const*, bool);
  static inline std::atomic<Function> next{nullptr};
  static void alone(char const*, void const*, bool) {}
  static void chained(char const* label, void const* data, bool device) {
    if (Function const tool = next) tool(label, data, device);
  }
};

template <class Event>
void listen(typename Event::Function current, void (*set)(typename Event::Function)) {
  if (current == &Event::alone || current == &Event::chained) return;
  if (current) {
    Event::next = current;
    set(&Event::chained);
  } else {
    set(&Event::alone);
  }
}

void no_fences(std::uint32_t const, Kokkos_Tools_ToolSettings* settings) {
  settings->requires_global_fencing = false;
}

std::string without_template_arguments(std::string_view name) {
  std::string result;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    char const c = name[i];
    if (c == '<') {
      // "<lambda(int)>", "<unnamed struct>" are names, not arguments.
      bool const is_name = depth == 0 && (i == 0 || name[i - 1] == ':');
      if (is_name) {
        std::size_t const end = name.find('>', i);
        if (end == std::string_view::npos) break;
        result += name.substr(i, end - i + 1);
        i = end;
        continue;
      }
      if (depth++ == 0) result += "<...";
    } else if (c == '>' && depth > 0) {
      if (--depth == 0) result += '>';
    } else if (depth == 0) {
      result += c;
    }
  }
  return result;
}

}  // namespace

void follow_tools() {
  static std::mutex mutex;
  std::lock_guard const lock(mutex);
  auto const now = Experimental::get_callbacks();
  listen<BeginKernel<0>>(now.begin_parallel_for, Experimental::set_begin_parallel_for_callback);
  listen<BeginKernel<1>>(now.begin_parallel_reduce, Experimental::set_begin_parallel_reduce_callback);
  listen<BeginKernel<2>>(now.begin_parallel_scan, Experimental::set_begin_parallel_scan_callback);
  listen<AllocateData>(now.allocate_data, Experimental::set_allocate_data_callback);
  listen<DeallocateData>(now.deallocate_data, Experimental::set_deallocate_data_callback);
  listen<DualViewEvent<0>>(now.modify_dual_view, Experimental::set_dual_view_modify_callback);
  listen<DualViewEvent<1>>(now.sync_dual_view, Experimental::set_dual_view_sync_callback);
  listen<PushRegion>(now.push_region, Experimental::set_push_region_callback);
  listen<PopRegion>(now.pop_region, Experimental::set_pop_region_callback);
}

void decline_tool_fences() {
  if (!Experimental::get_callbacks().request_tool_settings) {
    Experimental::set_request_tool_settings_callback(no_fences);
  }
}

std::string take_kernel_name() { return std::exchange(names->kernel, {}); }

std::string region_path() {
  std::string path;
  for (std::string const& region : names->regions) {
    if (!path.empty()) path += " > ";
    path += region;
  }
  return path;
}

std::string short_type_name(std::string_view name) {
  constexpr std::size_t longest = 80;
  std::string result(name);
  if (result.size() > longest) result = without_template_arguments(name);
  if (result.size() > longest) result = result.substr(0, longest - 3) + "...";
  return result;
}

}  // namespace teamsan::simt
