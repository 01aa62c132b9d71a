// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many blocks a compute unit of a gfx90a holds at a time, as the HIP runtime has it: its own function, cut out of a
/// checkout of ROCm/clr (CLR; f9f995c6d was used), compiled for a host with what clr says of a gfx90a (rocdevice.cpp,
/// device.cpp). No AMD chip is needed, and none was asked. A CSV row for each of about 400 launches:
///   sed -n '/^namespace hip_impl/,/^}  .. namespace hip_impl/p' CLR/hipamd/src/hip_platform.cpp > clr_occupancy.inc
///   g++ -std=c++17 -I. occupancy_clr.cc -o occupancy_clr && ./occupancy_clr > gfx90a_occupancy.csv
#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>

// As much of clr's classes as the function looks at.
enum hipError_t { hipSuccess, hipErrorInvalidValue, hipErrorUnknown };
using hipFunction_t = void*;

namespace device {
struct Kernel {
  struct WorkGroupInfo {
    std::size_t usedVGPRs_, usedSGPRs_, wavefrontSize_, usedLDSSize_;
    bool isWGPMode_;
  };
  WorkGroupInfo info;
  WorkGroupInfo const* workGroupInfo() const { return &info; }
};
}  // namespace device

namespace amd {
template <class Value, class Unit>
Value alignUp(Value value, Unit unit) {
  return (value + unit - 1) / unit * unit;
}
struct Isa {
  unsigned versionMajor() const { return 9; }
};
struct Info {
  std::size_t maxWorkGroupSize_ = 1024, localMemSize_ = 64 * 1024;
  std::uint32_t vgprAllocGranularity_ = 8, vgprsPerSimd_ = 512, sgprsPerSimd_ = 800, simdPerCU_ = 4, maxComputeUnits_ = 110;
};
struct Settings {
  bool enableWgpMode_ = false;
};
struct Device {
  Info figures;
  Settings chosen;
  Info const& info() const { return figures; }
  Settings const& settings() const { return chosen; }
  Isa isa() const { return {}; }
};
struct Kernel {
  device::Kernel on_device;
  device::Kernel const* getDeviceKernel(Device const&) const { return &on_device; }
};
}  // namespace amd

namespace hip {
struct DeviceFunc {
  amd::Kernel* of;
  amd::Kernel* kernel() { return of; }
  static DeviceFunc* asFunction(hipFunction_t f) { return static_cast<DeviceFunc*>(f); }
};
}  // namespace hip

#include "clr_occupancy.inc"

int main() {
  int const threads[] = {1, 32, 64, 65, 100, 128, 192, 256, 300, 320, 448, 512, 576, 768, 832, 1000, 1024, 1025};
  int const vgprs[] = {8, 24, 32, 33, 48, 64, 65, 72, 84, 96, 97, 128, 129, 168, 200, 256, 257, 300, 512};
  int const shared[] = {0,    1,    512,   1000,  1024,  2048,  3000,  4096,  6160,  8192,
                        10923, 12345, 16384, 21845, 24576, 32768, 33000, 49152, 65536, 65537};
  int const sgprs[] = {16, 32, 48, 80, 96, 102};
  std::printf("threads,vgprs,sgprs,shared_bytes,blocks\n");
  int row = 0;
  for (int const t : threads)
    for (int const v : vgprs)
      for (int const bytes : shared) {
        if (row++ % 17 != 0) continue;
        int const s = sgprs[row / 17 % 6];
        amd::Device const device;
        amd::Kernel kernel{{{static_cast<std::size_t>(v), static_cast<std::size_t>(s), 64, 0, false}}};
        hip::DeviceFunc function{&kernel};
        int blocks = 0, grid = 0, best = 0;
        if (hip_impl::ihipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &grid, &best, device, &function, t,
                                                                    static_cast<std::size_t>(bytes), false) != hipSuccess)
          return 1;
        std::printf("%d,%d,%d,%d,%d\n", t, v, s, bytes, blocks);
      }
}
