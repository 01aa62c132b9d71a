// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// teamsan::checkpoint("name", view): a named, typed, shaped snapshot of a View, for `teamsan compare`, in
/// any build of a program: production (Cuda, HIP, SYCL, OpenMP, ...) and checked. Header only; nothing of
/// TeamSan is linked.
///
/// Does nothing unless the environment variable TEAMSAN_CHECKPOINTS names a file; then the cost is two loads
/// and compares. The first checkpoint of the process makes the file anew; %p in its name is the process id,
/// %r the MPI rank. Each snapshot is on its way to the disk when the call returns. The format is
/// traces/CHECKPOINT.md.
///
/// A checkpoint fences: it waits for all kernels, as any Kokkos::deep_copy does. It is for host code, not for
/// kernels. Calls from several threads are taken one at a time; their order is then the program's own matter.
#pragma once

#include "../../traces/CheckpointFormat.hpp"

#include <Kokkos_Core.hpp>

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace teamsan {

/// What could not be written; what() is one sentence.
struct CheckpointError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What an element of a View is to a checkpoint: `count` values of `type`. Specialise it for a struct that is
/// nothing but an array of numbers, so that the numbers are compared, not the struct's bytes:
///     template <> struct teamsan::CheckpointElement<Tensor> { using type = double; static constexpr
///     std::size_t count = 6; };
template <class T>
struct CheckpointElement {
  using type = T;
  static constexpr std::size_t count = 1;
};
template <class T, std::size_t N>
struct CheckpointElement<T[N]> {
  using type = T;
  static constexpr std::size_t count = N;
};
template <class T, std::size_t N>
struct CheckpointElement<Kokkos::Array<T, N>> {
  using type = T;
  static constexpr std::size_t count = N;
};
template <class T, std::size_t N>
struct CheckpointElement<std::array<T, N>> {
  using type = T;
  static constexpr std::size_t count = N;
};

namespace native {

/// What all of a program's checkpoints go to.
class CheckpointFile {
 public:
  /// The file that TEAMSAN_CHECKPOINTS names, or nullptr. Asked for once in a process.
  static CheckpointFile* of_process() {
    static CheckpointFile* const file =
        make();  // never deleted: a checkpoint may come from a late destructor
    return file;
  }

  struct Element {
    traces::ElementKind kind;
    std::uint32_t bytes;
    std::string type;
  };

  /// One snapshot; `write_elements(append)` calls append(data, bytes) for the elements in row-major order.
  template <class WriteElements>
  void write(std::string const& name, std::string const& label, Element const& element,
             std::vector<std::uint64_t> const& extents, WriteElements&& write_elements) {
    std::lock_guard const lock(m_mutex);
    open();
    traces::Crc32 sum;
    put(traces::checkpoint_mark);
    put(m_occurrences[name]++, sum);
    put(static_cast<std::uint32_t>(element.kind), sum);
    put(element.bytes, sum);
    put(static_cast<std::uint32_t>(extents.size()), sum);
    for (std::uint64_t const extent : extents) put(extent, sum);
    put_text(name, sum);
    put_text(element.type, sum);
    put_text(label, sum);
    put(sum.value());
    traces::Crc32 elements_sum;
    write_elements([&](void const* data, std::size_t bytes) {
      elements_sum.take(data, bytes);
      put_bytes(data, bytes);
    });
    put(elements_sum.value());
    if (std::fflush(m_stream) != 0) fail("cannot be written");
  }

 private:
  explicit CheckpointFile(std::string path) : m_path(std::move(path)) {}

  static CheckpointFile* make() {
#ifdef __GLIBC__  // a program that has more rights than who started it writes nothing where they say
    char const* const name = ::secure_getenv("TEAMSAN_CHECKPOINTS");
#else
    char const* const name = std::getenv("TEAMSAN_CHECKPOINTS");
#endif
    return name == nullptr || *name == '\0' ? nullptr : new CheckpointFile(expanded(name));
  }

  /// %p, %r and %% as in TEAMSAN_OPTIONS' names of files.
  static std::string expanded(std::string_view name) {
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
      char const next = name[i] == '%' && i + 1 < name.size() ? name[i + 1] : '\0';
      if (next == 'p')
        result += std::to_string(::getpid());
      else if (next == 'r')
        result += mpi_rank();
      else if (next == '%')
        result += '%';
      else {
        result += name[i];
        continue;
      }
      ++i;
    }
    return result;
  }

  static std::string mpi_rank() {
    for (char const* const name :
         {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
      if (char const* const rank = std::getenv(name); rank != nullptr && *rank != '\0') return rank;
    return "0";
  }

  /// Held until the process ends: two processes that write one file would leave neither's snapshots.
  void open() {
    if (m_stream != nullptr) return;
    int const file = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) fail("cannot be written");
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      throw CheckpointError("TEAMSAN_CHECKPOINTS: another process writes to " + m_path +
                            ": put %p (process id) or %r (MPI rank) into the name");
    }
    if (::ftruncate(file, 0) != 0 && errno != EINVAL) {
      int const error = errno;
      ::close(file);
      errno = error;
      fail("cannot be written");
    }
    m_stream = ::fdopen(file, "wb");
    if (m_stream == nullptr) fail("cannot be written");
    put_bytes(traces::checkpoint_magic.data(), traces::checkpoint_magic.size());
    traces::Crc32 sum;
    put(traces::checkpoint_version, sum);
    put_text(Kokkos::DefaultExecutionSpace::name(), sum);
    put(sum.value());
  }

  [[noreturn]] void fail(char const* what) const {
    throw CheckpointError("TEAMSAN_CHECKPOINTS: " + m_path + " " + what + ": " + std::strerror(errno));
  }

  void put_bytes(void const* data, std::size_t bytes) {
    if (bytes != 0 && std::fwrite(data, 1, bytes, m_stream) != bytes) fail("cannot be written");
  }
  template <class T>
  void put(T value) {
    put_bytes(&value, sizeof value);
  }
  template <class T>
  void put(T value, traces::Crc32& sum) {
    sum.take(&value, sizeof value);
    put_bytes(&value, sizeof value);
  }
  void put_text(std::string_view text, traces::Crc32& sum) {
    text = text.substr(0, traces::checkpoint_text_max - 1);
    put(static_cast<std::uint32_t>(text.size()), sum);
    sum.take(text.data(), text.size());
    put_bytes(text.data(), text.size());
  }

  std::string const m_path;
  std::FILE* m_stream = nullptr;
  std::map<std::string, std::uint32_t> m_occurrences;
  std::mutex m_mutex;
};

template <class T>
struct ComplexPart {
  using type = void;
};
template <class T>
struct ComplexPart<std::complex<T>> {
  using type = T;
};
template <class T>
struct ComplexPart<Kokkos::complex<T>> {
  using type = T;
};

template <class T>
std::string demangled_name() {
  int status = 0;
  char* const text = abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status);
  std::string const result = status == 0 ? text : typeid(T).name();
  std::free(text);
  return result;
}

/// Kind, size and name of T, the same in every build.
template <class T>
CheckpointFile::Element element_of() {
  using traces::ElementKind;
  using Part = typename ComplexPart<T>::type;
  static_assert(std::is_trivially_copyable_v<T> || !std::is_void_v<Part>,
                "teamsan::checkpoint: an element is copied as bytes, its type must be trivially copyable");
  static_assert(!std::is_pointer_v<T>, "teamsan::checkpoint: two runs never share the value of a pointer");
  static_assert(!std::is_same_v<T, long double> && !std::is_same_v<Part, long double>,
                "teamsan::checkpoint: no GPU has a long double");
  constexpr std::uint32_t bytes = sizeof(T);
  auto const named = [&](ElementKind kind, char const* stem) {
    return CheckpointFile::Element{kind, bytes, stem + std::to_string(8 * bytes)};
  };
  if constexpr (std::is_enum_v<T>)
    return element_of<std::underlying_type_t<T>>();
  else if constexpr (std::is_same_v<T, bool>)
    return {ElementKind::boolean, bytes, "bool"};
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return named(ElementKind::signed_integer, "int");
  else if constexpr (std::is_integral_v<T>)
    return named(ElementKind::unsigned_integer, "uint");
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    return named(ElementKind::real, "float");
  else if constexpr (std::is_same_v<Part, float> || std::is_same_v<Part, double>)
    return named(ElementKind::complex, "complex");
  else
    return {ElementKind::bytes, bytes, demangled_name<T>()};
}

/// A View's elements in row-major order, in pieces of up to 64 KiB. `view` is accessible from the host.
template <class View, class Append>
void for_each_piece(View const& view, Append&& append) {
  using Value = typename View::non_const_value_type;
  constexpr std::size_t rank = View::rank();
  std::size_t const count = view.size();
  if (count == 0) return;
  bool row_major = true;
  std::size_t expected = 1;
  for (std::size_t r = rank; r-- > 0;) {
    row_major = row_major && (view.extent(r) == 1 || view.stride(r) == expected);
    expected *= view.extent(r);
  }
  auto const* const data = reinterpret_cast<std::byte const*>(view.data());
  if (row_major) {
    append(data, count * sizeof(Value));
    return;
  }
  std::vector<std::byte> piece;
  std::size_t const room = std::max<std::size_t>(1, (std::size_t{1} << 16) / sizeof(Value));
  piece.reserve(room * sizeof(Value));
  std::array<std::size_t, rank + 1> index{};
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t offset = 0;
    for (int r = 0; r < static_cast<int>(rank); ++r) offset += index[r] * view.stride(r);
    std::byte const* const element = data + offset * sizeof(Value);
    piece.insert(piece.end(), element, element + sizeof(Value));
    if (piece.size() == room * sizeof(Value) || i + 1 == count) {
      append(piece.data(), piece.size());
      piece.clear();
    }
    for (std::size_t r = rank; r-- > 0 && ++index[r] == view.extent(r);) index[r] = 0;
  }
}

/// The View's elements where the host can read them. What is not contiguous is made so where it lies first:
/// Kokkos copies nothing else between memories that no execution space reaches both of.
template <class View>
auto on_host(View const& view) {
  using Device = typename View::device_type;
  using Layout = std::conditional_t<std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>,
                                    Kokkos::LayoutRight, typename View::array_layout>;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    Kokkos::fence("teamsan::checkpoint");
    return view;
  } else {
    Kokkos::View<typename View::non_const_data_type, Layout, Device> dense;
    if constexpr (std::is_same_v<Layout, typename View::array_layout>) {
      if (view.span_is_contiguous()) {
        auto const mirror = Kokkos::create_mirror(Kokkos::WithoutInitializing, view);
        Kokkos::deep_copy(mirror, view);
        return mirror;
      }
    }
    typename Kokkos::View<typename View::non_const_data_type, Layout, Device>::array_layout shape;
    for (int r = 0; r < static_cast<int>(View::rank()); ++r) shape.dimension[r] = view.extent(r);
    dense = decltype(dense)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "teamsan::checkpoint"), shape);
    Kokkos::deep_copy(dense, view);
    auto const mirror = Kokkos::create_mirror(Kokkos::WithoutInitializing, dense);
    Kokkos::deep_copy(mirror, dense);
    return mirror;
  }
}

template <class View>
void write_view(CheckpointFile& file, std::string const& name, View const& view) {
  using Value = typename View::non_const_value_type;
  using Parts = CheckpointElement<Value>;
  static_assert(sizeof(Value) == Parts::count * sizeof(typename Parts::type),
                "teamsan::checkpoint: CheckpointElement must cover the whole element");
  std::vector<std::uint64_t> extents;
  for (int r = 0; r < static_cast<int>(View::rank()); ++r) extents.push_back(view.extent(r));
  if constexpr (!std::is_same_v<typename Parts::type, Value>) extents.push_back(Parts::count);
  auto const host = on_host(view);
  file.write(name, view.label(), element_of<typename Parts::type>(), extents,
             [&](auto&& append) { for_each_piece(host, append); });
}

template <class... Properties>
void is_a_view(Kokkos::View<Properties...> const&);

}  // namespace native

/// Writes a snapshot of `view` (any rank, layout and memory space) if TEAMSAN_CHECKPOINTS is set. The same
/// name may be used again: the n-th of one run is compared with the n-th of the other. Throws CheckpointError
/// if the file cannot be written.
template <class... Properties>
void checkpoint(std::string_view name, Kokkos::View<Properties...> const& view) {
  if (native::CheckpointFile* const file = native::CheckpointFile::of_process())
    native::write_view(*file, std::string(name), view);
}

/// The same for one value that the host has: a sum, a count of iterations.
template <class T>
requires(std::is_trivially_copyable_v<T> && !Kokkos::is_view_v<T> &&
         !std::is_pointer_v<T>) void checkpoint(std::string_view name, T const& value) {
  native::CheckpointFile* const file = native::CheckpointFile::of_process();
  if (file == nullptr) return;
  using Parts = CheckpointElement<T>;
  std::vector<std::uint64_t> extents;
  if constexpr (!std::is_same_v<typename Parts::type, T>) extents.push_back(Parts::count);
  file->write(std::string(name), "", native::element_of<typename Parts::type>(), extents,
              [&](auto&& append) { append(&value, sizeof value); });
}

/// A std::vector, a DualView, a DynRankView: their elements lie elsewhere than in them.
template <class T>
requires(!std::is_trivially_copyable_v<T> &&
         !requires(T const& value) { native::is_a_view(value); }) void checkpoint(std::string_view, T const&) {
  static_assert(std::is_trivially_copyable_v<T>,
                "teamsan::checkpoint: a checkpoint is of a Kokkos::View or of a value that is trivially copyable; of a "
                "container, give a View of its elements");
}

/// A pointer says neither how much lies behind it nor where.
template <class T>
void checkpoint(std::string_view, T* const&) {
  static_assert(!std::is_same_v<T, T>,
                "teamsan::checkpoint: a pointer has no extent: give a View of what it points to, such as an unmanaged one");
}

}  // namespace teamsan
