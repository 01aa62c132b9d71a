// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "../Kokkos_Simt.hpp"
#include "../OneKokkos.hpp"
#include "../OneOpenmp.hpp"
#include "../libraries/UniqueToken.hpp"
#include "../tools/Tools.hpp"
#include "../versions/SpaceConstruction.hpp"

#include <impl/Kokkos_ExecSpaceManager.hpp>

#include "../../../model/device/Device.hpp"
#include "../../../sim/base/Options.hpp"
#include "../../../sim/findings/Collector.hpp"
#include "../../../sim/host/Launch.hpp"
#include "../../../sim/host/Leaks.hpp"
#include "../../../sim/host/RefusedAccess.hpp"
#include "../../../sim/machine/LastWords.hpp"
#include "../../../sim/machine/League.hpp"
#include "../../../sim/memory/Hot.hpp"
#include "../../../sim/places/StaticData.hpp"

#include <atomic>
#include <cstdint>
#include <ostream>

namespace teamsan {
namespace {

constexpr std::uint32_t default_instance = Kokkos::Tools::Experimental::NumReservedDeviceIDs;
constexpr std::uint32_t every_instance = ~std::uint32_t{0};
std::atomic<std::uint32_t> next_instance{default_instance + 1};

// Lanes a multiprocessor keeps resident: CUDA's maxThreadsPerMultiProcessor since compute capability 3.0 (but
// for the consumer chips), and HIP's on CDNA.
constexpr int resident_lanes = 2048;
constexpr int unknown_compute_units = 16;

// Lanes see constant copies of Views: their reference counts belong to the host.
void stop_view_tracking() { Kokkos::Impl::SharedAllocationRecord<void, void>::tracking_disable(); }
void resume_view_tracking() { Kokkos::Impl::SharedAllocationRecord<void, void>::tracking_enable(); }

}  // namespace

struct simt::InstanceLife::Shared {
  std::uint32_t instance;
  std::atomic<std::size_t> copies{1};
};

simt::InstanceLife::InstanceLife(std::uint32_t instance) {
  if (KOKKOS_VERSION >= 50000) m_shared = new Shared{instance};
}
void simt::InstanceLife::hold() const {
  if (hot.lane == nullptr) m_shared->copies.fetch_add(1, std::memory_order_relaxed);
}
void simt::InstanceLife::drop() {
  if (hot.lane != nullptr || m_shared->copies.fetch_sub(1) != 1) return;
  std::uint32_t const instance = m_shared->instance;
  delete m_shared;
  if (!Kokkos::is_initialized()) return;
  Kokkos::Tools::Experimental::Impl::profile_fence_event<Simt>(
      "Kokkos::Simt: fence on destruction", Kokkos::Tools::Experimental::Impl::DirectFenceIDHandle{instance},
      [instance] { teamsan::fence(instance); });
}

Simt::Simt() : m_instance(default_instance) {
  TEAMSAN_CHECK_SPACE_CONSTRUCTION(name());
  simt::follow_tools();
}

Simt Simt::create_instance() {
  TEAMSAN_CHECK_SPACE_CONSTRUCTION(name());
  note_instances();
  return Simt(next_instance.fetch_add(1));
}

Simt Simt::impl_of_number(std::uintptr_t number) {
  return number == 0 ? Simt() : Simt(static_cast<std::uint32_t>(number));
}

std::uint32_t Simt::impl_number() const noexcept { return m_instance == default_instance ? 0 : m_instance; }

int Simt::concurrency() {
  int const units = static_cast<int>(options().model().compute_units);
  return (units > 0 ? units : unknown_compute_units) * resident_lanes;
}

simt::DeviceProperties const& simt::device_properties() {
  static DeviceProperties const properties = [] {
    model::Device const& device = options().model();
    DeviceProperties of_device{};
    device.title.copy(of_device.name, sizeof of_device.name - 1);
    of_device.totalGlobalMem = device.memory_bytes;
    of_device.sharedMemPerBlock = device.scratch_default;
    of_device.warpSize = static_cast<int>(device.warp_width);
    of_device.maxThreadsPerBlock = static_cast<int>(device.max_team_lanes);
    of_device.multiProcessorCount = Simt::concurrency() / resident_lanes;
    of_device.maxThreadsPerMultiProcessor = resident_lanes;
    return of_device;
  }();
  return properties;
}

void Simt::fence(std::string const& name) const {
  Kokkos::Tools::Experimental::Impl::profile_fence_event<Simt>(
      name, Kokkos::Tools::Experimental::Impl::DirectFenceIDHandle{m_instance},
      [this] { teamsan::fence(m_instance); });
}

void Simt::impl_static_fence(std::string const& name) {
  simt::follow_tools();
  Kokkos::Tools::Experimental::Impl::profile_fence_event<Simt>(
      name, Kokkos::Tools::Experimental::SpecialSynchronizationCases::GlobalDeviceSynchronization,
      [] { teamsan::fence(every_instance); });
}

void Simt::print_configuration(std::ostream& os, bool) const {
  model::Device const& device = options().model();
  os << "Device Execution Space:\n"
     << "  TEAMSAN_SIMT: yes (simulated GPU)\n"
     << "Simt Runtime Configuration:\n"
     << "  device: " << device.name << " (" << device.title << ")\n"
     << "  lanes of a team: at most " << device.max_team_lanes << ", warp of " << device.warp_width << "\n"
     << "  concurrency: " << concurrency() << "\n";
}

void Simt::impl_initialize(Kokkos::InitializationSettings const&) {
  simt::check_one_kokkos();
  simt::check_one_openmp();
  simt::check_translation_units();
  using desul::Impl::HostLocks;
  note_kokkos_locks(HostLocks::get_host_locks_(), (HostLocks::HOST_SPACE_ATOMIC_MASK + 1) * sizeof(std::int32_t));
  options();  // a mistyped option is told before any kernel runs
  set_thread_hooks({stop_view_tracking, resume_view_tracking});
  Collector::instance().begin_program();
}

bool Simt::impl_is_initialized() { return Kokkos::is_initialized(); }

void Simt::impl_finalize() {
  simt::global_token_locks(simt::TokenLocks::release);
  teamsan::fence(every_instance);
  note_finalized();
}

namespace simt {

int register_space() {
  // 170: after the host's and the vendors' backends, which Kokkos registers under 050 to 160.
  static int const registered = [] {
    decline_tool_fences();
    follow_tools();
    return Kokkos::Impl::initialize_space_factory<Simt>("170_Simt");
  }();
  return registered;
}

std::vector<Simt> partition(std::size_t count) {
  std::vector<Simt> parts;
  parts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) parts.push_back(Simt::create_instance());
  return parts;
}

namespace {

/// `data`: of the View, nullptr: unknown.
[[noreturn]] void inaccessible(char const* label, void const* data) {
  teamsan::refused_host_access(data);
  std::string const message =
      std::string("Kokkos::View ERROR: attempt to access inaccessible memory space (label=\"") +
      (label ? label : "**UNMANAGED**") + "\")";
  Kokkos::Impl::host_abort(message.c_str());
}

}  // namespace

[[noreturn]] void inaccessible(char const* label) { inaccessible(label, nullptr); }

[[noreturn]] void refuse(char const* message) {
  teamsan::refused_host_access(nullptr);
  Kokkos::Impl::host_abort(message);
}

[[noreturn]] void inaccessible(TrackerBits bits) {
  auto const& tracker = reinterpret_cast<Kokkos::Impl::SharedAllocationTracker const&>(bits);
  inaccessible(tracker.get_label<void>().c_str(), tracker.template get_record<void>()->data());
}

}  // namespace simt
}  // namespace teamsan

namespace Kokkos::Impl {

// What Kokkos::abort() becomes on a lane; the simulator turns the signal into a finding that names the lane.
[[noreturn]] void device_abort(char const* message);
void device_abort(char const* message) {
  teamsan::RuntimeScope const now;  // a lane's output waits for the end of its team, which will not come
  teamsan::note_last_words(message);
  host_abort(message);
}

}  // namespace Kokkos::Impl
