// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A Kokkos Tools library that writes what lies in every allocation when it is freed, so that one program's
/// builds for different devices can be compared without a change to it. Nothing of the program is linked;
/// CUDA's driver is looked for only if there is memory of its own.
///   c++ -std=c++20 -O2 -shared -fPIC -I TEAMSAN snapshots.cpp -o libsnapshots.so
///   KOKKOS_TOOLS_LIBS=libsnapshots.so TEAMSAN_SNAPSHOTS=FILE app
/// FILE gets a line for each allocation, in the order in which they are freed: memory space, label, bytes,
/// contents in hexadecimal digits. What Kokkos allocates for itself is left out, and what has more than 8
/// MiB.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{8} << 20;

/// A View's elements begin behind a header (Kokkos::Impl::SharedAllocationHeader) of this size: a pointer,
/// then the label.
constexpr std::size_t header_bytes = 128, label_offset = sizeof(void*);

std::FILE* file() {
  static std::FILE* const stream = [] {
    char const* const name = std::getenv("TEAMSAN_SNAPSHOTS");
    std::FILE* const opened = name == nullptr ? nullptr : std::fopen(name, "w");
    if (opened == nullptr)
      std::fprintf(stderr, "snapshots: TEAMSAN_SNAPSHOTS names no file that can be written\n");
    return opened;
  }();
  return stream;
}

/// cuCtxSynchronize and cuMemcpyDtoH of CUDA's driver, by their binary interface.
bool copy_from_gpu(void* to, std::uint64_t from, std::size_t bytes) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return false;
  static auto const synchronize = reinterpret_cast<int (*)()>(dlsym(driver, "cuCtxSynchronize"));
  static auto const copy =
      reinterpret_cast<int (*)(void*, std::uint64_t, std::size_t)>(dlsym(driver, "cuMemcpyDtoH_v2"));
  return synchronize != nullptr && copy != nullptr && synchronize() == 0 && copy(to, from, bytes) == 0;
}

}  // namespace

struct SpaceHandle {
  char name[64];
};

namespace {

bool copy(SpaceHandle const& space, void* to, unsigned char const* from, std::size_t bytes) {
  if (std::strcmp(space.name, "Cuda") == 0 || std::strcmp(space.name, "CudaUVM") == 0)
    return copy_from_gpu(to, reinterpret_cast<std::uint64_t>(from), bytes);
  std::memcpy(to, from, bytes);
  return true;
}

}  // namespace

extern "C" void kokkosp_deallocate_data(SpaceHandle const space, char const* const label,
                                        void const* const data, std::uint64_t const bytes) {
  std::FILE* const out = file();
  if (out == nullptr || bytes == 0 || bytes > most_bytes || std::strncmp(label, "Kokkos::", 8) == 0 ||
      std::strcmp(label, "[unlabeled]") == 0)
    return;
  std::vector<unsigned char> contents(bytes);
  auto from = static_cast<unsigned char const*>(data);
  char header[header_bytes] = {};
  if (!copy(space, header, from, sizeof header)) return;
  header[sizeof header - 1] = 0;
  if (std::strncmp(header + label_offset, label, header_bytes - label_offset - 1) != 0)
    return;  // not a View's
  if (!copy(space, contents.data(), from + header_bytes, bytes)) return;
  std::string text;
  text.reserve(2 * bytes);
  for (unsigned char const byte : contents) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  std::fprintf(out, "%s\t%s\t%llu\t%s\n", space.name, label, static_cast<unsigned long long>(bytes),
               text.c_str());
  std::fflush(out);
}
