// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Modules.hpp"

#include "../base/PatientMutex.hpp"
#include "Program.hpp"

#include <cstring>
#include <link.h>
#include <mutex>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace teamsan {

namespace {

struct Modules {
  std::vector<Segment> segments;
  unsigned long long loads = ~0ull;
};

/// What a module may add.
std::size_t most_segments(dl_phdr_info const& info) { return 3u * info.dlpi_phnum; }

/// Takes no memory: see StaticData.cpp. 1: there is no room.
int add_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& modules = *static_cast<Modules*>(data);
  if (modules.segments.capacity() - modules.segments.size() < most_segments(*info)) return 1;
  std::uintptr_t relro_begin = 0, relro_end = 0;
  for (int i = 0; i != info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      relro_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      relro_end = relro_begin + info->dlpi_phdr[i].p_memsz;
    }
  for (int i = 0; i != info->dlpi_phnum; ++i) {
    ElfW(Phdr) const& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    std::uintptr_t const begin = info->dlpi_addr + header.p_vaddr;
    Segment segment{begin, begin + header.p_memsz, (header.p_flags & PF_X) != 0, (header.p_flags & PF_W) != 0};
    if (segment.writable && relro_begin >= segment.begin && relro_end > relro_begin && relro_end <= segment.end) {
      modules.segments.push_back({relro_begin, relro_end, false, false});
      modules.segments.push_back({segment.begin, relro_begin, false, true});
      modules.segments.push_back({relro_end, segment.end, false, true});
    } else {
      modules.segments.push_back(segment);
    }
  }
  modules.loads = info->dlpi_adds;
  return 0;
}

struct Versions {
  PatientMutex mutex;
  std::vector<Modules*> all;  ///< kept: readers hold references, also while static objects die
};
Versions& versions() {
  static auto& versions = *new Versions;
  return versions;
}

/// Read anew when a library was loaded since.
Modules const& modules() {
  Versions& known = versions();
  std::lock_guard const lock(known.mutex);
  unsigned long long loads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;
      },
      &loads);
  if (known.all.empty() || known.all.back()->loads != loads) {
    auto* const fresh = new Modules;
    do {
      std::size_t room = 0;
      dl_iterate_phdr(
          [](dl_phdr_info* info, std::size_t, void* out) {
            *static_cast<std::size_t*>(out) += most_segments(*info);
            return 0;
          },
          &room);
      fresh->segments.clear();
      fresh->segments.reserve(room);
    } while (dl_iterate_phdr(add_module, fresh) != 0);  // one was loaded meanwhile
    known.all.push_back(fresh);
  }
  return *known.all.back();
}

}  // namespace

std::vector<Segment> const& Program::segments() { return modules().segments; }

std::vector<Segment> const& loaded_segments() { return program().segments(); }

namespace {

template <class Predicate>
bool in_segment(std::uintptr_t address, Predicate wanted) {
  for (Segment const& s : loaded_segments())
    if (address >= s.begin && address < s.end && wanted(s)) return true;
  return false;
}

/// How likely it is that the code, which lies in that segment, made a site of the address. 3: a check in line, which takes the
/// address behind itself; 2: behind a call to an address in the same segment, 1: through a pointer. The module may be unloaded
/// by now: its memory is not touched.
int is_site(std::uintptr_t pc, Segment const& s) {
#if defined(__aarch64__)
  std::uint32_t code;
#else
  unsigned char code[7];
#endif
  if (pc - s.begin < sizeof code) return 0;
  iovec const here{&code, sizeof code}, there{reinterpret_cast<void*>(pc - sizeof code), sizeof code};
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != sizeof code) return 0;
#if defined(__aarch64__)
  if ((code & 0xfc000000) == 0x94000000) {  // bl
    std::int64_t const words = static_cast<std::int32_t>(code << 6) >> 6;
    std::uintptr_t const target = pc - 4 + static_cast<std::uintptr_t>(words * 4);
    if (target >= s.begin && target < s.end) return 2;
  }
  return (code & 0xfefff000) == 0xd63f0000;  // blr and its authenticated forms
#else
  if ((code[0] & 0xfb) == 0x48 && code[1] == 0x8d && (code[2] & 0xc7) == 5 && std::memcmp(code + 3, "\0\0\0", 4) == 0)
    return 3;  // lea 0(%rip), of a check
  if (code[2] == 0xe8) {
    std::int32_t distance;
    std::memcpy(&distance, code + 3, sizeof distance);
    std::uintptr_t const target = pc + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance));
    if (target >= s.begin && target < s.end) return 2;
  }
  // ff /2: by a register, or by memory with no, 8 or 32 bits of displacement.
  auto const calls = [&](unsigned length, unsigned mode) {
    unsigned char const* const at = code + sizeof code - length;
    return at[0] == 0xff && (at[1] & 0x38) == 0x10 && at[1] >> 6 == mode;
  };
  return calls(2, 3) || calls(2, 0) || calls(3, 1) || calls(6, 2) || (calls(6, 0) && (code[2] & 7) == 5);
#endif
}

}  // namespace

std::uintptr_t address_in(std::vector<Segment> const& segments, Site site) {
  if (site == Site{}) return 0;
  std::uintptr_t best = 0;
  int best_likelihood = -1;  // not asked for yet: mostly there is one
  Segment const* where = nullptr;
  for (Segment const& s : segments) {
    if (!s.code) continue;
    std::uintptr_t pc = (s.begin & ~std::uintptr_t{0xffffffff}) | number_of(site);
    if (pc < s.begin) pc += std::uintptr_t{1} << 32;
    if (pc >= s.end || pc == best) continue;
    if (best == 0) {
      best = pc;
      where = &s;
      continue;
    }
    if (best_likelihood < 0) best_likelihood = is_site(best, *where);
    if (int const other = is_site(pc, s); other > best_likelihood) {
      best = pc;
      best_likelihood = other;
    }
  }
  return best;
}

std::uintptr_t address_in_process(Site site) {
  if (std::uintptr_t const address = address_in(modules().segments, site); address != 0) return address;
  Versions& known = versions();
  std::lock_guard const lock(known.mutex);
  for (std::size_t i = known.all.size(); i-- != 0;)
    if (std::uintptr_t const address = address_in(known.all[i]->segments, site); address != 0) return address;
  return 0;
}

bool is_read_only_data(std::uintptr_t address) {
  return in_segment(address, [](Segment const& s) { return !s.writable; });
}

bool is_static_data(std::uintptr_t address) {
  return in_segment(address, [](Segment const& s) { return s.writable; });
}

std::uintptr_t module_begin(std::uintptr_t address) {
  struct Query {
    std::uintptr_t address, begin;
  } query{address, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& q = *static_cast<Query*>(data);
        std::uintptr_t first = 0;
        for (int i = 0; i != info->dlpi_phnum; ++i) {
          ElfW(Phdr) const& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD) continue;
          std::uintptr_t const begin = info->dlpi_addr + header.p_vaddr;
          if (first == 0) first = begin;
          if (q.address < begin || q.address - begin >= header.p_memsz) continue;
          q.begin = first;
          return 1;
        }
        return 0;
      },
      &query);
  return query.begin;
}

bool is_thread_local_data(std::uintptr_t address) {
  // The static TLS block lies below the thread pointer, the control block above; on aarch64 it is the other way round. Blocks
  // of libraries loaded later lie elsewhere; __tls_get_addr knows.
  auto const self = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
#if defined(__aarch64__)
  constexpr std::uintptr_t below = 4096, above = 64 * 1024;
#else
  constexpr std::uintptr_t below = 64 * 1024, above = 4096;
#endif
  if (address >= self - below && address < self + above) return true;
  struct Query {
    std::uintptr_t address;
    bool found;
  } query{address, false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& q = *static_cast<Query*>(data);
        if (info->dlpi_tls_data == nullptr) return 0;
        auto const begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        for (int i = 0; i != info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_TLS)
            q.found |= q.address >= begin && q.address < begin + info->dlpi_phdr[i].p_memsz;
        return q.found ? 1 : 0;
      },
      &query);
  return query.found;
}

}  // namespace teamsan
