// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A report as it may be shown: labels, paths, arguments and source lines are text of the program's, or of whoever wrote the
/// report, and none of it may end a line, act on a terminal or break a format. Every writer but JSON's, which has escapes
/// for all of it, begins with this.
#pragma once

#include "Report.hpp"

namespace teamsan {

/// The same with every text printable (traces/Printable.hpp). Paths by which files are opened stay as they are, and
/// messages keep their line breaks.
Report presentable(Report report);

}  // namespace teamsan
