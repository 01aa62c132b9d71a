// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory spaces: what reaches what, allocation, copies between all of them, and Kokkos' own message when
// the host touches device memory. The execution space: regular, instances apart, partitions.
#include "SimtHost.hpp"

#include <csignal>
#include <cstring>
#include <set>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

using teamsan::Simt;
using teamsan::SimtHostPinnedSpace;
using teamsan::SimtSharedSpace;
using teamsan::SimtSpace;
template <class From, class To>
constexpr bool reaches = Kokkos::SpaceAccessibility<From, To>::accessible;

static_assert(std::is_same_v<Kokkos::DefaultExecutionSpace, Simt>);
static_assert(!std::is_same_v<Kokkos::DefaultHostExecutionSpace, Simt>);
static_assert(std::is_same_v<Kokkos::SharedSpace, SimtSharedSpace> && Kokkos::has_shared_space);
static_assert(std::is_same_v<Kokkos::SharedHostPinnedSpace, SimtHostPinnedSpace> &&
              Kokkos::has_shared_host_pinned_space);
static_assert(reaches<Simt, SimtSpace> && reaches<Simt, SimtSharedSpace> &&
              reaches<Simt, SimtHostPinnedSpace>);
static_assert(!reaches<Simt, Kokkos::HostSpace> && !reaches<Kokkos::HostSpace, SimtSpace>);
static_assert(reaches<Kokkos::HostSpace, SimtSharedSpace> && reaches<Kokkos::HostSpace, SimtHostPinnedSpace>);
static_assert(std::is_same_v<Kokkos::View<int*>::host_mirror_type::memory_space, Kokkos::HostSpace>);
static_assert(
    std::is_same_v<Kokkos::View<int*, SimtSharedSpace>::host_mirror_type::memory_space, SimtSharedSpace>);
static_assert(std::is_same_v<Kokkos::View<int**>::array_layout, Kokkos::LayoutLeft>);

namespace {

template <class To, class From>
void check_copy() {
  int const n = 1000;
  Kokkos::View<int*, Kokkos::HostSpace> start("start", n);
  for (int i = 0; i < n; ++i) start(i) = 3 * i + 1;
  Kokkos::View<int*, From> from("from", n);
  Kokkos::View<int*, To> to("to", n);
  Kokkos::deep_copy(from, start);
  Kokkos::deep_copy(to, from);
  BOOST_TEST(differences(to, [](std::size_t i) { return static_cast<int>(3 * i + 1); }) == 0,
             From::name() << " to " << To::name());
  Kokkos::deep_copy(Simt(), to, 7);
  Kokkos::deep_copy(Simt(), Kokkos::subview(to, Kokkos::pair(10, 20)),
                    Kokkos::subview(from, Kokkos::pair(10, 20)));
  Simt().fence();
  BOOST_TEST(differences(
                 to, [](std::size_t i) { return i >= 10 && i < 20 ? static_cast<int>(3 * i + 1) : 7; }) == 0);
}

template <class To>
void check_copies_to() {
  check_copy<To, SimtSpace>();
  check_copy<To, SimtSharedSpace>();
  check_copy<To, SimtHostPinnedSpace>();
}

/// What a child process that runs `body` writes to standard error, and the signal that ended it, or its status.
template <class Body>
std::pair<std::string, int> last_words(Body const& body) {
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  pid_t const child = fork();
  if (child == 0) {
    for (int const signal : {SIGABRT, SIGSEGV}) std::signal(signal, SIG_DFL);
    dup2(ends[1], 2);
    close(ends[0]);
    body();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, got);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return {text, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(copies_between_all_spaces) {
  check_copies_to<SimtSpace>();
  check_copies_to<SimtSharedSpace>();
  check_copies_to<SimtHostPinnedSpace>();
  check_copy<SimtSpace, Kokkos::HostSpace>();
}

BOOST_AUTO_TEST_CASE(strided_views_copy_by_kernel) {
  Kokkos::View<int**, Space> matrix("matrix", 6, 5);
  Kokkos::deep_copy(Kokkos::subview(matrix, 2, Kokkos::ALL), 4);
  Kokkos::View<int*, Space> row("row", 5);
  Kokkos::deep_copy(row, Kokkos::subview(matrix, 2, Kokkos::ALL));
  BOOST_TEST(differences(row, [](std::size_t) { return 4; }) == 0);
}

BOOST_AUTO_TEST_CASE(views_start_at_zero_and_grow) {
  Kokkos::View<double*, Space> view("view", 100);
  BOOST_TEST(differences(view, [](std::size_t) { return 0.0; }) == 0);
  Kokkos::deep_copy(view, 1.5);
  Kokkos::resize(view, 200);
  BOOST_TEST(differences(view, [](std::size_t i) { return i < 100 ? 1.5 : 0.0; }) == 0);
  BOOST_TEST(view.label() == "view");
}

BOOST_AUTO_TEST_CASE(shared_memory_is_the_hosts_too) {
  Kokkos::View<int*, SimtSharedSpace> view("view", 300);
  for (int i = 0; i < 300; ++i) view(i) = i;
  Kokkos::parallel_for(
      300, KOKKOS_LAMBDA(int i) { view(i) *= 2; });
  Kokkos::fence();
  int wrong = 0;
  for (int i = 0; i < 300; ++i) wrong += view(i) != 2 * i;
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(kokkos_malloc_and_friends) {
  auto* const memory = static_cast<int*>(Kokkos::kokkos_malloc<SimtSharedSpace>("memory", 64 * sizeof(int)));
  BOOST_REQUIRE(memory);
  for (int i = 0; i < 64; ++i) memory[i] = i;
  auto* const more = static_cast<int*>(Kokkos::kokkos_realloc<SimtSharedSpace>(memory, 128 * sizeof(int)));
  BOOST_REQUIRE(more);
  BOOST_TEST(more[63] == 63);
  Kokkos::kokkos_free<SimtSharedSpace>(more);
  void* const device = Kokkos::kokkos_malloc<SimtSpace>(1000);
  BOOST_TEST(teamsan::is_device_address(device));
  Kokkos::kokkos_free<SimtSpace>(device);
}

BOOST_AUTO_TEST_CASE(types_with_constructors) {
  struct Seven {
    int value = 7;
  };
  Kokkos::View<Seven*, Space> view("view", 300);
  Kokkos::View<int*, Space> values("values", 300);
  Kokkos::parallel_for(
      300, KOKKOS_LAMBDA(int i) { values(i) = view(i).value; });
  BOOST_TEST(differences(values, [](std::size_t) { return 7; }) == 0);
}

BOOST_AUTO_TEST_CASE(host_access_to_device_memory_is_kokkos_error) {
  Kokkos::View<int*, Space> view("pressure", 10);
  auto const [words, end] = last_words([&] { view(3) = 1; });
  BOOST_TEST(
      words.find("Kokkos::View ERROR: attempt to access inaccessible memory space (label=\"pressure\")") !=
      std::string::npos);
  BOOST_TEST((end == SIGABRT || end == 66));  // with what was found on the way
}

BOOST_AUTO_TEST_CASE(a_device_mirror_of_host_data) {
  Kokkos::View<int*, Kokkos::HostSpace> host("host", 50);
  for (int i = 0; i < 50; ++i) host(i) = i;
  auto const device = Kokkos::create_mirror_view_and_copy(Space(), host);
  static_assert(std::is_same_v<decltype(device)::memory_space, SimtSpace>);
  int sum = 0;
  Kokkos::parallel_reduce(
      50, KOKKOS_LAMBDA(int i, int& s) { s += device(i); }, sum);
  BOOST_TEST(sum == 1225);
}

BOOST_AUTO_TEST_CASE(execution_space_is_regular) {
  Simt const a;
  Simt const b = a;
  BOOST_TEST((a == b));
  BOOST_TEST((a == Simt()));
  Simt const other = Simt::create_instance();
  BOOST_TEST((a != other));
  BOOST_TEST(a.concurrency() > 0);
}

BOOST_AUTO_TEST_CASE(partitions_are_instances_of_their_own) {
  auto const parts = Kokkos::Experimental::partition_space(Simt(), 1, 2);
  Simt const first = parts[0], second = parts[1];
  auto const more = Kokkos::Experimental::partition_space(Simt(), std::vector<double>{1, 1, 1});
  std::set<unsigned> ids{Simt().impl_instance_id(), first.impl_instance_id(), second.impl_instance_id()};
  for (Simt const& part : more) ids.insert(part.impl_instance_id());
  BOOST_TEST(ids.size() == 6);
  Kokkos::View<int*, Space> view("view", 100);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(second, 0, 100), KOKKOS_LAMBDA(int i) { view(i) = i; });
  second.fence();
  BOOST_TEST(differences(view, [](std::size_t i) { return static_cast<int>(i); }) == 0);
}
