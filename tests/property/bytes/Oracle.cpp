// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Oracle.hpp"

#include "RaceOracle.hpp"
#include "ReadOracle.hpp"
#include "TouchLog.hpp"

#include <fmt/format.h>

namespace property::bytes {
namespace {

/// What is told of an access by itself.
void add_alone(TouchLog const& log, Deal const& d, Expected& expected) {
  bool const thrown = d.bytes == 0;
  if (!thrown && d.offset >= 0 && d.offset + d.bytes <= log.array(d.array).bytes) return;
  Claim claim{Verdict::thrown, narrow(log.number()), -1, -1, -1, {}, {}};
  if (!thrown) claim = {Verdict::outside, narrow(log.number()), narrow(d.array), narrow(d.slot), -1, {}, {}};
  expected.allowed.insert(claim);
  expected.demands.insert({{claim}, 0});
}

}  // namespace

Expected expect(Case const& c) {
  Expected expected;
  DeviceMemory device = before_kernels(c);
  for (std::size_t k = 0; k != c.kernels.size(); ++k)
    for (int launch = 0; launch != launches(c.kernels[k]); ++launch) {
      TouchLog log(c, static_cast<int>(k));
      std::uint32_t order = 0;
      for_each_deal(c, c.kernels[k], launch, [&](Deal const& d) {
        add_alone(log, d, expected);
        log.add(d, order++);
      });
      log.close();
      expected.deals += order;
      add_races(log, expected);
      add_uninit_reads(log, device, expected);
      write(log, device);
    }
  return expected;
}

std::string to_string(Claim const& claim) {
  constexpr char const* verdicts[] = {"race", "same-value", "uninit", "out-of-bounds", "exception"};
  constexpr char const* kinds[] = {"read", "write", "atomic read", "atomic write", "atomic maximum"};
  std::string text = fmt::format("{} of kernel {}, array {}: operation {}", verdicts[static_cast<int>(claim.verdict)],
                                 claim.kernel, claim.array, claim.slot);
  if (claim.other >= 0)
    text += fmt::format(" ({}) and {} ({})", kinds[static_cast<int>(claim.flavour)], claim.other,
                        kinds[static_cast<int>(claim.other_flavour)]);
  return text;
}

}  // namespace property::bytes
