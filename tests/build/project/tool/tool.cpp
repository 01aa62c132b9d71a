// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
int plain();
int main() { std::puts("made"); }
