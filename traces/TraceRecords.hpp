// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a trace says besides the lanes' events: how the program was run, what its addresses mean in its sources, and
/// what it did to the simulated GPU, in order. Each record knows how to become bytes and back; a field that a later
/// version adds stands at the end, and is left at its default where it is missing.
#pragma once

#include "Bytes.hpp"
#include "Site.hpp"
#include "TraceFile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan::traces {

/// A record's number in the file.
enum class RecordTag : Tag {
  end = end_tag,
#define TEAMSAN_RECORD(Record, name, number) name = number,
#include "Records.def"
};

/// Something that a thread of the host did.
constexpr bool is_host_action(RecordTag tag) {
  return tag >= RecordTag::allocate && tag < RecordTag::host_thread;
}

/// Of a team: readers believe no larger number.
inline constexpr std::uint64_t most_lanes = 1 << 16;

/// A range of simulated memory.
struct AddressSpace {
  std::string name;  ///< "device", "shared", "pinned", "scratch", "constant", "stack"
  std::uint64_t begin = 0, bytes = 0;
  friend bool operator==(AddressSpace const&, AddressSpace const&) = default;
};

/// A construct at which lanes meet; `meet` events name it by its place in the list.
struct MeetingName {
  std::string construct;  ///< "team_barrier()"
  std::uint8_t whose = 0;  ///< who meets: 0 nobody, 1 the lanes of a thread, 2 the team
};

struct RunRecord {
  static constexpr RecordTag tag = RecordTag::run;
  std::string teamsan;  ///< its version
  std::string options;  ///< TEAMSAN_OPTIONS
  std::vector<std::string> arguments;
  std::string directory;
  std::vector<AddressSpace> spaces;
  std::vector<MeetingName> meetings;
  std::uint32_t warp_width = 32;
  std::uint32_t scratch_slots = 32;  ///< that teams take in turn

  /// Does a barrier interval of the team end at that `meet` event's construct?
  bool is_team_meeting(std::uint32_t meeting) const {
    return meeting < meetings.size() && meetings[meeting].whose == 2;
  }
};

/// The space that holds the address, or nullptr: host memory.
AddressSpace const* space_of(RunRecord const& run, std::uint64_t address);

/// How the program ended.
struct RunEndRecord {
  static constexpr RecordTag tag = RecordTag::run_end;
  bool crashed = false;  ///< by a signal, abort or an exception that nothing caught
};

/// Where the program and its libraries lie; the latest such record holds.
struct SegmentsRecord {
  static constexpr RecordTag tag = RecordTag::segments;
  struct Segment {
    std::uint64_t begin = 0, end = 0;
    bool code = false, writable = false;
  };
  std::vector<Segment> segments;
};

/// The inline chain of an instruction, innermost first.
struct FramesRecord {
  static constexpr RecordTag tag = RecordTag::frames;
  struct Frame {
    std::string function, file;
    std::uint32_t line = 0, column = 0;
    bool internal = false, clang = false;
  };
  Site site{};
  std::vector<Frame> frames;
};

/// A source file's text: lines from `first` on. A file of the user's comes whole, of others what reports may quote.
struct SourceRecord {
  static constexpr RecordTag tag = RecordTag::source;
  std::string file;
  std::uint32_t first = 1;
  std::vector<std::string> lines;
};

/// What is called a variable at that address; empty: nothing.
struct VariableRecord {
  static constexpr RecordTag tag = RecordTag::variable;
  std::uint64_t address = 0;
  std::string name;
};

/// Which member of a struct a byte belongs to, for the code there; empty: none that is known.
struct FieldRecord {
  static constexpr RecordTag tag = RecordTag::field;
  Site site{};
  std::string type;
  std::uint32_t bytes = 0, byte = 0;
  std::string name;
};

/// How a View's elements lie; element_bytes 0: not known.
struct ShapeFields {
  std::string type, layout;
  std::uint32_t element_bytes = 0;
  std::vector<std::uint64_t> extents, strides;
};

struct AllocateRecord {
  static constexpr RecordTag tag = RecordTag::allocate;
  std::uint8_t space = 0;     ///< 0 device, 1 shared, 2 pinned
  std::uint64_t address = 0;  ///< 0: there was not that much memory left
  std::uint64_t bytes = 0, header_bytes = 0;
  std::string label;
  ShapeFields shape;
  bool system = false;  ///< of the host's own memory; counts against no limit
  std::vector<Site> calls = {};  ///< the host's, innermost first
};

struct FreeRecord {
  static constexpr RecordTag tag = RecordTag::free;
  std::uint64_t address = 0;
};

struct CopyRecord {
  static constexpr RecordTag tag = RecordTag::copy;
  std::uint64_t to = 0, from = 0, bytes = 0;
};

struct InitialisedRecord {
  static constexpr RecordTag tag = RecordTag::initialised;
  std::uint64_t address = 0, bytes = 0;
};

struct FenceRecord {
  static constexpr RecordTag tag = RecordTag::fence;
  std::uint64_t instance = 0;
};

/// The program made an instance of its own.
struct InstancesRecord {
  static constexpr RecordTag tag = RecordTag::instances;
};

/// Work of an instance beside its kernels.
struct PendingRecord {
  static constexpr RecordTag tag = RecordTag::pending;
  bool writes = false, result = false;
  std::uint64_t instance = 0, address = 0, bytes = 0;
  bool fill = false;  ///< of a View, as it is made or later
};

struct HostAccessRecord {
  static constexpr RecordTag tag = RecordTag::host_access;
  std::uint8_t kind = 0;  ///< as AccessKind of sim/findings/Finding.hpp
  std::uint64_t address = 0, bytes = 0;
  Site site{};
};

/// The allocation is one of unified shared memory, in that context.
struct UsmAllocationRecord {
  static constexpr RecordTag tag = RecordTag::usm_allocation;
  std::uint64_t address = 0;
  std::uint8_t kind = 0;  ///< as UsmKind of sim/host/Usm.hpp
  std::uint32_t context = 0;
};

/// usm::free is asked for; `free` follows if it is allowed.
struct UsmFreeRecord {
  static constexpr RecordTag tag = RecordTag::usm_free;
  std::uint64_t address = 0;
  std::uint32_t context = 0;
};

/// The execution space instance belongs to that context.
struct UsmContextRecord {
  static constexpr RecordTag tag = RecordTag::usm_context;
  std::uint32_t instance = 0, context = 0;
};

/// The host asks for a copy, a fill, a prefetch or gives advice.
struct TransferRecord {
  static constexpr RecordTag tag = RecordTag::transfer;
  std::string what, preposition;  ///< "copy" "from"
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t context = 0;
};

/// Pages of shared memory that move ahead of a touch.
struct PrefetchRecord {
  static constexpr RecordTag tag = RecordTag::prefetch;
  std::uint64_t address = 0, bytes = 0;
  bool to_device = false;
};

/// The host touches pages of shared memory that were not there.
struct HostTouchRecord {
  static constexpr RecordTag tag = RecordTag::host_touch;
  std::uint64_t address = 0, bytes = 0;
};

/// What follows, of what the host did, was done by that thread of it: 0, until another is named, for the first one. What a
/// thread did while another one's launch ran stands between that launch's records.
struct HostThreadRecord {
  static constexpr RecordTag tag = RecordTag::host_thread;
  std::uint32_t number = 0;
};

/// Kokkos was finalized, or the program ended without that; and what led then to memory that was still allocated.
struct FinalizeRecord {
  static constexpr RecordTag tag = RecordTag::finalize;
  struct Holder {
    std::uint64_t address = 0;  ///< where the allocation begins
    std::string variable;
    bool directly = false;
  };
  std::vector<Holder> holders = {};
  bool called = true;  ///< false: it never was, and this is the program's end
};

/// The host's calls to where it was, which were asked for right then, innermost first.
struct StackRecord {
  static constexpr RecordTag tag = RecordTag::stack;
  std::vector<Site> frames;
};

struct LaunchConfigFields {
  std::string label, region;
  std::uint8_t pattern = 0, policy = 0;  ///< as in sim/host/Launch.hpp
  std::uint64_t league_size = 0;
  std::uint32_t team_size = 0, vector_length = 0, instance = 0;
  std::uint64_t team_scratch[2] = {}, thread_scratch[2] = {};
};

struct LimitRecord {
  static constexpr RecordTag tag = RecordTag::limit;
  std::uint8_t kind = 0;  ///< LimitKind
  LaunchConfigFields config;
  std::uint64_t requested = 0, maximum = 0;
  std::string message;
};

struct LaunchRecord {
  static constexpr RecordTag tag = RecordTag::launch;
  std::uint64_t number = 0;  ///< from 1
  LaunchConfigFields config;
  std::uint64_t kernel_bytes = 0;
  bool checked = true;
  std::vector<Site> calls = {};  ///< the host's to the launch, innermost first
};

/// Some of a team's events, encoded (EventEncoder.hpp). A team's pieces follow one another; teams stand in league
/// order.
struct PieceRecord {
  static constexpr RecordTag tag = RecordTag::piece;
  std::uint64_t launch = 0, league_rank = 0;
  bool first = false, last = false;
  std::uint64_t accesses = 0;  ///< of this piece, about
  std::span<std::uint8_t const> bytes;
};

/// Whether atomics ordered a team with others, as it was when the team's effects were taken in.
struct VerdictsRecord {
  static constexpr RecordTag tag = RecordTag::verdicts;
  std::uint64_t launch = 0, league_rank = 0;
  std::vector<std::uint64_t> verdicts;  ///< AtomicOrder::question() << 1 | ordered
};

struct LaunchEndRecord {
  static constexpr RecordTag tag = RecordTag::launch_end;
  std::uint64_t number = 0;
  bool ordered = false;   ///< the launch ordered itself with atomics
  bool crashed = false;   ///< and did not come to its end
};

/// A finding as the run made it, for readers that run no checks.
struct FindingRecord {
  static constexpr RecordTag tag = RecordTag::finding;
  struct Side {
    Site site{};
    bool has_lane = false, has_interval = false;
    std::uint64_t league = 0, interval = 0;
    std::uint32_t thread = 0, vector_lane = 0;
    std::uint8_t access = 0;
    std::string role;
  };
  std::string rule, severity, title, kernel, label;
  std::uint64_t launch = 0, offset = 0, count = 0;
  std::vector<Side> sides;
};

/// What reports call the finding before it: "TS-3f9a1c07".
struct FindingIdRecord {
  static constexpr RecordTag tag = RecordTag::finding_id;
  std::string id;
};

template <class T>
Bytes encode(T const& record);
/// Throws TraceError.
template <class T>
T decode(std::span<std::uint8_t const> bytes);

}  // namespace teamsan::traces
