// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel labels, profiling regions and launches on other spaces, which Kokkos gives to tools only: it calls
/// kokkosp_begin_parallel_for(name) before a pattern's execute(), which itself never learns the label. So the
/// backend listens there, in front of the user's own tool (KOKKOS_TOOLS_LIBS, or callbacks set by the
/// program), which it calls as before.
#pragma once

#include <string>
#include <string_view>

namespace teamsan::simt {

/// Puts the backend in front of whatever tool is active now. Cheap; called before Kokkos::initialize, when Kokkos fences,
/// and whenever a default Simt is made, thus before every kernel's begin event. Kokkos loads tools after it has
/// initialised its backends, and programs replace callbacks while they run, so that once is not enough. A program with a
/// tool that never comes here between its initialisation and its last launch elsewhere is not seen to launch there.
void follow_tools();

/// Kokkos fences all spaces before each event of a tool that does not object. The backend objects, or its
/// listening would hide missing fences. A real tool answers for itself. To be called before
/// Kokkos::initialize.
void decline_tool_fences();

/// The name under which this thread's last begin event announced a kernel, consumed; empty if there was none.
std::string take_kernel_name();

/// This thread's open regions, outermost first: "solve > assemble".
std::string region_path();

/// A readable name from a functor's type name: template arguments dropped when it is long, then cut.
std::string short_type_name(std::string_view name);

}  // namespace teamsan::simt
