// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the checks ask of the program that is checked: of this process; while a trace is recorded, of this process with the
/// answers going into the trace too; in a replay, of the program that was recorded. Who asks does not know which it is.
#pragma once

#include "Modules.hpp"
#include "Symbolizer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// This process; recordings and replays derive from it. References stay valid for the life of the process.
class Program {
 public:
  virtual ~Program() = default;

  /// What its modules take of the address space.
  virtual std::vector<Segment> const& segments();
  /// How likely it is that the code, which lies in that segment, calls something just before the address: 0 to 2.
  virtual int is_behind_call(std::uintptr_t pc, Segment const& segment);
  /// See frames_of.
  virtual std::vector<Frame> const& frames(std::uintptr_t pc);
  /// See variable_at.
  virtual std::string variable(std::uintptr_t address);
  /// Which member of a struct of that name and size, used by the code there, the byte belongs to: "position[1]"; empty: not
  /// known. Without a name, the code makes a View of such structs.
  virtual std::string field(std::uintptr_t pc, std::string const& type, std::uint32_t bytes, std::uint32_t byte);
  /// Where it was started, with a slash at the end; empty: unknown.
  virtual std::string const& directory();
  /// Its argv; empty: unknown.
  virtual std::vector<std::string> arguments();
  /// `teamsan`, as whoever started the program can call it: relative if below its directory; empty: not known.
  virtual std::string launcher();
  /// Shared libraries of it that use Kokkos and were not compiled for checking.
  virtual std::vector<std::string> unchecked_libraries();
  /// The lines of one of its source files; none if it cannot be read.
  virtual std::vector<std::string> source(std::string const& path);
  /// Return addresses of the host's calls to here, innermost first.
  virtual std::vector<std::uintptr_t> stack();
  /// All that it did is known: false for a damaged trace.
  virtual bool is_whole() { return true; }
};

Program& program();

/// Return addresses of this process' calls to here, innermost first, as many as tell a user's way through Kokkos.
std::vector<std::uintptr_t> calls_to_here();

/// From here on, `instead` answers; it is never destroyed.
void set_program(Program& instead);

}  // namespace teamsan
