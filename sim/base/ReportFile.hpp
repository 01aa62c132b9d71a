// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where reports go: names of files and writing them, whole or not at all. The one place that does it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace teamsan {

/// what() is one sentence that names the file and the reason.
struct ReportFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The MPI rank, as Open MPI, MPICH and Slurm, MVAPICH and PMIx tell a process; nothing outside MPI.
std::optional<std::string> mpi_rank();

/// The name with %p replaced by the process id, %r by the MPI rank (0 outside MPI), %% by %.
std::string expanded_file_name(std::string_view name);

/// Names without a leading slash mean files below the directory that the process was in now, wherever it goes later. At start.
void remember_directory();

/// The file's name from that directory; it stays as it is where nothing was remembered, and for the process' own descriptors.
std::string from_start_directory(std::string const& file);

/// Writes the file under another name beside it and renames it, so that a reader never sees half a report.
/// What is not a regular file (a pipe, a terminal) is written to directly; /dev/stdout, /dev/stderr and /dev/fd/N are the
/// process' own descriptors, whatever they lead to. No signal comes of it: a reader that went away and a file that may not
/// grow are ReportFileErrors like a full disk. Throws ReportFileError.
void write_report_file(std::string const& name, std::string_view text);

/// Does the name lead to what a report is added to, not to a file that a report replaces: a pipe, a terminal, one of the
/// process' own descriptors?
bool is_stream(std::string const& name);

/// Writes to standard error, as much as it takes.
void write_to_stderr(std::string_view text) noexcept;

}  // namespace teamsan
