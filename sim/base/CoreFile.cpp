// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CoreFile.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

// The copy has one thread, and whatever locks others held when it was made: it calls nothing but the system.

namespace teamsan {
namespace {

constexpr std::size_t core_page = 4096;
constexpr std::size_t most_mappings = 60000;  ///< what the header of an ELF file counts
constexpr std::size_t most_path = 240;

struct CoreMapping {
  std::uintptr_t begin, end;
  std::uint64_t offset;  ///< in its file
  bool readable, writable, executable, of_file, left_out;
  std::uint64_t bytes;  ///< that the core file has of it, from its beginning
  char path[most_path];
};

/// Grows a file of notes, each of which begins at a multiple of four bytes.
struct CoreNotes {
  char* data;
  std::size_t used, room;
  void add(void const* from, std::size_t count) {
    if (count > room - used) return;
    std::memcpy(data + used, from, count);
    used += count;
  }
  void pad() {
    while (used % 4 != 0 && used < room) data[used++] = 0;
  }
  void note(std::uint32_t type, void const* what, std::size_t bytes, char const* owner = "CORE") {
    std::uint32_t const head[] = {static_cast<std::uint32_t>(std::strlen(owner) + 1), static_cast<std::uint32_t>(bytes), type};
    add(head, sizeof head);
    add(owner, head[0]);
    pad();
    add(what, bytes);
    pad();
  }
};

/// Of the whole work, in the copy. The system gives it as zeros.
struct CoreWork {
  char text[1 << 16];  ///< of a file that is read
  std::uint64_t pages[4096];
  char notes[1 << 22];
  char names[1 << 21];
  CoreMapping mappings[most_mappings];
  std::size_t count;
};

struct CoreCopy {
  char const* path;
  pid_t thread;
  CoreWork* work;
  int error;  ///< of the copy, for who made it
};
constinit CoreCopy core_copy{};

/// Calls f(line) for each line of a file of the system's.
template <class F>
void for_each_line(char const* path, char (&text)[1 << 16], F f) {
  int const file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::size_t have = 0;
  for (ssize_t got; (got = ::read(file, text + have, sizeof text - have)) > 0;) {
    have += static_cast<std::size_t>(got);
    std::size_t begin = 0;
    for (std::size_t i = 0; i != have; ++i)
      if (text[i] == '\n') {
        f(std::string_view(text + begin, i - begin));
        begin = i + 1;
      }
    std::memmove(text, text + begin, have - begin);
    have = begin == 0 && have == sizeof text ? 0 : have - begin;  // no line is so long
  }
  ::close(file);
}

std::uint64_t take_hex(std::string_view& text) {
  std::uint64_t value = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    char const c = text.front();
    bool const is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'a' || c > 'f')) break;
    value = value * 16 + static_cast<unsigned>(is_digit ? c - '0' : c - 'a' + 10);
  }
  if (!text.empty()) text.remove_prefix(1);  // what ends it
  return value;
}

std::string_view take_word(std::string_view& text) {
  std::size_t const end = text.find(' ');
  std::string_view const word = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return word;
}

/// A line such as "7f00-7f10 rw-p 0000 00:00 0   [stack]", or "VmFlags: rd wr dd".
void read_line(CoreWork& work, std::string_view line) {
  if (line.starts_with("VmFlags:")) {
    if (work.count != 0 && line.find(" dd") != line.npos) work.mappings[work.count - 1].left_out = true;
    return;
  }
  char const first = line.empty() ? ' ' : line.front();
  if (!((first >= '0' && first <= '9') || (first >= 'a' && first <= 'f')) || work.count == most_mappings) return;
  CoreMapping& m = work.mappings[work.count++];
  m.begin = take_hex(line);
  m.end = take_hex(line);
  std::string_view const rights = take_word(line);
  m.readable = rights.starts_with('r');
  m.writable = rights.size() > 1 && rights[1] == 'w';
  m.executable = rights.size() > 2 && rights[2] == 'x';
  m.offset = take_hex(line);
  take_word(line);
  m.of_file = take_word(line) != "0";
  std::memcpy(m.path, line.data(), line.size() < most_path ? line.size() : most_path - 1);
}

/// Has somebody stored into what a file was mapped to? The loader does, before it makes constants such.
bool has_own_pages(CoreWork& work, int pagemap, CoreMapping const& m) {
  constexpr std::uint64_t present = std::uint64_t{1} << 63, of_its_file = std::uint64_t{1} << 61;
  for (std::uintptr_t next = m.begin; next < m.end;) {
    std::size_t const ask = std::min<std::size_t>(std::size(work.pages), (m.end - next) / core_page);
    ssize_t const got = ::pread(pagemap, work.pages, ask * 8, static_cast<off_t>(next / core_page * 8));
    if (got < 8) return false;
    for (std::size_t i = 0; i != static_cast<std::size_t>(got) / 8; ++i)
      if ((work.pages[i] & present) != 0 && (work.pages[i] & of_its_file) == 0) return true;
    next += static_cast<std::size_t>(got) / 8 * core_page;
  }
  return false;
}

/// Of code and constants the file that they come from has all, of what nobody may read there is nothing to have.
std::uint64_t bytes_to_keep(CoreMapping const& m, bool was_changed) {
  std::string_view const path(m.path);
  if (!m.readable || m.left_out || path.starts_with("[vvar") || path == "[vsyscall]") return 0;
  if (!m.of_file || m.writable || was_changed) return m.end - m.begin;
  return m.offset == 0 ? core_page : 0;  // the head of a module, by which its file is known
}

void write_to_core(int file, void const* from, std::size_t bytes, std::uint64_t at) {
  auto const* data = static_cast<char const*>(from);
  while (bytes != 0) {
    ssize_t const done = ::pwrite(file, data, bytes, static_cast<off_t>(at));
    if (done < 0 && errno == EFAULT) return;  // behind the end of a file that is mapped
    if (done <= 0) {
      core_copy.error = errno;
      return;
    }
    data += done;
    bytes -= static_cast<std::size_t>(done);
    at += static_cast<std::size_t>(done);
  }
}

/// Pages that were never touched stay a hole.
void write_mapping(CoreWork& work, int file, int pagemap, CoreMapping const& m, std::uint64_t at) {
  bool const of_system = std::string_view(m.path).starts_with("[v");
  if (m.of_file || of_system || pagemap < 0) return write_to_core(file, reinterpret_cast<void const*>(m.begin), m.bytes, at);
  for (std::uintptr_t next = m.begin; next < m.begin + m.bytes && core_copy.error == 0;) {
    std::size_t const ask = std::min<std::size_t>(std::size(work.pages), (m.begin + m.bytes - next) / core_page);
    ssize_t const got = ::pread(pagemap, work.pages, ask * 8, static_cast<off_t>(next / core_page * 8));
    if (got < 8)
      return write_to_core(file, reinterpret_cast<void const*>(next), m.begin + m.bytes - next, at + (next - m.begin));
    std::size_t const known = static_cast<std::size_t>(got) / 8;
    for (std::size_t i = 0; i < known;) {
      std::size_t run = i;
      while (run < known && work.pages[run] >> 62 != 0) ++run;  // in memory, or swapped out
      if (run != i)
        write_to_core(file, reinterpret_cast<void const*>(next + i * core_page), (run - i) * core_page,
                      at + (next + i * core_page - m.begin));
      i = run + 1;
    }
    next += known * core_page;
  }
}

void note_registers(CoreNotes& notes, ucontext_t const& context) {
  elf_prstatus status{};
  status.pr_info.si_signo = SIGTRAP;
  status.pr_cursig = SIGTRAP;
  status.pr_pid = core_copy.thread;
  elf_gregset_t& registers = status.pr_reg;
#if defined(__x86_64__)
  constexpr int order[] = {REG_R15, REG_R14, REG_R13, REG_R12, REG_RBP, REG_RBX, REG_R11, REG_R10, REG_R9,  REG_R8,
                           REG_RAX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RAX, REG_RIP, -1,      REG_EFL, REG_RSP};
  for (std::size_t i = 0; i != std::size(order); ++i)
    if (order[i] >= 0) registers[i] = static_cast<elf_greg_t>(context.uc_mcontext.gregs[order[i]]);
  constexpr elf_greg_t user_code = 0x33, user_stack = 0x2b;
  registers[17] = user_code;
  registers[20] = user_stack;
  unsigned long thread_block = 0;
  constexpr int get_fs = 0x1003;
  ::syscall(SYS_arch_prctl, get_fs, &thread_block);
  registers[21] = thread_block;
  notes.note(NT_PRSTATUS, &status, sizeof status);
  if (context.uc_mcontext.fpregs != nullptr) notes.note(NT_FPREGSET, context.uc_mcontext.fpregs, sizeof(elf_fpregset_t));
#else
  for (std::size_t i = 0; i != 31; ++i) registers[i] = context.uc_mcontext.regs[i];
  registers[31] = context.uc_mcontext.sp;
  registers[32] = context.uc_mcontext.pc;
  registers[33] = context.uc_mcontext.pstate;
  notes.note(NT_PRSTATUS, &status, sizeof status);
  std::uint64_t thread_block = 0;
  asm("mrs %0, tpidr_el0" : "=r"(thread_block));
  notes.note(NT_ARM_TLS, &thread_block, sizeof thread_block, "LINUX");
#endif
}

/// Which file is mapped where: numbers first, then the names in the same order.
void note_files(CoreNotes& notes, CoreWork& work) {
  std::uint64_t count = 0;
  CoreNotes numbers{work.names, 16, sizeof work.names / 2}, names{work.names + sizeof work.names / 2, 0, sizeof work.names / 2};
  for (std::size_t i = 0; i != work.count; ++i) {
    CoreMapping const& m = work.mappings[i];
    if (!m.of_file || numbers.room - numbers.used < 24 || names.room - names.used < most_path) continue;
    std::uint64_t const three[] = {m.begin, m.end, m.offset / core_page};
    numbers.add(three, sizeof three);
    names.add(m.path, std::strlen(m.path) + 1);
    ++count;
  }
  std::uint64_t const head[] = {count, core_page};
  std::memcpy(work.names, head, sizeof head);
  std::memmove(work.names + numbers.used, names.data, names.used);
  notes.note(NT_FILE, work.names, numbers.used + names.used);
}

std::size_t read_file(char const* path, char* to, std::size_t room) {
  int const file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t const got = ::read(file, to, room);
  ::close(file);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

void note_process(CoreNotes& notes, CoreWork& work) {
  elf_prpsinfo info{};
  info.pr_sname = 'R';
  info.pr_pid = core_copy.thread;
  std::size_t const words = read_file("/proc/self/cmdline", info.pr_psargs, sizeof info.pr_psargs - 1);
  for (std::size_t i = 0; i + 1 < words; ++i)
    if (info.pr_psargs[i] == 0) info.pr_psargs[i] = ' ';
  std::size_t const name = read_file("/proc/self/comm", info.pr_fname, sizeof info.pr_fname - 1);
  if (name != 0) info.pr_fname[name - 1] = 0;
  notes.note(NT_PRPSINFO, &info, sizeof info);
  notes.note(NT_AUXV, work.text, read_file("/proc/self/auxv", work.text, sizeof work.text));
}

void write_it(ucontext_t const& context) {
  CoreWork& work = *core_copy.work;
  int const file = ::open(core_copy.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    core_copy.error = errno;
    return;
  }
  for_each_line("/proc/self/smaps", work.text, [&](std::string_view line) { read_line(work, line); });
  // Debuggers take what a part has no bytes of for zeros.
  CoreMapping* const end =
      std::remove_if(work.mappings, work.mappings + work.count, [](CoreMapping const& m) { return m.left_out || !m.readable; });
  work.count = static_cast<std::size_t>(end - work.mappings);
  CoreNotes notes{work.notes, 0, sizeof work.notes};
  note_registers(notes, context);
  note_process(notes, work);
  note_files(notes, work);

  ElfW(Ehdr) head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_ident[EI_VERSION] = EV_CURRENT;
  head.e_type = ET_CORE;
#if defined(__x86_64__)
  head.e_machine = EM_X86_64;
#else
  head.e_machine = EM_AARCH64;
#endif
  head.e_version = EV_CURRENT;
  head.e_phoff = sizeof head;
  head.e_ehsize = sizeof head;
  head.e_phentsize = sizeof(ElfW(Phdr));
  head.e_phnum = static_cast<ElfW(Half)>(work.count + 1);
  write_to_core(file, &head, sizeof head, 0);

  std::uint64_t at = sizeof head + (work.count + 1) * sizeof(ElfW(Phdr));
  ElfW(Phdr) part{};
  part.p_type = PT_NOTE;
  part.p_offset = at;
  part.p_filesz = notes.used;
  part.p_align = 4;
  write_to_core(file, &part, sizeof part, sizeof head);
  write_to_core(file, notes.data, notes.used, at);
  at = (at + notes.used + core_page - 1) / core_page * core_page;
  int const pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  for (std::size_t i = 0; i != work.count && core_copy.error == 0; ++i) {
    CoreMapping& m = work.mappings[i];
    m.bytes = bytes_to_keep(m, m.of_file && !m.writable && m.readable && has_own_pages(work, pagemap, m));
    part = {};
    part.p_type = PT_LOAD;
    part.p_offset = at;
    part.p_vaddr = m.begin;
    part.p_memsz = m.end - m.begin;
    part.p_filesz = m.bytes;
    part.p_flags = (m.readable ? PF_R : 0u) | (m.writable ? PF_W : 0u) | (m.executable ? PF_X : 0u);
    part.p_align = core_page;
    write_to_core(file, &part, sizeof part, sizeof head + (i + 1) * sizeof part);
    write_mapping(work, file, pagemap, m, at);
    at += m.bytes;
  }
  if (core_copy.error == 0 && ::ftruncate(file, static_cast<off_t>(at)) != 0) core_copy.error = errno;
  ::close(file);
}

}  // namespace

std::string write_core_file(std::string const& path) {
  void* const room =
      ::mmap(nullptr, sizeof(CoreWork), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return std::strerror(errno);
  ::madvise(room, sizeof(CoreWork), MADV_DONTDUMP);
  core_copy = {path.c_str(), static_cast<pid_t>(::syscall(SYS_gettid)), static_cast<CoreWork*>(room), 0};
  // No handler of fork's, no SIGCHLD for the program, and a debugger of the program leaves the copy alone.
  long const child = ::syscall(SYS_clone, CLONE_UNTRACED, 0, 0, 0, 0);
  if (child == 0) {
    ucontext_t here;
    ::getcontext(&here);
    write_it(here);
    for (;;) ::syscall(SYS_exit_group, core_copy.error);
  }
  std::string wrong;
  if (child < 0) {
    wrong = std::strerror(errno);
  } else {
    int status = 0;
    while (::waitpid(static_cast<pid_t>(child), &status, __WALL) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status))
      wrong = "the process that wrote it was killed";
    else if (WEXITSTATUS(status) != 0)
      wrong = std::strerror(WEXITSTATUS(status));
  }
  ::munmap(room, sizeof(CoreWork));
  return wrong;
}

}  // namespace teamsan
