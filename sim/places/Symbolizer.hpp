// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Says which source line a Site stands for, from the line tables and inline records (DWARF) of
/// the running program and its shared libraries. It reads them only when asked, once per site. It
/// cannot see code built without -g1 or -g, nor code made at run time: such a site has no frames.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

/// One function that the instruction is in; inlined functions are frames of their own.
struct Frame {
  std::string function;  ///< short and demangled: no template arguments, no parameters; "lambda in f"
  std::string file;      ///< as the compiler recorded it, made absolute; empty: unknown
  unsigned line = 0, column = 0;
  bool internal = false;  ///< Kokkos, desul, the standard library or TeamSan itself: not what a user wrote
  bool clang = false;     ///< compiled by Clang
};

/// A place in the user's own source.
struct Place {
  std::string file;  ///< relative to the current directory when below it; empty: unknown
  unsigned line = 0, column = 0;
  std::string function;
  std::string path;       ///< the file as it can be opened
  bool internal = false;  ///< not the user's own: nothing better was known
  bool known() const noexcept { return line != 0; }
  friend bool operator==(Place const&, Place const&) = default;
};

/// "src/rhs.hpp:55:9"; "src/rhs.hpp:55" without a column; "unknown place" when not known.
std::string to_string(Place const& place);

/// What a person reads about one side: where it happened and through which lines of theirs it got there.
struct Trail {
  Place place;                 ///< innermost frame that is not internal
  std::vector<Place> callers;  ///< the user's frames around it, innermost first, without repeats
  std::string function;        ///< the innermost function whose name is known, where no line is
};

/// The inline chain of one instruction, innermost first. A site is that of a return address: the line looked up is that of the
/// byte before it (give that of a faulting instruction's address plus one). Empty when nothing is known. Thread-safe, also on
/// a lane's small stack; waits for other threads' lookups, however long they take. The reference stays valid for
/// the life of the program.
std::vector<Frame> const& frames_of(Site site);

/// The innermost frame of the user's own code; walks `callers` (innermost first) where all
/// frames of `site` are internal. When no frame at all is the user's, the innermost known frame.
Place user_place(Site site, std::span<Site const> callers = {});

/// user_place together with the user's frames around it.
Trail user_trail(Site site, std::span<Site const> callers = {});

/// True when both are the same file, line and column of the user's code (a barrier that the compiler
/// duplicated is one barrier). Those without a known place are the same only when equal. Cheap after the first
/// call for a site.
bool same_place(Site first, Site second);

/// The first of `site` and `callers` that has a frame of the user's own; `site` when none has. For sites that lie
/// in a function of Kokkos' that was not inlined (-O0), where `site` alone is the same for every call of it.
Site users_own(Site site, std::span<Site const> callers);

/// The host variable that holds an address, "" if no symbol names one: the compiler's own constants have no name.
std::string variable_at(std::uintptr_t address);

/// For a signal handler, which may have interrupted a lookup: from now on those of this thread wait for no more than
/// seconds, and those that this thread was in the middle of are not waited for at all. What is not looked up is lost: it
/// has no frames, is not remembered as such, and was_look_up_lost() from then on. Nobody may be accused for want of frames
/// that were lost.
void look_up_without_waiting() noexcept;
bool looks_up_without_waiting() noexcept;

/// Something was not looked up that might have been: see above, or there was no memory or no file left for it.
bool was_look_up_lost() noexcept;

/// Where the program was started, with a slash at the end; empty: unknown. Files below it are named relative to it.
std::string const& start_directory();

/// True for a source file that is not the user's: Kokkos' headers, desul, mdspan, the standard library,
/// TeamSan's rooms.
bool is_internal_file(std::string_view file);

/// A demangled name without template arguments, parameters and anonymous namespaces: "assemble", "lambda in
/// assemble".
std::string short_function_name(std::string_view demangled);

}  // namespace teamsan
