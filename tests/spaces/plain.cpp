// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that is compiled for checking and has nothing of Kokkos in it, as configure tests have.
int main(int argc, char** argv) { return argv[argc] != nullptr; }
