// Owner of precompiled headers: of the checked programs, of the unit tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
