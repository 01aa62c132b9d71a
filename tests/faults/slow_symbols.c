// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To be preloaded: line tables take their time, as they do where a large program's lie on a slow file system.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

int dwfl_linux_proc_report(void* dwfl, pid_t process) {
  int (*const real)(void*, pid_t) = (int (*)(void*, pid_t))dlsym(RTLD_NEXT, "dwfl_linux_proc_report");
  sleep(6);
  return real(dwfl, process);
}
