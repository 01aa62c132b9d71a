// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of Kokkos' backends a program runs on, and which of the modelled devices (model/device) its GPU is:
/// so that a program can say what to simulate, or choose a team's size by the figures that the model has of
/// the card at hand. Header only; nothing of TeamSan is linked.
///
/// A card is known by the name that its driver gives it. A name that is not listed has no model, although the
/// chip may be of a kind that is: nothing is claimed of it.
#pragma once

#include "../../model/device/Amd.hpp"
#include "../../model/device/Device.hpp"
#include "../../model/device/Intel.hpp"
#include "../../model/device/Nvidia.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif
#if defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime_api.h>
#endif

namespace teamsan {
class Simt;
}

namespace teamsan::native {

enum class Backend : std::uint8_t { host, cuda, hip, sycl, simulated, other_device };

/// That of `Space`, or of Kokkos' default execution space. `host`: one whose kernels run where the host's
/// code does.
template <class Space = Kokkos::DefaultExecutionSpace>
constexpr Backend backend() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return Backend::cuda;
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Space, Kokkos::HIP>) return Backend::hip;
#endif
#if defined(KOKKOS_ENABLE_SYCL)
  if constexpr (std::is_same_v<Space, Kokkos::SYCL>) return Backend::sycl;
#endif
  if constexpr (std::is_same_v<Space, Simt>) return Backend::simulated;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible &&
                std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>)
    return Backend::host;
  return Backend::other_device;
}

/// The modelled device of the card that a driver calls `name` ("NVIDIA H100 80GB HBM3"), or nullptr. H100 of
/// all forms (SXM, PCIe, NVL) are one: they differ from the modelled SXM5 in memory and number of
/// multiprocessors, not in what an access costs. MI210 and MI250 are the chip of the MI250X.
constexpr model::Device const* model_of(std::string_view name) {
  struct Known {
    std::string_view part;
    model::Device const* device;
  };
  constexpr Known known[] = {{"H100", &model::h100},
                             {"A100", &model::a100},
                             {"V100", &model::v100},
                             {"MI250", &model::mi250x},
                             {"MI210", &model::mi250x},
                             {"MI300X", &model::mi300x},
                             {"Data Center GPU Max", &model::pvc}};
  constexpr auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  for (Known const& one : known) {
    std::size_t const at = name.find(one.part);
    if (at == std::string_view::npos || (at > 0 && is_word(name[at - 1])))
      continue;  // "GH100" is another thing
    std::size_t const end = at + one.part.size();
    // "MI250X" is the MI250's; "A1000" is not the A100.
    if (end < name.size() && is_word(name[end]) && !(one.part == "MI250" && name[end] == 'X')) continue;
    return one.device;
  }
  return nullptr;
}

/// What the driver calls the device that `space` runs on; empty on the host and in a simulation. Kokkos must
/// be initialised.
template <class Space = Kokkos::DefaultExecutionSpace>
std::string device_name([[maybe_unused]] Space const& space = Space()) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return space.cuda_device_prop().name;
#endif
#if defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Space, Kokkos::HIP>) return space.hip_device_prop().name;
#endif
#if defined(KOKKOS_ENABLE_SYCL)
  if constexpr (std::is_same_v<Space, Kokkos::SYCL>)
    return space.sycl_queue().get_device().template get_info<sycl::info::device::name>();
#endif
  return {};
}

/// The modelled device that `space` runs on, or nullptr: a host, a simulation (whose device TEAMSAN_OPTIONS
/// chooses), or a card without a model.
template <class Space = Kokkos::DefaultExecutionSpace>
model::Device const* modelled_device(Space const& space = Space()) {
  constexpr Backend kind = backend<Space>();
  if constexpr (kind == Backend::cuda || kind == Backend::hip || kind == Backend::sycl)
    return model_of(device_name(space));
  else
    return nullptr;
}

/// The name by which `teamsan run --device` knows it; empty if there is none.
template <class Space = Kokkos::DefaultExecutionSpace>
std::string_view device_model(Space const& space = Space()) {
  model::Device const* const device = modelled_device(space);
  return device == nullptr ? std::string_view{} : device->name;
}

}  // namespace teamsan::native
