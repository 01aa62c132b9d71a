// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos allocates in host memory, by address: host Views have their labels there, though nothing of theirs is
/// simulated. Knows what a backend tells of; memory that the program got from malloc has no name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace teamsan {

/// Thread-safe.
void note_host_data(char const* label, void const* begin, std::size_t bytes);
void forget_host_data(void const* begin);

/// Which of all it is that lies there, so that another one at the same address is known for one; 0: nothing that is known.
std::uint64_t host_data_serial(std::uintptr_t address);

/// "the host View \"h\", byte 24"; empty: nothing that is known lies there.
std::string host_data_at(std::uintptr_t address);

/// The label in what host_data_at says; empty: it is something else that is said.
std::string_view label_of_host_data(std::string_view said);

}  // namespace teamsan
