// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What teamsan::checkpoint writes of Views of every kind, read back with the library. Built twice: plain, on
/// the host's backend, and for checking, where every View lies in simulated device memory.
#include "CheckpointBytes.hpp"

#include <teamsan/native/Backend.hpp>
#include <teamsan/native/Checkpoint.hpp>
#include "../../traces/Checkpoint.hpp"
#include "../../traces/CheckpointDifference.hpp"

#include <Kokkos_Core.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>

using teamsan::checkpoint;
using teamsan::traces::CheckpointFile;
using teamsan::traces::ElementKind;

namespace {

struct Particle {
  int id;
  short cell;  // and two bytes of padding, zeroed below
  float charge;
};
struct Tensor {
  double c[6];
};
enum class Phase : std::uint16_t { solid, liquid };

std::string const file_name = std::filesystem::absolute(CHECKPOINT_FILE).string();

struct Session {
  Session() {
    ::setenv("TEAMSAN_CHECKPOINTS", CHECKPOINT_FILE, 1);
    auto& suite = boost::unit_test::framework::master_test_suite();
    Kokkos::initialize(suite.argc, suite.argv);
  }
  ~Session() {
    Kokkos::finalize();
    std::filesystem::remove(file_name);
  }
};
BOOST_TEST_GLOBAL_FIXTURE(Session);

/// The latest snapshot and its elements.
struct Written {
  teamsan::traces::Checkpoint entry;
  std::vector<std::byte> data;

  template <class T>
  T at(std::size_t i) const {
    T value;
    BOOST_TEST_REQUIRE((i + 1) * sizeof(T) <= data.size());
    std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
    return value;
  }
  std::string shape() const { return teamsan::traces::shape_text(entry); }
};

Written latest() {
  CheckpointFile const file = teamsan::traces::read_checkpoints(file_name);
  return {file.entries.back(), file.load(file.entries.back())};
}

/// 100 i + 10 j + k, on the device. The View of Kokkos 4 takes no pointer to characters for a label.
template <class View>
View numbered(std::string const& label, int n0, int n1, int n2) {
  View const view(label, n0, n1, n2);
  Kokkos::parallel_for(
      "number", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {n0, n1, n2}),
      KOKKOS_LAMBDA(int i, int j, int k) { view(i, j, k) = 100 * i + 10 * j + k; });
  return view;
}

template <class View>
void check_row_major(View const& view) {
  checkpoint("numbers", view);
  Written const w = latest();
  std::size_t at = 0;
  for (std::size_t i = 0; i < view.extent(0); ++i)
    for (std::size_t j = 0; j < view.extent(1); ++j)
      for (std::size_t k = 0; k < view.extent(2); ++k)
        BOOST_TEST_REQUIRE(w.at<double>(at++) == 100.0 * i + 10.0 * j + k);
  BOOST_TEST(at == w.entry.elements);
}

}  // namespace

BOOST_AUTO_TEST_CASE(row_major_whatever_the_layout) {
  check_row_major(numbered<Kokkos::View<double***, Kokkos::LayoutLeft>>("left", 5, 4, 3));
  check_row_major(numbered<Kokkos::View<double***, Kokkos::LayoutRight>>("right", 5, 4, 3));
  check_row_major(
      numbered<Kokkos::View<double** [3], Kokkos::LayoutLeft, Kokkos::SharedSpace>>("shared", 5, 4, 3));
  check_row_major(numbered<Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace>>(
      "large", 40, 30, 20));
}

BOOST_AUTO_TEST_CASE(subviews) {
  auto const all = numbered<Kokkos::View<double***, Kokkos::LayoutLeft>>("all", 6, 5, 4);
  checkpoint("part", Kokkos::subview(all, std::pair(1, 3), 2, std::pair(0, 4)));
  Written const w = latest();
  BOOST_TEST(w.shape() == "float64[2][4]");
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 4; ++k) BOOST_TEST(w.at<double>(4 * i + k) == 100.0 * (i + 1) + 20 + k);
  Kokkos::View<double***, Kokkos::LayoutLeft> const& const_all = all;
  checkpoint("row", Kokkos::subview(const_all, 5, Kokkos::ALL, 3));
  BOOST_TEST(latest().at<double>(4) == 543.0);
  checkpoint("tail", Kokkos::subview(all, std::pair(1, 6), Kokkos::ALL, Kokkos::ALL));
  BOOST_TEST(latest().at<double>(0) == 100.0);
  BOOST_TEST(latest().at<double>(99) == 543.0);
}

BOOST_AUTO_TEST_CASE(ranks_0_and_8) {
  Kokkos::View<float> const one("one");
  Kokkos::deep_copy(one, 2.5f);
  checkpoint("one", one);
  BOOST_TEST(latest().shape() == "float32");
  BOOST_TEST(latest().at<float>(0) == 2.5f);
  BOOST_TEST(latest().entry.label == "one");
  Kokkos::View<long********> const eight("eight", 1, 2, 1, 2, 1, 2, 1, 2);
  Kokkos::parallel_for(
      "fill", 16, KOKKOS_LAMBDA(int i) { eight(0, i / 8, 0, i / 4 % 2, 0, i / 2 % 2, 0, i % 2) = i; });
  checkpoint("eight", eight);
  Written const w = latest();
  BOOST_TEST(w.shape() == "int64[1][2][1][2][1][2][1][2]");
  for (int i = 0; i < 16; ++i) BOOST_TEST(w.at<long>(i) == i);
  checkpoint("empty", Kokkos::View<int**>("empty", 0, 3));
  BOOST_TEST(latest().shape() == "int32[0][3]");
  BOOST_TEST(latest().data.empty());
}

BOOST_AUTO_TEST_CASE(element_types) {
  auto const shape_of = [](auto value) {
    using T = decltype(value);
    Kokkos::View<T*> const view("view", 3);
    Kokkos::deep_copy(view, value);
    checkpoint("type", view);
    Written const w = latest();
    T const back = w.at<T>(2);
    BOOST_TEST(std::memcmp(&back, &value, sizeof value) == 0);
    return w.shape();
  };
  BOOST_TEST(shape_of(true) == "bool[3]");
  BOOST_TEST(shape_of(char{-3}) == "int8[3]");
  BOOST_TEST(shape_of(static_cast<unsigned char>(200)) == "uint8[3]");
  BOOST_TEST(shape_of(short{-300}) == "int16[3]");
  BOOST_TEST(shape_of(1u << 31) == "uint32[3]");
  BOOST_TEST(shape_of(~0ull) == "uint64[3]");
  BOOST_TEST(shape_of(Phase::liquid) == "uint16[3]");
  BOOST_TEST(shape_of(1.5f) == "float32[3]");
  BOOST_TEST(shape_of(-1e300) == "float64[3]");
  BOOST_TEST(shape_of(Kokkos::complex<float>(1, -2)) == "complex64[3]");
  BOOST_TEST(shape_of(Kokkos::complex<double>(1, -2)) == "complex128[3]");
  Particle particle;
  std::memset(&particle, 0, sizeof particle);
  particle.id = 7;
  BOOST_TEST(shape_of(particle) == "(anonymous namespace)::Particle[3]");
  BOOST_CHECK(latest().entry.kind == ElementKind::bytes);
}

template <>
struct teamsan::CheckpointElement<Tensor> {
  using type = double;
  static constexpr std::size_t count = 6;
};

BOOST_AUTO_TEST_CASE(elements_that_are_arrays) {
  Kokkos::View<Tensor*> const tensors("tensors", 2);
  Kokkos::parallel_for(
      "fill", 2, KOKKOS_LAMBDA(int i) {
        for (int c = 0; c < 6; ++c) tensors(i).c[c] = 10 * i + c;
      });
  checkpoint("tensors", tensors);
  BOOST_TEST(latest().shape() == "float64[2][6]");
  BOOST_TEST(latest().at<double>(11) == 15.0);
  checkpoint("array", Kokkos::Array<int, 3>{4, 5, 6});
  BOOST_TEST(latest().shape() == "int32[3]");
  BOOST_TEST(latest().at<int>(2) == 6);
}

BOOST_AUTO_TEST_CASE(values_and_repeated_names) {
  checkpoint("sum", 1.25);
  BOOST_TEST(latest().entry.occurrence == 0u);
  BOOST_TEST(latest().entry.label == "");
  checkpoint("sum", 2.5);
  BOOST_TEST(latest().entry.occurrence == 1u);
  BOOST_TEST(latest().at<double>(0) == 2.5);
  BOOST_TEST(latest().shape() == "float64");
}

BOOST_AUTO_TEST_CASE(host_views_and_const_and_unmanaged) {
  std::vector<int> numbers{3, 1, 4};
  checkpoint("host", Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(numbers.data(), 3));
  BOOST_TEST(latest().at<int>(2) == 4);
  auto const view = numbered<Kokkos::View<double***>>("view", 2, 2, 2);
  checkpoint("const", Kokkos::View<double const***, Kokkos::MemoryTraits<Kokkos::RandomAccess>>(view));
  BOOST_TEST(latest().at<double>(7) == 111.0);
}

BOOST_AUTO_TEST_CASE(the_space_that_wrote_it) {
  checkpoint("something", 1);
  BOOST_TEST(teamsan::traces::read_checkpoints(file_name).space == Kokkos::DefaultExecutionSpace::name());
}

BOOST_AUTO_TEST_CASE(backends_and_devices) {
  using namespace teamsan::native;
  using namespace teamsan;
#ifdef TEAMSAN_OVERLAY
  BOOST_CHECK(backend() == Backend::simulated);
#elif defined(KOKKOS_ENABLE_CUDA)
  BOOST_CHECK(backend() == Backend::cuda);
  BOOST_TEST(!device_name().empty());
  BOOST_CHECK(modelled_device() == model_of(device_name()));
#elif !defined(KOKKOS_ENABLE_HIP) && !defined(KOKKOS_ENABLE_SYCL)
  BOOST_CHECK(backend() == Backend::host);
#endif
  BOOST_CHECK(backend<Kokkos::DefaultHostExecutionSpace>() == Backend::host);
  BOOST_TEST(device_model<Kokkos::DefaultHostExecutionSpace>().empty());
  BOOST_TEST(device_name<Kokkos::DefaultHostExecutionSpace>().empty());
  BOOST_CHECK(model_of("NVIDIA H100 80GB HBM3") == &model::h100);
  BOOST_CHECK(model_of("NVIDIA H100 PCIe") == &model::h100);
  BOOST_CHECK(model_of("NVIDIA A100-SXM4-40GB") == &model::a100);
  BOOST_CHECK(model_of("Tesla V100-SXM2-16GB") == &model::v100);
  BOOST_CHECK(model_of("AMD Instinct MI250X") == &model::mi250x);
  BOOST_CHECK(model_of("AMD Instinct MI250X / MI250") == &model::mi250x);
  BOOST_CHECK(model_of("AMD Instinct MI300X") == &model::mi300x);
  BOOST_CHECK(model_of("Intel(R) Data Center GPU Max 1550") == &model::pvc);
  for (char const* unknown :
       {"", "NVIDIA H200", "NVIDIA GH200 480GB", "NVIDIA RTX A1000", "AMD Instinct MI300A", "GH100"})
    BOOST_CHECK(model_of(unknown) == nullptr);
}
