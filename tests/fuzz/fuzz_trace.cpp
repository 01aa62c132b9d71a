// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Traces: every record and event, as they are shown, exported and copied. Mutations keep the checksums right. What a replay
/// does with damaged ones is the test fuzz/replay: it runs lanes, and needs a process for each trace.
#include "Fuzz.hpp"
#include "TraceMutation.hpp"

#include "../../model/device/Device.hpp"
#include "../../traces/EventCsv.hpp"
#include "../../traces/PerfettoJson.hpp"
#include "../../traces/RenamePlaces.hpp"

#include <algorithm>
#include <ostream>

namespace {

/// A stream that nothing comes out of.
struct Nowhere : std::streambuf {
  int overflow(int c) override { return c; }
  std::streamsize xsputn(char const*, std::streamsize count) override { return count; }
};

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  using namespace teamsan::traces;
  TraceLimits::set({1'000'000, 512 << 20});  // seconds under the sanitizers
  teamsan::fuzz::MemoryFile const file(data, bytes);
  Nowhere nowhere;
  std::ostream output(&nowhere);
  try {
    TraceFilter const some{.kernel = {}, .launches = {}, .team = -1, .teams = 2};
    write_csv(file.name(), some, output);
    write_perfetto(file.name(), some, *teamsan::model::find_device("mi250x"), output);
    rename_places(file.name(), "/src", "/there", "/dev/null");
  } catch (TraceError const&) {
  }
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t bytes, std::size_t most, unsigned seed) {
  using namespace teamsan::fuzz;
  auto const change = [most](Bytes& piece, std::minstd_rand& random) {
    if (random() % 2) return change_somewhere(piece, random);
    std::size_t const before = piece.size();
    piece.resize(std::max<std::size_t>(before, 1) + 16);
    piece.resize(LLVMFuzzerMutate(piece.data(), before, std::min(piece.size(), most)));
  };
  Bytes const changed = mutated_trace(Bytes(data, data + bytes), seed, change);
  if (changed.size() > most) return bytes;
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}
