// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the latest launch did to device memory, for the moment at which the program makes its first instance of its own: from
/// then on each launch's work is kept (MissingFence.hpp), and until then nothing of it, since kernels of one instance are
/// ordered. But making an instance orders nothing: what that launch did is pending for kernels of the new one.
///
/// It is read from the global shadow (LaunchWords.hpp), which has one lane's access for each word: a write, if there was one.
/// Errs towards silence: of launches before the latest one nothing is known, nor of what a decided launch's plain body did.
#pragma once

namespace teamsan {
struct LaunchState;
}

namespace teamsan::detect {

/// It has ended.
void keep_latest(LaunchState const& launch);

/// The first instance is made: what the latest launch did counts as its instance's pending work, unless that is fenced.
void pend_latest();

}  // namespace teamsan::detect
