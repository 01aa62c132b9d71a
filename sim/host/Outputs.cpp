// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Outputs.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Hot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <unordered_set>

namespace teamsan {
namespace {

constexpr std::uint64_t magic = 0x31746f6e61656d74;
constexpr std::uint64_t most_data = 256 << 20;

struct Head {
  std::uint64_t magic, kind, launch, offset, bytes, hash, label_bytes, kernel_bytes, type_bytes, data_bytes;
  std::uint64_t element_bytes, rank, extents[Shape::max_rank], strides[Shape::max_rank];
};

/// FNV-1a over words of 8 bytes.
std::uint64_t hash_of(void const* data, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  auto const* p = static_cast<unsigned char const*>(data);
  for (; bytes >= 8; p += 8, bytes -= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  for (; bytes != 0; ++p, --bytes) hash = (hash ^ *p) * 0x100000001b3u;
  return hash;
}

class Log {
 public:
  bool enabled() const { return m_file != nullptr; }

  static Log& instance() {
    static Log& log = *new Log;  // outlives exit handlers
    return log;
  }

  void launch(std::string_view kernel, std::uint64_t number) {
    std::lock_guard const lock(m_mutex);
    m_kernel = kernel;
    m_launch = number;
  }

  void write(Output::Kind kind, Allocation const* allocation, void const* data, std::size_t bytes) {
    std::lock_guard const lock(m_mutex);
    if (m_file == nullptr) return;
    if (kind == Output::Kind::copied && allocation != nullptr) m_copied.insert(allocation->serial);
    if (kind == Output::Kind::device_only && m_copied.contains(allocation->serial)) return;
    std::string_view const label = allocation ? std::string_view(allocation->label) : std::string_view();
    bool const keeps = m_kept + bytes <= most_data;
    m_kept += keeps ? bytes : 0;
    auto const address = reinterpret_cast<std::uintptr_t>(data);
    Shape const shape = allocation ? allocation->shape : Shape{};
    Head head{};
    head.magic = magic;
    head.kind = static_cast<std::uint64_t>(kind);
    head.launch = m_launch;
    head.offset = allocation ? address - allocation->data() : 0;
    head.bytes = bytes;
    head.hash = hash_of(data, bytes);
    head.label_bytes = label.size();
    head.kernel_bytes = m_kernel.size();
    head.type_bytes = shape.type.size();
    head.data_bytes = keeps ? bytes : 0;
    head.element_bytes = shape.element_bytes;
    head.rank = shape.rank;
    std::copy_n(shape.extents, Shape::max_rank, head.extents);
    std::copy_n(shape.strides, Shape::max_rank, head.strides);
    bool const written = put(&head, sizeof head) && put(label.data(), label.size()) &&
                         put(m_kernel.data(), m_kernel.size()) && put(shape.type.data(), shape.type.size()) &&
                         put(data, head.data_bytes) && std::fflush(m_file) == 0;
    if (written) return;
    write_to_stderr(fmt::format("teamsan: cannot write {}: {}\n", options().outputs, std::strerror(errno)));
    std::fclose(m_file);
    m_file = nullptr;
  }

 private:
  Log() {
    std::string const& file = options().outputs;
    if (file.empty()) return;
    m_file = std::fopen(from_start_directory(file).c_str(), "wbe");
    if (m_file == nullptr)
      write_to_stderr(fmt::format("teamsan: cannot write {}: {}\n", file, std::strerror(errno)));
  }

  bool put(void const* data, std::size_t bytes) {
    return bytes == 0 || std::fwrite(data, bytes, 1, m_file) == 1;
  }

  std::mutex m_mutex;
  std::FILE* m_file = nullptr;
  std::string m_kernel;
  std::uint64_t m_launch = 0;
  std::uint64_t m_kept = 0;
  std::unordered_set<std::uint64_t> m_copied;  ///< serials
};

bool is_wanted() { return !options().outputs.empty() && Log::instance().enabled(); }

}  // namespace

void note_output_launch(std::string_view kernel, std::uint64_t number) {
  if (is_wanted()) Log::instance().launch(kernel, number);
}

void note_copy_to_host(void const* source, std::size_t bytes) {
  if (!is_wanted()) return;
  RuntimeScope const scope;
  Log::instance().write(Output::Kind::copied, find_allocation(reinterpret_cast<std::uintptr_t>(source)),
                        source, bytes);
}

void note_freed(Allocation const& allocation) {
  if (!is_wanted() || allocation.bytes <= allocation.header_bytes) return;
  RuntimeScope const scope;
  bool const device = allocation.space == Space::device;
  if (device && allocation.label.starts_with("Kokkos::")) return;
  Log::instance().write(device ? Output::Kind::device_only : Output::Kind::visible, &allocation,
                        reinterpret_cast<void const*>(allocation.data()),
                        allocation.bytes - allocation.header_bytes);
}

void finish_outputs() {
  if (is_wanted()) for_each_allocation([](Allocation const& a, void*) { note_freed(a); }, nullptr);
}

bool OutputReader::next(Output& output) {
  Head head;
  m_stream.read(reinterpret_cast<char*>(&head), sizeof head);
  if (m_stream.gcount() == 0) return false;
  if (m_stream.gcount() != sizeof head || head.magic != magic) throw std::runtime_error("no file of outputs");
  auto const text = [&](std::uint64_t bytes) {
    std::string result(bytes, '\0');
    m_stream.read(result.data(), static_cast<std::streamsize>(bytes));
    return result;
  };
  output.kind = static_cast<Output::Kind>(head.kind);
  output.launch = head.launch;
  output.offset = head.offset;
  output.bytes = head.bytes;
  output.hash = head.hash;
  output.label = text(head.label_bytes);
  output.kernel = text(head.kernel_bytes);
  output.type = text(head.type_bytes);
  output.shape = {};
  output.shape.element_bytes = static_cast<std::uint32_t>(head.element_bytes);
  output.shape.rank = static_cast<std::uint32_t>(head.rank);
  std::copy_n(head.extents, Shape::max_rank, output.shape.extents);
  std::copy_n(head.strides, Shape::max_rank, output.shape.strides);
  output.data = text(head.data_bytes);
  if (!m_stream) throw std::runtime_error("a file of outputs is cut off");
  return true;
}

}  // namespace teamsan
