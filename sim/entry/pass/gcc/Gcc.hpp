// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the plug-in needs of GCC's own headers, in the order in which these include each other's needs. Written for GCC
/// 11 to 16, and tried with 12.
#pragma once

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gcc-plugin.h>
// clang-format off
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <cgraph.h>
#include <stringpool.h>
#include <attribs.h>
#include <gimple-iterator.h>
#include <options.h>
#include <opts.h>
#include <asan.h>
#include <cfgloop.h>
#include <cfganal.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-eh.h>
#include <tree-into-ssa.h>
#include <tree-ssanames.h>
#include <tree-phinodes.h>
#include <ssa-iterators.h>
#include <tree-inline.h>
#include <fold-const.h>
#include <memmodel.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#include <plugin-version.h>
#pragma GCC diagnostic pop
// clang-format on
