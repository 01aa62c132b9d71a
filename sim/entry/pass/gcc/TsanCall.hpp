// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls that the compiler's pass for ThreadSanitizer puts in front of accesses which are aligned and not volatile: checks in
/// line take their place.
#pragma once

#include "Gcc.hpp"

namespace teamsan_plugin {

struct TsanCall {
  gimple* statement;
  unsigned bytes;  ///< 1 to 16, a power of two; 0: it is none
  bool writes;

  static TsanCall of(gimple* statement) {
    struct Row {
      built_in_function function;
      unsigned bytes;
      bool writes;
    };
    static constexpr Row all[] = {{BUILT_IN_TSAN_READ1, 1, false},   {BUILT_IN_TSAN_READ2, 2, false},
                                  {BUILT_IN_TSAN_READ4, 4, false},   {BUILT_IN_TSAN_READ8, 8, false},
                                  {BUILT_IN_TSAN_READ16, 16, false}, {BUILT_IN_TSAN_WRITE1, 1, true},
                                  {BUILT_IN_TSAN_WRITE2, 2, true},   {BUILT_IN_TSAN_WRITE4, 4, true},
                                  {BUILT_IN_TSAN_WRITE8, 8, true},   {BUILT_IN_TSAN_WRITE16, 16, true}};
    if (gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
      for (Row const& row : all)
        if (row.function == DECL_FUNCTION_CODE(gimple_call_fndecl(statement))) return {statement, row.bytes, row.writes};
    return {statement, 0, false};
  }
};

}  // namespace teamsan_plugin
