/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* denied PROGRAM ARGUMENT...: starts it where the system refuses, with EPERM, the calls that the seccomp profiles of Docker and
   Podman refuse by default to a container without capabilities, and the newer ones that older profiles do not know (ENOSYS). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int const refused[] = {
    SYS_acct,           SYS_add_key,       SYS_bpf,          SYS_clock_settime, SYS_delete_module, SYS_fanotify_init,
    SYS_finit_module,   SYS_get_mempolicy, SYS_init_module,  SYS_kcmp,          SYS_kexec_load,    SYS_keyctl,
    SYS_mbind,          SYS_mount,         SYS_move_pages,   SYS_name_to_handle_at, SYS_open_by_handle_at,
    SYS_perf_event_open, SYS_personality,  SYS_pivot_root,   SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace,
    SYS_quotactl,       SYS_reboot,        SYS_request_key,  SYS_set_mempolicy, SYS_setns,         SYS_settimeofday,
    SYS_swapoff,        SYS_swapon,        SYS_syslog,       SYS_umount2,       SYS_unshare,       SYS_userfaultfd,
    SYS_vhangup};
/* What older ones do not know. */
static int const unknown[] = {SYS_clone3, SYS_faccessat2, SYS_rseq, SYS_statx, SYS_membarrier};

int main(int argc, char* argv[]) {
  (void)argc;
  struct sock_filter program[4 + 2 * (sizeof refused + sizeof unknown) / sizeof(int)];
  unsigned short n = 0;
  program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i != sizeof refused / sizeof *refused; ++i) {
    program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[i], 0, 1);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  for (size_t i = 0; i != sizeof unknown / sizeof *unknown; ++i) {
    program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)unknown[i], 0, 1);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
  }
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog const whole = {n, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) != 0) {
    perror("skipped: no seccomp filter can be set");
    return 77;
  }
  execv(argv[1], argv + 1);
  perror(argv[1]);
  return 1;
}
