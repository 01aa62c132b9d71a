// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if !defined(OF_THING) || !defined(OF_DIRECTORY) || !defined(OF_DIRECTORY_FLAGS) || OF_SOURCE != 1
#error "something was lost"
#endif
int answer();
int main() { return answer() - 42; }
