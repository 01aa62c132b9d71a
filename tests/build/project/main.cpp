// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int run(int, char**);
int main(int argc, char** argv) { return run(argc, argv); }
