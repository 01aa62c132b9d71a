// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Holds what the simulated GPU did against what the oracle says.
#pragma once

#include "Interpreter.hpp"
#include "Oracle.hpp"

#include <string>

namespace property {

/// What differs between the results of a clean program, in words; empty: nothing.
std::string difference(Program const& program, Result const& expected, Result const& got);

/// Certain faults that were not found.
std::set<Fault> missed(Verdict const& verdict, Run const& run);

/// Of those, races that were found as `same-value` only: lanes store one value, but one of them had read the
/// old one, or stored another, before its own store. The shadow does not tell that from a read after it, and
/// knows the latest store.
std::set<Fault> found_as_same_value(Verdict const& verdict, Run const& run);

/// Findings that the oracle has no reason for.
std::set<Fault> invented(Verdict const& verdict, Run const& run);

}  // namespace property
