# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions of libc that kernels may call on memory, and those by which the host hands memory on: programs and shared libraries are linked with --wrap for them, so that
# these calls in checked code reach the runtime (sim/entry/libc/MemoryFunctions.cpp).
set(TEAMSAN_WRAPPED memcpy memmove mempcpy memset bzero memcmp bcmp memchr strlen strcmp strncmp strcpy stpcpy strncpy
    write pwrite send sendto read pread recv recvfrom fread)
