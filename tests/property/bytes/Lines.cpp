// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lines.hpp"

#include <Kokkos_Core.hpp>

#include <cstring>

namespace property::bytes {
namespace {

template <int n>
struct Chars {
  unsigned char member[n];
};
template <class T, int n>
struct Numbers {
  T member[n];
};

template <class T>
T* as(unsigned char* p) {
  return reinterpret_cast<T*>(p);
}
template <class T>
T volatile* as_volatile(unsigned char* p) {
  return reinterpret_cast<T volatile*>(p);
}
template <class T>
using Unmanaged = Kokkos::View<T*, teamsan::Simt, Kokkos::MemoryUnmanaged>;

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T>
T filled(u64 v) {
  T t;
  auto* const bytes = reinterpret_cast<unsigned char*>(&t);
  for (std::size_t i = 0; i != sizeof t; ++i) bytes[i] = static_cast<unsigned char>(v >> i % 8 * 8);
  return t;
}

/// Of atomics under Kokkos' locks.
struct Wide {
  u64 a, b, c;
  KOKKOS_INLINE_FUNCTION Wide operator+(Wide const& o) const { return {a + o.a, b + o.b, c + o.c}; }
};
static_assert(sizeof(Wide) == wide_atomic);

constexpr int key(Deed deed, int bytes, int alignment = 1) { return static_cast<int>(deed) << 16 | bytes << 8 | alignment; }

}  // namespace

// The compiler must not take the same code in two slots for one, nor move a load to where its value is used.
#define TEAMSAN_APART(k) asm volatile("" : : "i"(k) : "memory")
#define TEAMSAN_HERE(k, what) \
  TEAMSAN_APART(k);           \
  what;                       \
  TEAMSAN_APART(k);           \
  break
#define TEAMSAN_NUMBER(k, T)                                                                  \
  case key(Deed::read, sizeof(T)):                                                            \
    TEAMSAN_HERE(k, got = *as<T>(p));                                                         \
  case key(Deed::write, sizeof(T)):                                                           \
    TEAMSAN_HERE(k, *as<T>(p) = static_cast<T>(v));                                           \
  case key(Deed::modify, sizeof(T)):                                                          \
    TEAMSAN_HERE(k, *as<T>(p) = static_cast<T>(*as<T>(p) + v));                               \
  case key(Deed::volatile_read, sizeof(T)):                                                   \
    TEAMSAN_HERE(k, got = *as_volatile<T>(p));                                                \
  case key(Deed::volatile_write, sizeof(T)):                                                  \
    TEAMSAN_HERE(k, *as_volatile<T>(p) = static_cast<T>(v));                                  \
  case key(Deed::volatile_modify, sizeof(T)):                                                 \
    TEAMSAN_HERE(k, *as_volatile<T>(p) = static_cast<T>(*as_volatile<T>(p) + v));             \
  case key(Deed::atomic_load, sizeof(T)):                                                     \
    TEAMSAN_HERE(k, got = Kokkos::atomic_load(as<T>(p)));                                     \
  case key(Deed::atomic_store, sizeof(T)):                                                    \
    TEAMSAN_HERE(k, Kokkos::atomic_store(as<T>(p), static_cast<T>(v)));                       \
  case key(Deed::atomic_add, sizeof(T)):                                                      \
    TEAMSAN_HERE(k, Kokkos::atomic_add(as<T>(p), static_cast<T>(v)));                         \
  case key(Deed::atomic_max, sizeof(T)):                                                      \
    TEAMSAN_HERE(k, Kokkos::atomic_max(as<T>(p), static_cast<T>(v)));                         \
  case key(Deed::atomic_exchange, sizeof(T)):                                                 \
    TEAMSAN_HERE(k, got = Kokkos::atomic_exchange(as<T>(p), static_cast<T>(v)));              \
  case key(Deed::atomic_compare, sizeof(T)):                                                  \
    TEAMSAN_HERE(k, got = Kokkos::atomic_compare_exchange(as<T>(p), T{}, static_cast<T>(v))); \
  case key(Deed::builtin_load, sizeof(T)):                                                    \
    TEAMSAN_HERE(k, got = __atomic_load_n(as<T>(p), __ATOMIC_RELAXED));                       \
  case key(Deed::builtin_store, sizeof(T)):                                                   \
    TEAMSAN_HERE(k, __atomic_store_n(as<T>(p), static_cast<T>(v), __ATOMIC_RELAXED));         \
  case key(Deed::builtin_add, sizeof(T)):                                                     \
    TEAMSAN_HERE(k, got = __atomic_fetch_add(as<T>(p), static_cast<T>(v), __ATOMIC_RELAXED))
#define TEAMSAN_VIEW(k, T)                               \
  case key(Deed::view_read, sizeof(T)):                  \
    TEAMSAN_HERE(k, got = Unmanaged<T>(as<T>(p), 1)(0)); \
  case key(Deed::view_write, sizeof(T)):                 \
    TEAMSAN_HERE(k, Unmanaged<T>(as<T>(p), 1)(0) = static_cast<T>(v))
#define TEAMSAN_STRUCT(k, T)                             \
  case key(Deed::struct_read, sizeof(T), alignof(T)): {  \
    T own;                                               \
    TEAMSAN_APART(k);                                    \
    own = *as<T>(p);                                     \
    asm volatile("" : "+m"(own) : "i"(k) : "memory");    \
    got = reinterpret_cast<unsigned char const&>(own);   \
    break;                                               \
  }                                                      \
  case key(Deed::struct_write, sizeof(T), alignof(T)): { \
    T own = filled<T>(v);                                \
    asm volatile("" : "+m"(own) : "i"(k) : "memory");    \
    *as<T>(p) = own;                                     \
    TEAMSAN_APART(k);                                    \
    break;                                               \
  }
#define TEAMSAN_COPY(k, n)                            \
  case key(Deed::copy_read, n): {                     \
    unsigned char own[n];                             \
    TEAMSAN_APART(k);                                 \
    std::memcpy(own, p, n);                           \
    asm volatile("" : "+m"(own) : "i"(k) : "memory"); \
    got = own[0];                                     \
    break;                                            \
  }                                                   \
  case key(Deed::copy_write, n): {                    \
    Chars<n> own = filled<Chars<n>>(v);               \
    asm volatile("" : "+m"(own) : "i"(k) : "memory"); \
    std::memcpy(p, &own, n);                          \
    TEAMSAN_APART(k);                                 \
    break;                                            \
  }
#define TEAMSAN_ANY(k)                                                 \
  {                                                                    \
    unsigned char own[32] = {};                                        \
    std::size_t n = o.bytes;                                           \
    asm volatile("" : "+m"(own), "+r"(n) : "i"(k) : "memory");         \
    switch (o.deed) {                                                  \
      case Deed::any_read:                                             \
        TEAMSAN_HERE(k, std::memcpy(own, p, n));                       \
      case Deed::any_write:                                            \
        TEAMSAN_HERE(k, std::memcpy(p, own, n));                       \
      case Deed::any_set:                                              \
        TEAMSAN_HERE(k, std::memset(p, static_cast<int>(v & 255), n)); \
      default:                                                         \
        break;                                                         \
    }                                                                  \
    asm volatile("" : "+m"(own) : "i"(k) : "memory");                  \
    got = own[0];                                                      \
  }
#define TEAMSAN_SLOT(k)                                                             \
  struct Slot##k {                                                                  \
    static constexpr unsigned line = __LINE__;                                      \
    [[gnu::noinline]] static u64 act(Operation const& o, unsigned char* p, u64 v) { \
      u64 got = 0;                                                                  \
      switch (key(o.deed, o.bytes, o.alignment)) {                                  \
        TEAMSAN_NUMBER(k, u8);                                                      \
        TEAMSAN_NUMBER(k, u16);                                                     \
        TEAMSAN_NUMBER(k, u32);                                                     \
        TEAMSAN_NUMBER(k, u64);                                                     \
        TEAMSAN_VIEW(k, u32);                                                       \
        TEAMSAN_VIEW(k, u64);                                                       \
        case key(Deed::atomic_add_real, 8):                                         \
          TEAMSAN_HERE(k, Kokkos::atomic_add(as<double>(p), 1.0));                  \
        case key(Deed::atomic_add, wide_atomic):                                    \
          TEAMSAN_HERE(k, Kokkos::atomic_add(as<Wide>(p), Wide{v, v, v}));          \
        case key(Deed::atomic_exchange, wide_atomic):                               \
          TEAMSAN_HERE(k, got = Kokkos::atomic_exchange(as<Wide>(p), Wide{v, 1, 2}).a); \
          TEAMSAN_STRUCT(k, Chars<3>)                                               \
          TEAMSAN_STRUCT(k, Chars<5>)                                               \
          TEAMSAN_STRUCT(k, Chars<6>)                                               \
          TEAMSAN_STRUCT(k, Chars<7>)                                               \
          TEAMSAN_STRUCT(k, Chars<9>)                                               \
          TEAMSAN_STRUCT(k, Chars<12>)                                              \
          TEAMSAN_STRUCT(k, Chars<17>)                                              \
          TEAMSAN_STRUCT(k, Chars<24>)                                              \
          using Three = Numbers<u32, 3>;                                            \
          TEAMSAN_STRUCT(k, Three)                                                  \
          using Four = Numbers<u32, 4>;                                             \
          TEAMSAN_STRUCT(k, Four)                                                   \
          using Long2 = Numbers<u64, 2>;                                            \
          TEAMSAN_STRUCT(k, Long2)                                                  \
          using Long3 = Numbers<u64, 3>;                                            \
          TEAMSAN_STRUCT(k, Long3)                                                  \
          TEAMSAN_COPY(k, 1)                                                        \
          TEAMSAN_COPY(k, 2)                                                        \
          TEAMSAN_COPY(k, 3)                                                        \
          TEAMSAN_COPY(k, 4)                                                        \
          TEAMSAN_COPY(k, 5)                                                        \
          TEAMSAN_COPY(k, 6)                                                        \
          TEAMSAN_COPY(k, 7)                                                        \
          TEAMSAN_COPY(k, 8)                                                        \
          TEAMSAN_COPY(k, 11)                                                       \
          TEAMSAN_COPY(k, 13)                                                       \
          TEAMSAN_COPY(k, 16)                                                       \
          TEAMSAN_COPY(k, 20)                                                       \
          TEAMSAN_COPY(k, 24)                                                       \
        default:                                                                    \
          TEAMSAN_ANY(k) break;                                                     \
      }                                                                             \
      return got;                                                                   \
    }                                                                               \
  };

namespace {
// clang-format off
TEAMSAN_SLOT(0)
TEAMSAN_SLOT(1)
TEAMSAN_SLOT(2)
TEAMSAN_SLOT(3)
TEAMSAN_SLOT(4)
TEAMSAN_SLOT(5)
TEAMSAN_SLOT(6)
TEAMSAN_SLOT(7)
// clang-format on
}  // namespace

std::uint64_t act(int slot, Operation const& o, unsigned char* p, std::uint64_t value) {
  switch (slot) {
    case 0:
      return Slot0::act(o, p, value);
    case 1:
      return Slot1::act(o, p, value);
    case 2:
      return Slot2::act(o, p, value);
    case 3:
      return Slot3::act(o, p, value);
    case 4:
      return Slot4::act(o, p, value);
    case 5:
      return Slot5::act(o, p, value);
    case 6:
      return Slot6::act(o, p, value);
    default:
      return Slot7::act(o, p, value);
  }
}

int slot_at(std::string_view file, unsigned line) {
  if (!file.ends_with("bytes/Lines.cpp") || line < Slot0::line || line > Slot7::line) return -1;
  return static_cast<int>(line - Slot0::line);
}

bool sees_struct([[maybe_unused]] int bytes, [[maybe_unused]] int alignment) {
#ifdef __clang__
  return bytes != 3 && bytes != 5 && bytes != 6 && bytes != 7;
#else
  return true;
#endif
}

}  // namespace property::bytes
