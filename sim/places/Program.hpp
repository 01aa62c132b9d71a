// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the checks ask of the program that is checked: of this process; while a trace is recorded, of this process with the
/// answers going into the trace too; in a replay, of the program that was recorded. Who asks does not know which it is.
#pragma once

#include "../../traces/Site.hpp"
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
  /// See frames_of.
  virtual std::vector<Frame> const& frames(Site site);
  /// See variable_at.
  virtual std::string variable(std::uintptr_t address);
  /// Which member of a struct of that name and size, used by the code there, the byte belongs to: "position[1]"; empty: not
  /// known. Without a name, the code makes a View of such structs.
  virtual std::string field(Site site, std::string const& type, std::uint32_t bytes, std::uint32_t byte);
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
  /// The host's calls to here, innermost first.
  virtual std::vector<Site> stack();
  /// All that it did is known: false for a damaged trace.
  virtual bool is_whole() { return true; }
};

Program& program();

/// This process' calls to here, innermost first, as many as tell a user's way through Kokkos.
std::vector<Site> calls_to_here();

/// From here on, `instead` answers; it is never destroyed.
void set_program(Program& instead);

}  // namespace teamsan
