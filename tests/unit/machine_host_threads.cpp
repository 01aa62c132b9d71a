// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Host threads that allocate, free, copy, fence and launch beside each other's kernels, at the interface that backends
/// use. Nothing here hangs on time: who must be in the middle of a kernel waits there for the other. Lanes wait for host
/// threads alone, never for lanes, so that ThreadSanitizer can follow them (tests/tsan builds this file, too).
// OPTIONS: num_threads=1
// OPTIONS: num_threads=2
// OPTIONS: deterministic=1
#include "../../sim/base/LaneTable.hpp"
#include "../../sim/base/Start.hpp"
#include "../../sim/detect/MissingFence.hpp"
#include "../../sim/findings/Collector.hpp"
#include "../../sim/findings/Sentences.hpp"
#include "../../sim/host/Launch.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/places/Sites.hpp"
#include "../../sim/check/Access.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

template <class T>
void store(T* at, T value) {
  checked_access({reinterpret_cast<std::uintptr_t>(at), sizeof(T), AccessKind::write,
                  TEAMSAN_CALL},
                 false);
  *at = value;
}
template <class T>
T load(T const* at) {
  checked_access({reinterpret_cast<std::uintptr_t>(at), sizeof(T), AccessKind::read,
                  TEAMSAN_CALL},
                 false);
  return *at;
}

template <class T>
T* allocate_array(Space space, std::size_t count, char const* label) {
  return static_cast<T*>(allocate(space, count * sizeof(T), 0, label));
}

using Body = std::function<void(std::size_t)>;

/// One lane for each index.
void run(std::string label, std::uint32_t instance, std::uint64_t teams, std::uint32_t lanes, Body const& body) {
  LaunchConfig config;
  config.label = std::move(label);
  config.league_size = teams;
  config.team_size = lanes;
  config.instance = instance;
  Body const* const kernel = &body;
  launch(config, &kernel, sizeof kernel, [](void const* copy, Lane const& lane) {
    (**static_cast<Body const* const*>(copy))(lane.league_rank * lane.team_size + lane.index);
  });
}

/// One at a time, since Boost.Test is not thread-safe.
struct Program {
  Program() {
    start_instrumented();
    note_instances();
    Collector::instance().clear();
  }
  ~Program() {
    fence(~0u);
    Collector::instance().clear();  // or the program would end with their status
  }
  std::vector<Finding> findings() const { return Collector::instance().findings(); }
};

std::size_t workers_made() {
  std::size_t count = 0;
  for (void* w = __teamsan_lane_table.workers; w != nullptr; w = *static_cast<void**>(w)) ++count;
  return count;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(allocations_beside_a_launch, Program) {
  constexpr std::uint64_t teams = 8, lanes = 32;
  auto* const data = allocate_array<double>(Space::device, teams * lanes, "data");
  std::latch begun(1), allocated(1);
  std::vector<void*> others;
  std::thread beside([&] {
    begun.wait();
    for (int i = 0; i != 20000; ++i) others.push_back(allocate(Space::device, 8, 0, "other"));
    allocated.count_down();
  });
  run("writes", 1, teams, lanes, [&](std::size_t i) {
    if (i == lanes) {
      begun.count_down();
      allocated.wait();
    }
    store(&data[i], static_cast<double>(i));
  });
  beside.join();
  BOOST_TEST(findings().empty());
  BOOST_TEST(find_allocation(reinterpret_cast<std::uintptr_t>(data))->label == "data");
  for (void* const p : others) BOOST_TEST_REQUIRE(find_allocation(reinterpret_cast<std::uintptr_t>(p))->label == "other");
  for (void* const p : others) deallocate(p);
  deallocate(data);
}

/// Freed memory is used again once 1 GiB was freed after it: also in the middle of a launch, whose teams know it.
BOOST_FIXTURE_TEST_CASE(addresses_reused_beside_a_launch, Program) {
  auto* const stale = allocate_array<double>(Space::device, megabyte, "stale");
  deallocate(stale);
  Allocation const* known = nullptr;
  std::string label_before, label_after;
  std::latch begun(1), reused(1);
  std::vector<void*> others;
  std::thread beside([&] {
    begun.wait();
    for (int i = 0; i != 140; ++i) deallocate(allocate_array<double>(Space::device, megabyte, "passing"));
    for (int i = 0; i != 140; ++i) others.push_back(allocate_array<double>(Space::device, megabyte, "new"));
    reused.count_down();
  });
  run("knows", 1, 1, 1, [&](std::size_t) {
    known = find_allocation(reinterpret_cast<std::uintptr_t>(stale));
    label_before = known->label;
    begun.count_down();
    reused.wait();
    label_after = known->label;
  });
  beside.join();
  BOOST_TEST(label_before == "stale");
  BOOST_TEST(label_after == "stale");
  BOOST_TEST(find_allocation(reinterpret_cast<std::uintptr_t>(stale)) != known);
  for (void* const p : others) deallocate(p);
}

BOOST_FIXTURE_TEST_CASE(freed_beside_a_launch, Program) {
  constexpr std::uint64_t teams = 4, lanes = 16;
  std::string const label = "a kernel whose label is too long for a small string, so that it lies in memory of its own";
  for (bool const frees : {true, false}) {
    auto* const shared = allocate_array<int>(Space::shared, teams * lanes, "shared");
    auto* const temporary = allocate_array<int>(Space::device, 100, "temporary");
    std::latch begun(1), done(1);
    std::thread beside([&] {
      begun.wait();
      if (frees)
        deallocate(temporary);
      else
        fence(~0u);
      done.count_down();
    });
    run(label, 1, teams, lanes, [&](std::size_t i) {
      if (i == 2 * lanes) {
        begun.count_down();
        done.wait();
      }
      store(&shared[i], static_cast<int>(i));
    });
    beside.join();
    // No free and no fence has come after the launch.
    BOOST_TEST(load(&shared[0]) == 0);
    BOOST_TEST_REQUIRE(findings().size() == 1u);
    BOOST_TEST((findings()[0].rule == Rule::missing_fence));
    BOOST_TEST(findings()[0].kernel == label);
    Collector::instance().clear();
    fence(1);
    BOOST_TEST(load(&shared[teams * lanes - 1]) == static_cast<int>(teams * lanes - 1));
    BOOST_TEST(findings().empty());
    deallocate(shared);
    if (!frees) deallocate(temporary);
  }
}

/// Blocks of a range that begin later are told.
BOOST_FIXTURE_TEST_CASE(freed_while_the_kernel_uses_it, Program) {
  auto* const data = allocate_array<int>(Space::device, 64, "data");
  std::latch begun(1), freed(1);
  std::thread beside([&] {
    begun.wait();
    deallocate(data);
    freed.count_down();
  });
  run("uses", 1, 3, 1, [&](std::size_t i) {
    if (i == 1) {
      begun.count_down();
      freed.wait();
    }
    store(&data[i], 1);
  });
  beside.join();
  BOOST_TEST_REQUIRE(findings().size() == 1u);
  BOOST_TEST((findings()[0].rule == Rule::out_of_bounds));
  BOOST_TEST(findings()[0].data.label == "data");
  BOOST_TEST((findings()[0].why.at(0).kind == Reason::freed_meanwhile));
}

/// A fence that another host thread asks for in the middle of a launch comes after it began: it orders nothing before it.
BOOST_FIXTURE_TEST_CASE(fenced_beside_a_launch, Program) {
  auto* const data = allocate_array<int>(Space::device, 64, "data");
  run("first", 1, 2, 32, [&](std::size_t i) { store(&data[i], 1); });
  std::latch begun(1), fenced(1);
  std::thread beside([&] {
    begun.wait();
    fence(1);
    fenced.count_down();
  });
  run("second", 2, 2, 32, [&](std::size_t i) {
    if (i == 0) {
      begun.count_down();
      fenced.wait();
    }
    store(&data[i], 2);
  });
  beside.join();
  BOOST_TEST_REQUIRE(findings().size() == 1u);
  BOOST_TEST((findings()[0].rule == Rule::missing_fence));
  BOOST_TEST(findings()[0].kernel == "second");
  Collector::instance().clear();
  fence(2);
  run("third", 3, 2, 32, [&](std::size_t i) { store(&data[i], 3); });
  BOOST_TEST(findings().empty());
  deallocate(data);
}

BOOST_FIXTURE_TEST_CASE(everything_at_once, Program) {
  constexpr unsigned threads = 4, rounds = 25;
  constexpr std::uint64_t teams = 6, lanes = 16, count = teams * lanes;
  std::vector<unsigned> wrong(threads, 0);
  std::vector<std::thread> all;
  for (unsigned t = 0; t != threads; ++t)
    all.emplace_back([&, t] {
      std::uint32_t const instance = 10 + t;
      for (unsigned round = 0; round != rounds; ++round) {
        auto* const device = allocate_array<std::uint64_t>(Space::device, count, "device");
        auto* const shared = allocate_array<std::uint64_t>(Space::shared, count, "shared");
        std::vector<std::uint64_t> host(count, t), back(count, 0);
        copy(device, host.data(), count * sizeof(std::uint64_t));
        zero(shared, count * sizeof(std::uint64_t));
        note_instances();
        fence(instance);
        run("adds " + std::to_string(t), instance, teams, lanes,
            [&](std::size_t i) { store(&shared[i], load(&shared[i]) + load(&device[i]) + i); });
        run("multiplies " + std::to_string(t), instance, teams, lanes,
            [&](std::size_t i) { store(&device[i], load(&shared[i]) * 3); });
        fence(instance);
        copy(back.data(), device, count * sizeof(std::uint64_t));
        for (std::size_t i = 0; i != count; ++i) {
          wrong[t] += load(&shared[i]) != i + t;
          wrong[t] += back[i] != (i + t) * 3;
        }
        deallocate(device);
        deallocate(shared);
      }
    });
  for (std::thread& thread : all) thread.join();
  for (Finding const& f : findings()) BOOST_TEST_MESSAGE(f.title << " in " << f.kernel << ": " << name_of(f.why.at(0).kind));
  BOOST_TEST(findings().empty());
  for (unsigned const w : wrong) BOOST_TEST(w == 0u);
}

/// What a thread needs to run lanes goes on to the next thread.
BOOST_FIXTURE_TEST_CASE(threads_come_and_go, Program) {
  auto* const data = allocate_array<int>(Space::device, 64, "data");
  std::size_t const before = workers_made();
  for (int n = 0; n != 300; ++n)
    std::thread([&] { run("short", 1, 2, 32, [&](std::size_t i) { store(&data[i], n); }); }).join();
  BOOST_TEST(workers_made() <= before + 4);
  BOOST_TEST(findings().empty());
  BOOST_TEST(data[63] == 299);
  deallocate(data);
}
