// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tables of warp accesses: read, and asked of the models.
#include "Fuzz.hpp"

#include "../../model/device/Device.hpp"
#include "../../model/device/GlobalMemory.hpp"
#include "../../model/device/SharedMemory.hpp"
#include "../../traces/HardwareAccess.hpp"
#include "../../traces/HardwareCsv.hpp"

#include <sstream>

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  using namespace teamsan;
  std::istringstream input{std::string(fuzz::text_of(data, bytes))};
  try {
    traces::HardwareCsv const csv = traces::read_hardware_csv(input, "table.csv");
    for (traces::HardwareRow const& row : csv.rows)
      for (char const* name : {"h100", "mi250x"}) {
        model::Device const& device = *model::find_device(name);
        model::WarpAccess access = traces::warp_access(row);
        access.addresses = access.addresses.first(std::min<std::size_t>(access.addresses.size(), device.warp_width));
        count_shared(device, access);
        count_global(device, access);
      }
  } catch (traces::MalformedCsv const&) {
  }
  return 0;
}
