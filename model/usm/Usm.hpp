// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory for Kokkos, after SYCL 2020, section 4.8: pointers instead of Views, of four kinds
/// (Kind.hpp), tied to a context (Context.hpp). Header-only; needs Kokkos and nothing else. In production it
/// maps to Kokkos' memory spaces; on the simulated GPU every rule of who may touch what, and when, is
/// checked. docs/usm.md has the rules, the findings and the mapping.
///
/// Counts are in elements of T, which must be trivially copyable where bytes are copied; memory comes
/// uninitialised. All functions are for host code, with Kokkos initialised.
#pragma once

#include "Allocator.hpp"
#include "Context.hpp"
#include "Kind.hpp"
#include "Malloc.hpp"
#include "Transfer.hpp"
