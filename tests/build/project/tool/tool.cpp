#include <cstdio>
int plain();
int main() { std::puts("made"); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
