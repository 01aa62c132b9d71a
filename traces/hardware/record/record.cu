// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes warp accesses on a real chip, one kernel of one warp for each line of a CSV (the form of
/// ../README.md), so that a profiler can read what each took. Prints the address that global offsets count
/// from; record.py runs it under Nsight Compute and joins the counters.
///   record shared|global ACCESSES.csv
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t global_bytes = std::size_t{64} << 20;
constexpr std::size_t shared_bytes = 48 << 10;

/// In constant memory as a kernel argument, so that fetching it touches neither shared nor global memory.
struct Access {
  std::uint32_t offset[32];
  std::uint32_t active;
  std::uint32_t never;  ///< a sum that no load gives: keeps loads alive
};

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::cerr << "record: CUDA says: " << cudaGetErrorString(error) << "\n";
  std::exit(1);
}

// One struct for each operation: `run` makes the access at `p`. How it is spelled does not depend on the
// space: the compiler sees where `p` points.
template <class T>
__device__ std::uint32_t load(T* p) {
  T const value = *p;
  std::uint32_t sum = 0;
  auto const bytes = reinterpret_cast<unsigned char const*>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) sum += bytes[i] << (i % 24);
  return sum;
}

template <class T>
__device__ T filled(std::uint32_t lane) {
  T value;
  auto const bytes = reinterpret_cast<unsigned char*>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(lane + i);
  return value;
}

struct Ld {
  template <class T>
  static __device__ std::uint32_t run(T* p, std::uint32_t) {
    return load(p);
  }
};
struct St {
  template <class T>
  static __device__ std::uint32_t run(T* p, std::uint32_t lane) {
    *p = filled<T>(lane);
    return 0;
  }
};
struct AtomAdd {
  template <class T>
  static __device__ std::uint32_t run(T* p, std::uint32_t lane) {
    atomicAdd(p, static_cast<T>(lane + 1));
    return 0;
  }
};
struct AtomFetchAdd {
  template <class T>
  static __device__ std::uint32_t run(T* p, std::uint32_t lane) {
    return static_cast<std::uint32_t>(atomicAdd(p, static_cast<T>(lane + 1)));
  }
};
struct AtomExch {
  template <class T>
  static __device__ std::uint32_t run(T* p, std::uint32_t lane) {
    return static_cast<std::uint32_t>(atomicExch(p, static_cast<T>(lane + 1)));
  }
};
struct AtomCas {
  template <class T>
  static __device__ std::uint32_t run(T* p, std::uint32_t lane) {
    return static_cast<std::uint32_t>(atomicCAS(p, static_cast<T>(0), static_cast<T>(lane + 1)));
  }
};

template <class Operation, class T>
__global__ void shared_access(const __grid_constant__ Access access, std::uint32_t* sink) {
  extern __shared__ __align__(1024) unsigned char scratch[];
  std::uint32_t const lane = threadIdx.x;
  if ((access.active >> lane & 1) == 0) return;
  T* const p = reinterpret_cast<T*>(scratch + access.offset[lane]);
  std::uint32_t const sum = Operation::run(p, lane);
  if (sum == access.never) *sink = sum;
}

template <class Operation, class T>
__global__ void global_access(const __grid_constant__ Access access, unsigned char* memory,
                              std::uint32_t* sink) {
  std::uint32_t const lane = threadIdx.x;
  if ((access.active >> lane & 1) == 0) return;
  T* const p = reinterpret_cast<T*>(memory + access.offset[lane]);
  std::uint32_t const sum = Operation::run(p, lane);
  if (sum == access.never) *sink = sum;
}

struct Chip {
  bool shared;
  unsigned char* memory;
  std::uint32_t* sink;

  template <class Operation, class T>
  void make(Access const& access) const {
    if (shared)
      shared_access<Operation, T><<<1, 32, shared_bytes>>>(access, sink);
    else
      global_access<Operation, T><<<1, 32>>>(access, memory, sink);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }

  template <class Operation>
  bool make_by_width(Access const& access, unsigned bytes) const {
    switch (bytes) {
      case 1:
        make<Operation, unsigned char>(access);
        return true;
      case 2:
        make<Operation, unsigned short>(access);
        return true;
      case 4:
        make<Operation, unsigned>(access);
        return true;
      case 8:
        make<Operation, uint2>(access);
        return true;
      case 16:
        make<Operation, uint4>(access);
        return true;
    }
    return false;
  }

  bool make(std::string const& op, unsigned bytes, Access const& access) const {
    if (op == "ld") return make_by_width<Ld>(access, bytes);
    if (op == "st") return make_by_width<St>(access, bytes);
    if (op == "atom_add_u32") return make<AtomAdd, unsigned>(access), true;
    if (op == "atom_add_f32") return make<AtomAdd, float>(access), true;
    if (op == "atom_add_u64") return make<AtomAdd, unsigned long long>(access), true;
    if (op == "atom_add_f64") return make<AtomAdd, double>(access), true;
    if (op == "atom_fetch_add_u32") return make<AtomFetchAdd, unsigned>(access), true;
    if (op == "atom_fetch_add_u64") return make<AtomFetchAdd, unsigned long long>(access), true;
    if (op == "atom_exch_u32") return make<AtomExch, unsigned>(access), true;
    if (op == "atom_cas_u32") return make<AtomCas, unsigned>(access), true;
    if (op == "atom_cas_u64") return make<AtomCas, unsigned long long>(access), true;
    return false;
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::string const space = argc == 3 ? argv[1] : "";
  if (space != "shared" && space != "global") {
    std::cerr << "record: usage: record shared|global ACCESSES.csv\n";
    return 2;
  }
  std::ifstream file(argv[2]);
  if (!file) {
    std::cerr << "record: " << argv[2] << " cannot be opened for reading\n";
    return 2;
  }
  Chip chip{space == "shared", nullptr, nullptr};
  check(cudaMalloc(&chip.memory, global_bytes));
  check(cudaMalloc(&chip.sink, sizeof *chip.sink));
  check(cudaMemset(chip.memory, 0, global_bytes));
  std::cout << "base " << reinterpret_cast<std::uintptr_t>(chip.memory) << std::endl;
  std::size_t const limit = chip.shared ? shared_bytes : global_bytes;

  std::string line;
  std::getline(file, line);
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    Access access{};
    access.never = 0xdeadbeef;
    bool good = fields.size() >= 36;
    unsigned bytes = 0;
    if (good) {
      bytes = static_cast<unsigned>(std::strtoul(fields[1].c_str(), nullptr, 10));
      access.active = static_cast<std::uint32_t>(std::strtoul(fields[3].c_str(), nullptr, 16));
      for (int lane = 0; lane < 32; ++lane) {
        access.offset[lane] = static_cast<std::uint32_t>(std::strtoul(fields[4 + lane].c_str(), nullptr, 10));
        if (access.active >> lane & 1) good = good && access.offset[lane] + bytes <= limit;
      }
    }
    if (!good || !chip.make(fields[0], bytes, access)) {
      std::cerr << "record: " << argv[2] << ":" << number
                << ": no access that this program can make: 32 offsets below " << limit
                << " and a known op are needed\n";
      return 2;
    }
  }
}
