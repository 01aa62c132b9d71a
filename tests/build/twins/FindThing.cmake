# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An imported target, as packages bring them.
add_library(Thing::thing INTERFACE IMPORTED)
target_compile_definitions(Thing::thing INTERFACE OF_THING)
set(Thing_FOUND TRUE)
