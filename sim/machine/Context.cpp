// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The switch itself, in assembly: a debugger and an exception unwind through it by its unwinding information, which holds on
/// both sides of the moment when the stack is another one, and end where a flow of control began.
#include "Context.hpp"

#include <cstring>

#if defined(__x86_64__)
// 0x00: controls of SSE and x87; 0x08: r12, r13, r14, r15, rbx, rbp; 0x38: where to go on. A jump, since the processor
// expects a return to where the last call came from.
asm(R"(
.pushsection .text.__teamsan_switch,"ax",@progbits
.p2align 4
.globl __teamsan_switch
.hidden __teamsan_switch
.type __teamsan_switch,@function
__teamsan_switch:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r15, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r14, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r13, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  leaq -8(%rsp), %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, %rax
  movq %rdi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  leaq 8(%rsp), %rsp
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_same_value r12
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_same_value r13
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_same_value r14
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_same_value r15
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_same_value rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_same_value rbp
  popq %r8
  .cfi_adjust_cfa_offset -8
  .cfi_register rip, r8
  movq %rsi, %rdx
  movq %rax, %rdi
  jmp *%r8
  .cfi_endproc
.size __teamsan_switch,.-__teamsan_switch

.p2align 4
.hidden __teamsan_begin
.globl __teamsan_begin
.type __teamsan_begin,@function
  .cfi_startproc
  .cfi_undefined rip
  nop
__teamsan_begin:
  callq *%rbx
  ud2
  .cfi_endproc
.size __teamsan_begin,.-__teamsan_begin
.popsection
)");
#elif defined(__aarch64__)
// 0x00: d8 to d15; 0x40: x19 to x28, x29, x30; 0xa0: where to go on, the controls of floating-point arithmetic.
asm(R"(
.pushsection .text.__teamsan_switch,"ax",@progbits
.p2align 4
.globl __teamsan_switch
.hidden __teamsan_switch
.type __teamsan_switch,%function
__teamsan_switch:
  .cfi_startproc
  sub sp, sp, #0xb0
  .cfi_def_cfa_offset 0xb0
  mrs x9, fpcr
  stp d8, d9, [sp, #0x00]
  stp d10, d11, [sp, #0x10]
  stp d12, d13, [sp, #0x20]
  stp d14, d15, [sp, #0x30]
  stp x19, x20, [sp, #0x40]
  .cfi_rel_offset x19, 0x40
  .cfi_rel_offset x20, 0x48
  stp x21, x22, [sp, #0x50]
  .cfi_rel_offset x21, 0x50
  .cfi_rel_offset x22, 0x58
  stp x23, x24, [sp, #0x60]
  .cfi_rel_offset x23, 0x60
  .cfi_rel_offset x24, 0x68
  stp x25, x26, [sp, #0x70]
  .cfi_rel_offset x25, 0x70
  .cfi_rel_offset x26, 0x78
  stp x27, x28, [sp, #0x80]
  .cfi_rel_offset x27, 0x80
  .cfi_rel_offset x28, 0x88
  stp x29, x30, [sp, #0x90]
  .cfi_rel_offset x29, 0x90
  .cfi_rel_offset x30, 0x98
  stp x30, x9, [sp, #0xa0]
  mov x10, sp
  mov sp, x0
  ldp x11, x12, [sp, #0xa0]
  ldp d8, d9, [sp, #0x00]
  ldp d10, d11, [sp, #0x10]
  ldp d12, d13, [sp, #0x20]
  ldp d14, d15, [sp, #0x30]
  ldp x19, x20, [sp, #0x40]
  ldp x21, x22, [sp, #0x50]
  ldp x23, x24, [sp, #0x60]
  ldp x25, x26, [sp, #0x70]
  ldp x27, x28, [sp, #0x80]
  ldp x29, x30, [sp, #0x90]
  cmp x9, x12
  b.eq 1f
  msr fpcr, x12
1:
  mov x0, x10
  add sp, sp, #0xb0
  .cfi_def_cfa_offset 0
  .cfi_register x30, x11
  .cfi_same_value x19
  .cfi_same_value x20
  .cfi_same_value x21
  .cfi_same_value x22
  .cfi_same_value x23
  .cfi_same_value x24
  .cfi_same_value x25
  .cfi_same_value x26
  .cfi_same_value x27
  .cfi_same_value x28
  .cfi_same_value x29
  br x11
  .cfi_endproc
.size __teamsan_switch,.-__teamsan_switch

.p2align 4
.hidden __teamsan_begin
.globl __teamsan_begin
.type __teamsan_begin,%function
  .cfi_startproc
  .cfi_undefined x30
  nop
__teamsan_begin:
  blr x19
  brk #1
  .cfi_endproc
.size __teamsan_begin,.-__teamsan_begin
.popsection
)");
#else
#error "TeamSan runs lanes as flows of control on x86-64 and aarch64."
#endif

extern "C" void __teamsan_begin() noexcept;

namespace teamsan {

Context* fresh_context(std::uintptr_t stack_end, void (*entry)(Transfer)) noexcept {
#if defined(__x86_64__)
  constexpr std::size_t words = 8, function = 5, go_on = 7;
#else
  constexpr std::size_t words = 22, function = 8, go_on = 20;
#endif
  std::uintptr_t saved[words] = {};
  saved[function] = reinterpret_cast<std::uintptr_t>(entry);
  saved[go_on] = reinterpret_cast<std::uintptr_t>(&__teamsan_begin);
#if defined(__x86_64__)
  std::uint32_t sse;
  std::uint16_t x87;
  asm("stmxcsr %0\n\tfnstcw %1" : "=m"(sse), "=m"(x87));
  saved[0] = sse | std::uintptr_t{x87} << 32;
#else
  asm("mrs %0, fpcr" : "=r"(saved[21]));
#endif
  auto* const at = reinterpret_cast<void*>((stack_end & ~std::uintptr_t{15}) - sizeof saved);
  std::memcpy(at, saved, sizeof saved);
  return static_cast<Context*>(at);
}

}  // namespace teamsan
